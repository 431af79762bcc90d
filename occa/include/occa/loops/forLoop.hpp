// occa::forLoop().outer(…).inner(…).run(OCCA_FUNCTION(…)): a lambda over up to three outer and three inner indices.
#ifndef OCCA_LOOPS_FORLOOP_HPP
#define OCCA_LOOPS_FORLOOP_HPP

#include <occa/loops/innerForLoop.hpp>
#include <occa/loops/outerForLoop.hpp>

namespace occa {

class forLoop {
  public:
    // None: that of the memory that is captured, or else the current one.
    occa::device device;

    forLoop() = default;
    forLoop(occa::device device_) : device(device_) {}

    outerForLoop1 outer(occa::iteration i0) { return with({i0}); }
    outerForLoop2 outer(occa::iteration i0, occa::iteration i1) { return with({i0, i1}); }
    outerForLoop3 outer(occa::iteration i0, occa::iteration i1, occa::iteration i2) { return with({i0, i1, i2}); }
    // In tiles: the function gets an element's index, and the items of a tile run together.
    outerForLoop1 tile(occa::tileIteration i0) { return outer(i0); }
    outerForLoop2 tile(occa::tileIteration i0, occa::tileIteration i1) { return outer(i0, i1); }
    outerForLoop3 tile(occa::tileIteration i0, occa::tileIteration i1, occa::tileIteration i2) { return outer(i0, i1, i2); }

  private:
    typelessForLoop with(const std::vector<occa::iteration> &all) const {
        typelessForLoop loop(device);
        loop.outerIterations = all;
        return loop;
    }
};

} // namespace occa

#endif
