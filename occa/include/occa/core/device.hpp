// Devices.
#ifndef OCCA_CORE_DEVICE_HPP
#define OCCA_CORE_DEVICE_HPP

#include <occa/core/kernel.hpp>
#include <occa/core/memory.hpp>
#include <occa/core/memoryPool.hpp>
#include <occa/core/stream.hpp>
#include <occa/core/streamTag.hpp>

#include <memory>
#include <ostream>
#include <string>

namespace occa {

class modeDevice_t;

// Set up by JSON: {"mode": "CUDA", "device_id": 0}; for OpenCL also "platform_id". Modes are Serial, OpenMP, CUDA, HIP and
// OpenCL. Under "kernel", "memory" and "stream" are the defaults of what it makes.
class device {
  public:
    // None.
    device() = default;
    device(const std::string &props) { setup(props); }
    device(const occa::json &props) { setup(props); }
    device(jsonInitializerList props) { setup(occa::json(props)); }
    explicit device(std::shared_ptr<modeDevice_t> self_) : self(std::move(self_)) {}

    bool isInitialized() const;
    void setup(const std::string &props);
    void setup(const occa::json &props);
    // With all memory, kernels, streams of it; all copies are none afterwards.
    void free();
    void dontUseRefs();
    modeDevice_t *getModeDevice() const { return self.get(); }

    bool operator==(const occa::device &other) const { return self == other.self; }
    bool operator!=(const occa::device &other) const { return self != other.self; }

    // "No Mode" for none.
    const std::string &mode() const;
    const occa::json &properties() const;
    const occa::json &kernelProperties() const;
    occa::json kernelProperties(const occa::json &additional) const;
    const occa::json &memoryProperties() const;
    occa::json memoryProperties(const occa::json &additional) const;
    const occa::json &streamProperties() const;
    occa::json streamProperties(const occa::json &additional) const;
    // "CPU", sm_90, or an OpenCL device's name.
    const std::string &arch() const;
    hash_t hash() const;

    // Bytes it has, that are allocated, and that were at most.
    udim_t memorySize() const;
    udim_t memoryAllocated() const;
    udim_t maxMemoryAllocated() const;
    bool hasSeparateMemorySpace() const;
    // Where the device's handle is (CUcontext, cl_context); throws for the processor.
    void *unwrap();

    // Waits for the current stream, and for all of them.
    void finish();
    void finishAll();
    stream createStream(const occa::json &props = occa::json());
    // On the processor, which has no other streams, one of its own; throws for all else.
    stream wrapStream(void *ptr, const occa::json &props = occa::json());
    stream getStream();
    void setStream(stream s);
    streamTag tagStream();
    void waitFor(streamTag tag);
    // Seconds.
    double timeBetween(const streamTag &startTag, const streamTag &endTag);

    // Properties are "defines" (an object), "includes" (files before the source), "headers" (text before it),
    // "compiler_flags", "include_paths" and "okl/include_paths", "type_validation", "silent", and "okl/enabled": false for
    // C++ and C as they are, on the processor.
    occa::kernel buildKernel(const std::string &filename, const std::string &kernelName,
                             const occa::json &props = occa::json()) const;
    occa::kernel buildKernelFromString(const std::string &content, const std::string &kernelName,
                                       const occa::json &props = occa::json()) const;
    // Of a file that `brook compile` or kernel::binaryFilename has written; with "okl/enabled": false, of a shared library.
    occa::kernel buildKernelFromBinary(const std::string &filename, const std::string &kernelName,
                                       const occa::json &props = occa::json()) const;

    // The properties that a kernel would be built with, and a hash of all that it would be made of.
    void setupKernelInfo(const occa::json &props, const hash_t &sourceHash, occa::json &kernelProps,
                         hash_t &kernelHash) const;

    // So many elements; bytes without a type. Zeros if there is no source.
    template <class T = void>
    occa::memory malloc(dim_t entries, const void *src = nullptr, const occa::json &props = occa::json()) {
        return malloc(entries, element<T>(), src, props);
    }
    template <class T = void>
    occa::memory malloc(dim_t entries, const occa::memory src, const occa::json &props = occa::json()) {
        return malloc(entries, element<T>(), src, props);
    }
    template <class T = void> occa::memory malloc(dim_t entries, const occa::json &props) {
        return malloc(entries, element<T>(), props);
    }
    occa::memory malloc(dim_t entries, const dtype_t &dtype, const void *src = nullptr,
                        const occa::json &props = occa::json());
    occa::memory malloc(dim_t entries, const dtype_t &dtype, const occa::memory src,
                        const occa::json &props = occa::json());
    occa::memory malloc(dim_t entries, const dtype_t &dtype, const occa::json &props) {
        return malloc(entries, dtype, static_cast<const void *>(nullptr), props);
    }

    // Somebody else's memory: of the host for Serial and OpenMP, an address of CUDA or HIP, a cl_mem.
    template <class T = void>
    occa::memory wrapMemory(const T *ptr, dim_t entries, const occa::json &props = occa::json()) {
        return wrapMemory(static_cast<const void *>(ptr), entries, element<T>(), props);
    }
    occa::memory wrapMemory(const void *ptr, dim_t entries, const dtype_t &dtype,
                            const occa::json &props = occa::json());

    memoryPool createMemoryPool(const occa::json &props = occa::json());

    // What T is in malloc<T>: nothing is a byte.
    template <class T> static dtype_t element() {
        return std::is_void<T>::value ? dtype::byte : dtype::get<typename std::remove_cv<T>::type>();
    }

  private:
    occa::kernel build(const std::string &content, const std::string &path, const std::string &name,
                       const occa::json &props) const;

    std::shared_ptr<modeDevice_t> self;
};

template <> hash_t hash(const occa::device &device);
std::ostream &operator<<(std::ostream &out, const occa::device &device);

} // namespace occa

#endif
