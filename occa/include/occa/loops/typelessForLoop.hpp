// Loops, and the kernels that they become.
#ifndef OCCA_LOOPS_TYPELESSFORLOOP_HPP
#define OCCA_LOOPS_TYPELESSFORLOOP_HPP

#include <occa/loops/iteration.hpp>

#include <string>
#include <vector>

namespace occa {

class typelessForLoop {
  public:
    occa::device device;
    std::vector<occa::iteration> outerIterations, innerIterations;

    typelessForLoop(occa::device device_) : device(device_) {}

  protected:
    // With a function of an index for the outer loops, and one for the inner if there are any.
    void typelessRun(const occa::scope &scope, const baseFunction &fn) const;

  private:
    // The text of an iteration's number, of which that is the place; and what it needs of the scope.
    static std::string number(const iteration &it, const std::string &name, const std::string &place);
    static void add_number(const iteration &it, const std::string &name, occa::scope &scope);
    // The kernel.
    std::string text(const baseFunction &fn, const occa::scope &scope) const;
};

} // namespace occa

#endif
