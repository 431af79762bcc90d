// Pools: one buffer, and parts of it that move when it grows.
#include "modes.hpp"

#include <algorithm>
#include <limits>

namespace occa {

udim_t modeMemoryPool_t::size() const { return buffer == nullptr ? 0 : buffer->size; }

void modeMemoryPool_t::add(modeMemory_t *memory) {
    const std::lock_guard<std::recursive_mutex> guard(mutex);
    parts.insert(memory);
}

void modeMemoryPool_t::remove(modeMemory_t *memory) {
    const std::lock_guard<std::recursive_mutex> guard(mutex);
    parts.erase(memory);
}

udim_t modeMemoryPool_t::count() {
    const std::lock_guard<std::recursive_mutex> guard(mutex);
    return parts.size();
}

std::vector<std::pair<udim_t, udim_t>> modeMemoryPool_t::blocks() const {
    std::vector<std::pair<udim_t, udim_t>> all, apart;
    for (const modeMemory_t *part : parts) {
        all.emplace_back(part->offset / alignment * alignment, up(part->offset + part->size));
    }
    std::sort(all.begin(), all.end());
    for (const auto &block : all) {
        // Slices of one part are in one block with it.
        if (!apart.empty() && block.first < apart.back().second) {
            apart.back().second = std::max(apart.back().second, block.second);
        } else {
            apart.push_back(block);
        }
    }
    return apart;
}

udim_t modeMemoryPool_t::in_use() const {
    udim_t bytes = 0;
    for (const auto &block : blocks()) bytes += block.second - block.first;
    return bytes;
}

udim_t modeMemoryPool_t::reserved() {
    const std::lock_guard<std::recursive_mutex> guard(mutex);
    return in_use();
}

void modeMemoryPool_t::align(udim_t bytes) {
    const std::lock_guard<std::recursive_mutex> guard(mutex);
    OCCA_ERROR("occa::memoryPool::setAlignment: an alignment of 0", bytes != 0);
    if (bytes == alignment) return;
    udim_t used = 0;
    for (const auto &block : blocks()) used += up(block.second - block.first, bytes);
    if (size() > 0) move_to(std::max(used, up(size(), bytes)), bytes);
    alignment = bytes;
}

// Into a buffer of so many bytes, side by side in their order, each at a multiple.
void modeMemoryPool_t::move_to(udim_t bytes, udim_t aligned) {
    const char *const function = "occa::memoryPool::resize";
    // No kernel that works in the old place may go on writing it.
    brook_check(brook_device_finish(device->handle), function);
    std::shared_ptr<Buffer> next;
    if (bytes > 0) {
        // The old buffer is still there, and still counted; it is not what the device has at most after this.
        brook_memory *made = brook_made(brook_memory_create(device->handle, BROOK_UCHAR, 1, bytes, nullptr), function);
        next = std::make_shared<Buffer>(device, made, bytes, true);
    }
    udim_t to = 0;
    const auto old = blocks();
    std::vector<udim_t> starts;
    for (const auto &block : old) {
        starts.push_back(to);
        const udim_t end = std::min(block.second, size());
        brook_check(brook_memory_copy(next->memory.get(), to, buffer->memory.get(), block.first, end - block.first),
                    function);
        to += up(block.second - block.first, aligned);
    }
    brook_check(brook_device_finish(device->handle), function);
    for (modeMemory_t *part : parts) {
        std::size_t in = 0;
        while (old[in].second <= part->offset && in + 1 < old.size()) ++in;
        part->moved();
        part->buffer = next;
        part->offset = part->offset - old[in].first + starts[in];
    }
    buffer = next;
}

void modeMemoryPool_t::resize(udim_t bytes) {
    const std::lock_guard<std::recursive_mutex> guard(mutex);
    const udim_t used = in_use();
    OCCA_ERROR("occa::memoryPool::resize: " << used << " bytes are in use, more than " << bytes, used <= bytes);
    if (up(bytes) != size()) move_to(up(bytes), alignment);
}

std::shared_ptr<modeMemory_t> modeMemoryPool_t::reserve(udim_t bytes, const dtype_t &dtype) {
    const std::lock_guard<std::recursive_mutex> guard(mutex);
    // The first place that is large enough.
    udim_t first = 0;
    for (const auto &block : blocks()) {
        if (block.first >= first + up(bytes)) break;
        first = block.second;
    }
    if (first + bytes > size()) {
        // What is free lies apart, or is not enough: behind all that is in use, once that lies side by side.
        const udim_t used = in_use();
        move_to(std::max(used + up(bytes), size()), alignment);
        first = used;
    }
    auto part = std::make_shared<modeMemory_t>(device, buffer, shared_from_this(), first, bytes);
    part->set_dtype(dtype);
    return part;
}

void modeMemoryPool_t::free_all() {
    freed = true;
    std::set<modeMemory_t *> all;
    {
        const std::lock_guard<std::recursive_mutex> guard(mutex);
        all.swap(parts);
        buffer = nullptr;
    }
    for (modeMemory_t *part : all) part->release();
    kept = nullptr;
}

bool memoryPool::isInitialized() const { return self != nullptr && self->alive(); }

memoryPool &memoryPool::swap(memoryPool &other) {
    self.swap(other.self);
    return *this;
}

namespace {

modeMemoryPool_t &there(const memoryPool &pool, const char *what) {
    OCCA_ERROR("occa::memoryPool::" << what << ": there is no pool", pool.isInitialized());
    return *pool.getModeMemoryPool();
}

} // namespace

modeDevice_t *memoryPool::getModeDevice() const { return there(*this, "getModeDevice").device.get(); }

occa::device memoryPool::getDevice() const { return occa::device(there(*this, "getDevice").device); }

const std::string &memoryPool::mode() const {
    static const std::string none = "No Mode";
    return isInitialized() ? self->device->mode : none;
}

const occa::json &memoryPool::properties() const { return there(*this, "properties").properties; }

udim_t memoryPool::size() const { return isInitialized() ? self->size() : 0; }

udim_t memoryPool::reserved() const { return isInitialized() ? self->reserved() : 0; }

udim_t memoryPool::numReservations() const { return isInitialized() ? self->count() : 0; }

udim_t memoryPool::alignment() const { return isInitialized() ? self->alignment : 0; }

void memoryPool::setAlignment(udim_t alignment) { there(*this, "setAlignment").align(alignment); }

void memoryPool::resize(udim_t bytes) { there(*this, "resize").resize(bytes); }

void memoryPool::shrinkToFit() { resize(reserved()); }

occa::memory memoryPool::reserve(dim_t entries, const dtype_t &dtype) {
    modeMemoryPool_t &pool = there(*this, "reserve");
    OCCA_ERROR("occa::memoryPool::reserve: " << entries << " elements of " << dtype.bytes() << " bytes",
               entries >= 0 && dtype.bytes() > 0 && entries <= std::numeric_limits<dim_t>::max() / dtype.bytes());
    if (entries == 0) return memory();
    return memory(pool.reserve(static_cast<udim_t>(entries) * static_cast<udim_t>(dtype.bytes()), dtype));
}

void memoryPool::free() {
    if (self == nullptr) return;
    const std::shared_ptr<modeMemoryPool_t> last = std::move(self);
    self = nullptr;
    last->free_all();
}

void memoryPool::dontUseRefs() {
    if (isInitialized()) self->keep();
}

} // namespace occa
