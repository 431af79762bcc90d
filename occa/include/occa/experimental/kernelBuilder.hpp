// Kernels of which the parameters are a scope's arguments.
#ifndef OCCA_EXPERIMENTAL_KERNELBUILDER_HPP
#define OCCA_EXPERIMENTAL_KERNELBUILDER_HPP

#include <occa/core/kernel.hpp>
#include <occa/functional/scope.hpp>

#include <memory>
#include <string>

namespace occa {

// Copies are the same one. Threads may use it together.
class kernelBuilder {
  public:
    // What is between a kernel's braces; parentheses around all of it are none of it.
    kernelBuilder(const std::string &source, const std::string &kernelName);

    bool isInitialized() const;
    std::string getKernelName() const;
    std::string buildKernelSource(const occa::scope &scope) const;
    // Built once for each device, types of the arguments and properties.
    occa::kernel getOrBuildKernel(const occa::scope &scope);
    void run() { run(occa::scope()); }
    void run(const occa::scope &scope);
    // All that has been built.
    void free();

  private:
    struct State;
    std::shared_ptr<State> state;
};

} // namespace occa

#endif
