// Loops with inner loops.
#ifndef OCCA_LOOPS_INNERFORLOOP_HPP
#define OCCA_LOOPS_INNERFORLOOP_HPP

#include <occa/loops/typelessForLoop.hpp>

namespace occa {

template <int outerN, class outerIntN, int innerN, class innerIntN> class innerForLoop : public typelessForLoop {
  public:
    innerForLoop(const typelessForLoop &other) : typelessForLoop(other) {}

    void run(occa::function<void(outerIntN, innerIntN)> fn) { typelessRun(occa::scope(), fn); }
    void run(occa::scope scope, occa::function<void(outerIntN, innerIntN)> fn) { typelessRun(scope, fn); }
};

} // namespace occa

#endif
