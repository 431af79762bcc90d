// Kernels.
#ifndef OCCA_CORE_KERNEL_HPP
#define OCCA_CORE_KERNEL_HPP

#include <occa/core/kernelArg.hpp>
#include <occa/types/dim.hpp>
#include <occa/types/json.hpp>
#include <occa/utils/hash.hpp>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

namespace occa {

class device;
class modeKernel_t;

class kernel {
  public:
    // None.
    kernel() = default;
    explicit kernel(std::shared_ptr<modeKernel_t> self_) : self(std::move(self_)) {}

    bool isInitialized() const;
    modeKernel_t *getModeKernel() const { return self.get(); }
    occa::device getDevice() const;
    // "No Mode" for none.
    const std::string &mode() const;
    // What it was built with.
    const occa::json &properties() const;

    bool operator==(const occa::kernel &other) const { return self == other.self; }
    bool operator!=(const occa::kernel &other) const { return self != other.self; }

    // Empty for none.
    const std::string &name() const;
    const std::string &sourceFilename() const;
    // What buildKernelFromBinary takes on the same device; it is written when it is first asked for. Throws if the kernel is
    // no OKL.
    const std::string &binaryFilename();
    // In how many dimensions it may run, and how far in each of them: work-groups, and work-items of one. It is what the
    // device can; -1 of all bits is any.
    int maxDims() const;
    dim maxOuterDims() const;
    dim maxInnerDims() const;
    // Of its source and properties.
    hash_t hash() const;

    // Kernels of OKL say themselves how many they run as; they only look whether there are none.
    void setRunDims(dim outerDims, dim innerDims);

    // Arguments of run(), one after the other; what they are is copied.
    void pushArg(const kernelArg &arg);
    void clearArgs();
    void run() const;
    // In the device's stream; returns before it has ended. Number and types of the arguments are checked.
    void run(std::initializer_list<kernelArg> args) const { launch(args.begin(), args.size()); }
    void operator()() const { launch(nullptr, 0); }
    // An argument may be anything that converts.
    template <class... A> void operator()(const kernelArg &first, A &&...others) const {
        run(std::initializer_list<kernelArg>{first, std::forward<A>(others)...});
    }

    void free();
    void dontUseRefs();

  private:
    void launch(const kernelArg *args, std::size_t count) const;

    std::shared_ptr<modeKernel_t> self;
};

// What the properties defines, includes and headers put before a kernel's source, and its hash.
std::string assembleKernelHeader(const json &props);
hash_t kernelHeaderHash(const json &props);

} // namespace occa

#endif
