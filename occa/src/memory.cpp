// Memory, and copies of it.
#include "modes.hpp"

#include <occa/utils/exception.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace occa {

namespace {

const std::string no_mode = "No Mode";

std::size_t size_of(int type) {
    static const std::size_t sizes[modeMemory_t::types] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return sizes[type];
}

// The type of brook's that a builtin is; -1 for what is none.
int scalar(const dtype_t &type) {
    static const std::pair<dtype_t, int> all[] = {
        {dtype::bool_, BROOK_BOOL},   {dtype::char_, BROOK_CHAR},     {dtype::uint8, BROOK_UCHAR},
        {dtype::short_, BROOK_SHORT}, {dtype::uint16, BROOK_USHORT},  {dtype::int_, BROOK_INT},
        {dtype::uint32, BROOK_UINT},  {dtype::long_, BROOK_LONG},     {dtype::uint64, BROOK_ULONG},
        {dtype::float_, BROOK_FLOAT}, {dtype::double_, BROOK_DOUBLE},
    };
    for (const auto &one : all) {
        if (one.first == type) return one.second;
    }
    return -1;
}

// What copies and sizes are counted in: elements, as in OCCA 2, or bytes, as in OCCA 1.
const bool counts_bytes = OCCA_MAJOR_VERSION < 2;

dim_t unit(const dtype_t &type) { return counts_bytes ? 1 : type.bytes(); }

bool is_async(const json &props) { return props.isObject() && props.get("async", false); }

// The bytes of so many elements. More than there can be are as many as there can be: too many for all memory.
dim_t bytes_of(dim_t count, dim_t element) {
    dim_t bytes = 0;
    if (__builtin_mul_overflow(count, element, &bytes)) return count < 0 ? INT64_MIN : INT64_MAX;
    return bytes;
}

// The bytes of `count` elements, or of all where it is -1.
dim_t bytes_of(dim_t count, dim_t element, udim_t size) {
    const udim_t one = static_cast<udim_t>(std::max<dim_t>(element, 1));
    return count == -1 ? static_cast<dim_t>(size / one * one) : bytes_of(count, element);
}

// Bytes of elements from one on; throws if they are not all in memory of so many bytes.
struct Range {
    udim_t first, bytes;

    Range(const char *what, dim_t offset, dim_t bytes_, dim_t element, udim_t size)
        : first(static_cast<udim_t>(bytes_of(offset, element))), bytes(static_cast<udim_t>(bytes_)) {
        OCCA_ERROR("occa::memory::" << what << ": a count of " << bytes_ / std::max<dim_t>(element, 1), bytes_ >= 0);
        OCCA_ERROR("occa::memory::" << what << ": an offset of " << offset, offset >= 0);
        OCCA_ERROR("occa::memory::" << what << ": bytes " << first << " to " << first + bytes << " are not all in memory of "
                                    << size << " bytes",
                   first <= size && bytes <= size - first);
    }
};

} // namespace

void brook_failed(const char *function) {
    throw exception("Error", "brook", function, brook_last_error_code(), brook_last_error());
}

Buffer::Buffer(std::shared_ptr<modeDevice_t> device_, brook_memory *owned, udim_t size_, bool counted_)
    : device(std::move(device_)), memory(owned), size(size_), counted(counted_) {
    if (counted) device->grow(size);
}

Buffer::~Buffer() {
    if (counted) device->allocated -= size;
}

modeMemory_t::modeMemory_t(std::shared_ptr<modeDevice_t> device_, std::shared_ptr<Buffer> buffer_,
                           std::shared_ptr<modeMemoryPool_t> pool_, udim_t offset_, udim_t size_)
    : device(std::move(device_)), buffer(std::move(buffer_)), pool(std::move(pool_)), offset(offset_), size(size_) {
    for (auto &view : views) view = nullptr;
    device->add(this);
    if (pool != nullptr) pool->add(this);
}

modeMemory_t::~modeMemory_t() {
    device->remove(this);
    release();
}

void modeMemory_t::release() {
    freed = true;
    if (pool != nullptr) pool->remove(this);
    pool = nullptr;
    moved();
    buffer = nullptr;
}

void modeMemory_t::moved() {
    for (auto &view : views) {
        if (brook_memory *old = view.exchange(nullptr)) brook_memory_release(old);
    }
}

void modeMemory_t::set_dtype(const dtype_t &other) {
    dtype = other;
    numbers = BROOK_UCHAR;
    if (other == dtype::byte) return;
    const std::vector<dtype_t> all = other.flattened();
    const int first = all.empty() ? -1 : scalar(all[0]);
    const bool alike = std::all_of(all.begin(), all.end(), [&](const dtype_t &one) { return one == all[0]; });
    if (first >= 0 && alike) numbers = first;
}

brook_memory *modeMemory_t::as(int type) {
    brook_memory *made = views[type].load(std::memory_order_acquire);
    if (made != nullptr) return made;
    const char *const function = "occa::memory";
    OCCA_ERROR("occa::kernel: kernels do not reach memory with the property [host] on this device; they take copies of it",
               buffer->memory.get() != nullptr);
    const udim_t whole = size / size_of(type) * size_of(type);
    BrookMemory part(brook_made(brook_memory_part(buffer->memory.get(), offset, whole), function));
    made = brook_made(brook_memory_cast(part.get(), type, 1), function);
    brook_memory *before = nullptr;
    if (views[type].compare_exchange_strong(before, made)) return made;
    brook_memory_release(made);
    return before;
}

std::shared_ptr<modeMemory_t> modeMemory_t::slice(udim_t from, udim_t bytes) {
    auto part = std::make_shared<modeMemory_t>(device, buffer, pool, offset + from, bytes);
    part->properties = properties;
    part->dtype = dtype;
    part->numbers = numbers;
    return part;
}

memory null;

bool memory::isInitialized() const { return self != nullptr && self->alive(); }

memory &memory::swap(memory &other) {
    self.swap(other.self);
    return *this;
}

void *memory::address() const {
    if (!isInitialized()) return nullptr;
    if (self->buffer->host != nullptr) return self->buffer->host + self->offset;
    return native_address();
}

void *memory::native_address() const {
    std::size_t offset = 0;
    void *first = brook_memory_native(self->as(BROOK_UCHAR), &offset);
    OCCA_ERROR("occa::memory::ptr: the driver of mode " << mode() << " does not say where memory is", first != nullptr);
    OCCA_ERROR("occa::memory::ptr: a slice of a cl_mem has no handle of its own", offset == 0);
    return first;
}

void *memory::unwrap() {
    OCCA_ERROR("occa::memory::unwrap: there is no memory", isInitialized());
    // What the device calls it, where that is another place.
    self->native = self->buffer->memory.get() != nullptr ? native_address() : address();
    return &self->native;
}

modeDevice_t *memory::getModeDevice() const { return isInitialized() ? self->device.get() : nullptr; }

occa::device memory::getDevice() const { return isInitialized() ? occa::device(self->device) : occa::device(); }

const std::string &memory::mode() const { return isInitialized() ? self->device->mode : no_mode; }

const occa::json &memory::properties() const {
    OCCA_ERROR("occa::memory::properties: there is no memory", isInitialized());
    return self->properties;
}

void memory::setDtype(const dtype_t &dtype) {
    OCCA_ERROR("occa::memory::setDtype: there is no memory", isInitialized());
    OCCA_ERROR("occa::memory::setDtype: elements of " << dtype.bytes() << " bytes", dtype.bytes() > 0);
    self->set_dtype(dtype);
}

const dtype_t &memory::dtype() const { return isInitialized() ? self->dtype : dtype::none; }

udim_t memory::size() const { return counts_bytes ? byte_size() : length(); }

udim_t memory::byte_size() const { return isInitialized() ? self->size : 0; }

udim_t memory::length() const {
    return isInitialized() ? self->size / static_cast<udim_t>(std::max(self->dtype.bytes(), 1)) : 0;
}

occa::memory memory::slice(dim_t offset, dim_t count) const {
    if (!isInitialized()) return memory();
    const dim_t element = self->dtype.bytes();
    const dim_t first = bytes_of(offset, element), all = bytes_of(-1, element, self->size);
    // What is itself a slice may go back to where its memory begins, but no part of a pool to what others have.
    if (first < 0 && self->pool == nullptr && -static_cast<dim_t>(self->offset) <= first) {
        const dim_t bytes = count == -1 ? all - first : bytes_of(count, element);
        const Range range("slice", 0, bytes, element, self->size + static_cast<udim_t>(-first));
        return memory(self->slice(static_cast<udim_t>(first), range.bytes));
    }
    const dim_t bytes = count == -1 ? all - std::max<dim_t>(first, 0) : bytes_of(count, element);
    const Range range("slice", offset, bytes, element, self->size);
    return memory(self->slice(range.first, range.bytes));
}

void memory::copyFrom(const void *src, dim_t count, dim_t offset, const occa::json &props) {
    if (!isInitialized()) return;
    const dim_t element = unit(self->dtype);
    const dim_t bytes = bytes_of(count, element, self->size);
    const Range range("copyFrom", offset, bytes, element, self->size);
    if (range.bytes == 0) return;
    const char *const function = "occa::memory::copyFrom";
    const std::shared_ptr<modeStream_t> stream = self->device->current();
    if (self->buffer->host != nullptr) {
        // What the stream still copies from or to it comes first.
        brook_check(brook_queue_wait(stream->queue.get()), function);
        std::memmove(self->buffer->host + self->offset + range.first, src, range.bytes);
        return;
    }
    brook_memory *to = self->as(BROOK_UCHAR);
    if (stream->is_default && !is_async(props)) {
        return brook_check(brook_memory_write(to, range.first, range.bytes, src), function);
    }
    brook_check(brook_queue_write(stream->queue.get(), to, range.first, range.bytes, src), function);
    if (!is_async(props)) brook_check(brook_queue_wait(stream->queue.get()), function);
}

void memory::copyTo(void *dest, dim_t count, dim_t offset, const occa::json &props) const {
    if (!isInitialized()) return;
    const dim_t element = unit(self->dtype);
    const dim_t bytes = bytes_of(count, element, self->size);
    const Range range("copyTo", offset, bytes, element, self->size);
    if (range.bytes == 0) return;
    const char *const function = "occa::memory::copyTo";
    const std::shared_ptr<modeStream_t> stream = self->device->current();
    if (self->buffer->host != nullptr) {
        brook_check(brook_queue_wait(stream->queue.get()), function);
        std::memmove(dest, self->buffer->host + self->offset + range.first, range.bytes);
        return;
    }
    brook_memory *from = self->as(BROOK_UCHAR);
    if (stream->is_default && !is_async(props)) {
        return brook_check(brook_memory_read(from, range.first, range.bytes, dest), function);
    }
    brook_check(brook_queue_read(stream->queue.get(), from, range.first, range.bytes, dest), function);
    if (!is_async(props)) brook_check(brook_queue_wait(stream->queue.get()), function);
}

namespace {

// Bytes between memory of any two devices.
void copy(modeMemory_t &to, udim_t to_first, modeMemory_t &from, udim_t from_first, udim_t bytes, bool async) {
    if (bytes == 0) return;
    const char *const function = "occa::memory::copyFrom";
    char *const to_host = to.buffer->host, *const from_host = from.buffer->host;
    if (to_host != nullptr || from_host != nullptr) {
        // That of the side which is on a device.
        const std::shared_ptr<modeStream_t> stream = (to_host == nullptr ? to : from).device->current();
        brook_queue *const queue = stream->queue.get();
        char *const target = to_host == nullptr ? nullptr : to_host + to.offset + to_first;
        const char *const source = from_host == nullptr ? nullptr : from_host + from.offset + from_first;
        if (target != nullptr && source != nullptr) {
            brook_check(brook_queue_wait(queue), function);
            std::memmove(target, source, bytes);
            return;
        }
        brook_check(target != nullptr ? brook_queue_read(queue, from.as(BROOK_UCHAR), from_first, bytes, target)
                                      : brook_queue_write(queue, to.as(BROOK_UCHAR), to_first, bytes, source),
                    function);
        if (!async) brook_check(brook_queue_wait(queue), function);
        return;
    }
    brook_memory *target = to.as(BROOK_UCHAR), *source = from.as(BROOK_UCHAR);
    const std::shared_ptr<modeStream_t> stream = to.device->current();
    // A queue copies on its own device only, and nothing that overlaps.
    const bool in_queue = to.device == from.device && to.buffer != from.buffer && (async || !stream->is_default);
    if (!in_queue) {
        if (!stream->is_default) brook_check(brook_queue_wait(stream->queue.get()), function);
        brook_check(brook_memory_copy(target, to_first, source, from_first, bytes), function);
        // Other streams know nothing of this copy.
        if (!stream->is_default) brook_check(brook_device_finish(to.device->handle), function);
        return;
    }
    brook_check(brook_queue_copy(stream->queue.get(), target, to_first, source, from_first, bytes), function);
    if (!async) brook_check(brook_queue_wait(stream->queue.get()), function);
}

} // namespace

void memory::copyFrom(const memory src, dim_t count, dim_t destOffset, dim_t srcOffset, const occa::json &props) {
    if (!isInitialized() && !src.isInitialized()) return;
    OCCA_ERROR("occa::memory::copyFrom: there is no memory", isInitialized() && src.isInitialized());
    const dim_t element = unit(self->dtype);
    const dim_t bytes = bytes_of(count, element, self->size);
    const Range to("copyFrom", destOffset, bytes, element, self->size);
    const Range from("copyFrom", srcOffset, bytes, unit(src.self->dtype), src.self->size);
    copy(*self, to.first, *src.self, from.first, to.bytes, is_async(props));
}

void memory::copyTo(const memory dest, dim_t count, dim_t destOffset, dim_t srcOffset, const occa::json &props) const {
    if (!isInitialized() && !dest.isInitialized()) return;
    OCCA_ERROR("occa::memory::copyTo: there is no memory", isInitialized() && dest.isInitialized());
    const dim_t element = unit(self->dtype);
    const dim_t bytes = bytes_of(count, element, self->size);
    const Range from("copyTo", srcOffset, bytes, element, self->size);
    const Range to("copyTo", destOffset, bytes, unit(dest.self->dtype), dest.self->size);
    copy(*dest.self, to.first, *self, from.first, to.bytes, is_async(props));
}

occa::memory memory::cast(const dtype_t &dtype) const {
    memory same = slice(0);
    if (same.isInitialized()) same.setDtype(dtype);
    return same;
}

occa::memory memory::clone() const {
    if (!isInitialized()) return memory();
    memory copied = getDevice().malloc(static_cast<dim_t>(byte_size()), dtype::byte, *this);
    if (copied.isInitialized()) copied.self->set_dtype(self->dtype);
    return copied;
}

void memory::free() {
    if (self == nullptr) return;
    const std::shared_ptr<modeMemory_t> last = std::move(self);
    self = nullptr;
    last->release();
    last->kept = nullptr;
}

void memory::detach() {
    // Nobody gives this reference back: the memory stays for whoever has its address.
    if (isInitialized() && self->buffer->memory.get() != nullptr) brook_memory_retain(self->buffer->memory.get());
    free();
}

void memory::dontUseRefs() {
    if (isInitialized()) self->keep();
}

std::ostream &operator<<(std::ostream &out, const occa::memory &memory) {
    return memory.isInitialized() ? out << memory.properties() : out;
}

kernelArg::kernelArg(modeMemory_t *value) : kernelArg() {
    if (value == nullptr) return;
    kind = memory__;
    memory_ = value;
}

} // namespace occa
