// What a loop runs over.
#ifndef OCCA_LOOPS_ITERATION_HPP
#define OCCA_LOOPS_ITERATION_HPP

#include <occa/functional/array.hpp>
#include <occa/functional/range.hpp>

#include <string>

namespace occa {

class tileIteration;
class typelessForLoop;

// The numbers from 0 on, those of a range, or those in an array.
class iteration {
  public:
    iteration(const int rangeEnd) : range(rangeEnd) {}
    iteration(const occa::range &range_) : range(range_) {}
    iteration(const occa::array<int> &indices_) : range(0), indices(indices_), is_array(true) {}

  private:
    friend class tileIteration;
    friend class typelessForLoop;

    occa::range range;
    occa::array<int> indices;
    bool is_array = false;
    // 0 for none.
    int tileSize = 0;

    udim_t length() const { return is_array ? indices.length() : range.length(); }
    // Most begin at 0 and step by 1.
    bool is_plain() const { return !is_array && range.start == 0 && range.step == 1; }
    // The last tile's items may be more than there are.
    bool is_cut() const { return length() % static_cast<udim_t>(tileSize) != 0; }
};

// The same in tiles of so many.
class tileIteration {
  public:
    tileIteration(occa::iteration it_, const int tileSize) : it(it_) {
        OCCA_ERROR("occa::forLoop::tile: a size of " << tileSize, tileSize > 0);
        it.tileSize = tileSize;
    }
    operator iteration() const { return it; }

  private:
    iteration it;
};

} // namespace occa

#endif
