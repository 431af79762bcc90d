// Device memory, or a part of it. Counts and offsets are of elements; with OCCA 1's interface, those of copies are of bytes.
#ifndef OCCA_CORE_MEMORY_HPP
#define OCCA_CORE_MEMORY_HPP

#include <occa/core/kernelArg.hpp>
#include <occa/dtype.hpp>
#include <occa/types/json.hpp>

#include <memory>
#include <ostream>
#include <string>

namespace occa {

class device;
class modeDevice_t;
class modeMemory_t;

// Copies are the same memory, which is freed with the last of them and of its slices.
class memory {
  public:
    // None; kernels get a null pointer for it.
    memory() = default;
    explicit memory(std::shared_ptr<modeMemory_t> self_) : self(std::move(self_)) {}

    bool isInitialized() const;
    memory &swap(memory &other);

    // Where it is: an address of the host or of CUDA or HIP, a cl_mem. Null for none.
    template <class T = void> T *ptr() { return static_cast<T *>(address()); }
    template <class T = void> const T *ptr() const { return static_cast<const T *>(address()); }
    // Where that is.
    void *unwrap();

    modeMemory_t *getModeMemory() const { return isInitialized() ? self.get() : nullptr; }
    modeDevice_t *getModeDevice() const;
    occa::device getDevice() const;
    operator kernelArg() const { return kernelArg(getModeMemory()); }
    // "No Mode" for none.
    const std::string &mode() const;
    const occa::json &properties() const;

    // Bytes have none.
    void setDtype(const dtype_t &dtype);
    const dtype_t &dtype() const;

    // Elements; with OCCA 1's interface, bytes. 0 for none.
    udim_t size() const;
    udim_t byte_size() const;
    // Elements.
    udim_t length() const;

    bool operator==(const occa::memory &other) const { return self == other.self; }
    bool operator!=(const occa::memory &other) const { return self != other.self; }

    // From an element on, -1 for all that follow. It is the same memory.
    occa::memory operator+(dim_t offset) const { return slice(offset); }
    occa::memory &operator+=(dim_t offset) { return *this = slice(offset); }
    occa::memory slice(dim_t offset, dim_t count = -1) const;

    // Copies: so many elements of this memory's type (bytes with OCCA 1's interface), all for -1. With {"async": true} they are enqueued in the device's
    // stream, and the host's memory is left alone until that has finished.
    void copyFrom(const void *src, dim_t count = -1, dim_t offset = 0, const occa::json &props = occa::json());
    void copyFrom(const void *src, const occa::json &props) { copyFrom(src, -1, 0, props); }
    void copyFrom(const memory src, dim_t count = -1, dim_t destOffset = 0, dim_t srcOffset = 0,
                  const occa::json &props = occa::json());
    void copyFrom(const memory src, const occa::json &props) { copyFrom(src, -1, 0, 0, props); }
    void copyTo(void *dest, dim_t count = -1, dim_t offset = 0, const occa::json &props = occa::json()) const;
    void copyTo(void *dest, const occa::json &props) const { copyTo(dest, -1, 0, props); }
    void copyTo(const memory dest, dim_t count = -1, dim_t destOffset = 0, dim_t srcOffset = 0,
                const occa::json &props = occa::json()) const;
    void copyTo(const memory dest, const occa::json &props) const { copyTo(dest, -1, 0, 0, props); }

    // The same memory with elements of another type.
    occa::memory cast(const dtype_t &dtype) const;
    // Memory of its own with the same elements.
    occa::memory clone() const;

    // All copies are none afterwards; slices are not.
    void free();
    // The same, but the memory itself stays where it is, for whoever has its address.
    void detach();
    void dontUseRefs();

  private:
    void *address() const;
    void *native_address() const;

    std::shared_ptr<modeMemory_t> self;
};

// None.
extern memory null;

std::ostream &operator<<(std::ostream &out, const occa::memory &memory);

} // namespace occa

#endif
