// Loops without inner loops, which the function may have itself, and which tiles have.
#ifndef OCCA_LOOPS_OUTERFORLOOP_HPP
#define OCCA_LOOPS_OUTERFORLOOP_HPP

#include <occa/loops/innerForLoop.hpp>
#include <occa/loops/typelessForLoop.hpp>
#include <occa/types.hpp>

namespace occa {

template <int outerN, class outerIntN> class outerForLoop : public typelessForLoop {
  public:
    typedef innerForLoop<outerN, outerIntN, 1, int> innerForLoop1;
    typedef innerForLoop<outerN, outerIntN, 2, int2> innerForLoop2;
    typedef innerForLoop<outerN, outerIntN, 3, int3> innerForLoop3;

    outerForLoop(occa::device device_) : typelessForLoop(device_) {}
    outerForLoop(const typelessForLoop &other) : typelessForLoop(other) {}

    innerForLoop1 inner(occa::iteration i0) { return with({i0}); }
    innerForLoop2 inner(occa::iteration i0, occa::iteration i1) { return with({i0, i1}); }
    innerForLoop3 inner(occa::iteration i0, occa::iteration i1, occa::iteration i2) { return with({i0, i1, i2}); }

    void run(occa::function<void(outerIntN)> fn) { typelessRun(occa::scope(), fn); }
    void run(occa::scope scope, occa::function<void(outerIntN)> fn) { typelessRun(scope, fn); }

  private:
    typelessForLoop with(const std::vector<occa::iteration> &all) const {
        typelessForLoop both(*this);
        both.innerIterations = all;
        return both;
    }
};

typedef outerForLoop<1, int> outerForLoop1;
typedef outerForLoop<2, int2> outerForLoop2;
typedef outerForLoop<3, int3> outerForLoop3;

} // namespace occa

#endif
