// One piece of device memory that others are parts of. It grows as it has to, and then its parts move.
#ifndef OCCA_CORE_MEMORYPOOL_HPP
#define OCCA_CORE_MEMORYPOOL_HPP

#include <occa/core/memory.hpp>

#include <memory>

namespace occa {

class modeMemoryPool_t;

class memoryPool {
  public:
    // None.
    memoryPool() = default;
    explicit memoryPool(std::shared_ptr<modeMemoryPool_t> self_) : self(std::move(self_)) {}

    bool isInitialized() const;
    memoryPool &swap(memoryPool &other);
    modeMemoryPool_t *getModeMemoryPool() const { return self.get(); }
    modeDevice_t *getModeDevice() const;
    occa::device getDevice() const;
    const std::string &mode() const;
    const occa::json &properties() const;

    // Bytes that it has, and those of them that are in use.
    udim_t size() const;
    udim_t reserved() const;
    // How many memory objects are parts of it.
    udim_t numReservations() const;
    // Parts begin at multiples of so many bytes: 128 at first.
    udim_t alignment() const;
    // Parts move to such places.
    void setAlignment(udim_t alignment);

    bool operator==(const occa::memoryPool &other) const { return self == other.self; }
    bool operator!=(const occa::memoryPool &other) const { return self != other.self; }

    // To so many bytes, which are not fewer than are in use. Parts move, and what ptr() said of them is no longer so.
    void resize(udim_t bytes);
    void shrinkToFit();

    occa::memory reserve(dim_t entries, const dtype_t &dtype);
    template <class T = void> occa::memory reserve(dim_t entries) { return reserve(entries, dtype::get<T>()); }

    // Its parts are none afterwards.
    void free();
    void dontUseRefs();

  private:
    std::shared_ptr<modeMemoryPool_t> self;
};

template <> inline occa::memory memoryPool::reserve<void>(dim_t entries) { return reserve(entries, dtype::byte); }

} // namespace occa

#endif
