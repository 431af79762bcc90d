// Devices: which one a text names, its properties, what is made on it.
#include "modes.hpp"
#include "output.hpp"

#include <occa/utils/exception.hpp>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>

namespace occa {

namespace {

const std::string no_mode = "No Mode";

struct Named {
    Mode kind;
    const char *name, *backend;
};
const Named modes[] = {
    {Mode::serial, "Serial", "openmp"}, {Mode::openmp, "OpenMP", "openmp"}, {Mode::cuda, "CUDA", "cuda"},
    {Mode::hip, "HIP", "hip"},          {Mode::opencl, "OpenCL", "opencl"},
};

// The mode of a name, however it is written; null for none.
const Named *mode_of(const std::string &name) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    for (const Named &mode : modes) {
        const std::string spelled = mode.name;
        if (spelled.size() == name.size() && std::equal(spelled.begin(), spelled.end(), name.begin(), same)) return &mode;
    }
    return nullptr;
}

// How many devices of OpenCL's there are, whatever they are: brook lists those that compute best only, and those are opened
// once, by their numbers.
int opencl_count() {
    int found = 0;
    while (brook_device_open(("opencl:" + std::to_string(found)).c_str()) != nullptr) ++found;
    // The last one's error has been seen.
    brook_last_error();
    return found;
}

// How many devices of a backend there are.
int count(const std::string &backend) {
    if (backend == "openmp") return 1;
    if (backend == "opencl") {
        static const int all = opencl_count();
        return all;
    }
    unsigned all = 0;
    const brook_device *const *list = brook_devices("all", &all);
    int found = 0;
    for (unsigned i = 0; list != nullptr && i < all; ++i) {
        const std::string name = brook_device_name(list[i]);
        if (name.compare(0, backend.size() + 1, backend + ":") == 0) ++found;
    }
    return found;
}

// The mode that a device's properties ask for; Serial, with a word about it, where it is not there.
const Named &chosen(const json &props) {
    const std::string name = props.get<std::string>("mode");
    const Named *mode = mode_of(name);
    if (mode != nullptr && count(mode->backend) > 0) return *mode;
    output::print_error((name.empty() ? "No OCCA mode given" : "[" + name + "] mode is not enabled") +
                        ", defaulting to [Serial] mode\n");
    return modes[0];
}

// What a text or properties say of one object, "kernel" say, in a mode.
json of_object(const std::string &mode, const std::string &object, const json &props) {
    json all = props[object] + props[object + "/modes/" + mode] + props["modes/" + mode + "/" + object];
    all.remove("modes");
    return all;
}

json of_mode(const std::string &mode, const json &props) {
    json all = props + props["modes/" + mode];
    all.remove("modes");
    return all;
}

// The number of a device or platform.
int number(const json &props, const char *name) {
    const json &value = props[name];
    OCCA_ERROR("occa::device: [" << name << "] is not given", value.isInitialized());
    OCCA_ERROR("occa::device: [" << name << "] is no number from 0 on", value.isNumber() && value.get<int>("") >= 0);
    return static_cast<int>(value);
}

} // namespace

void modeDevice_t::grow(udim_t bytes) {
    const udim_t now = allocated += bytes;
    for (udim_t before = most; before < now && !most.compare_exchange_weak(before, now);) {
    }
}

std::shared_ptr<modeStream_t> modeDevice_t::current() {
    const std::lock_guard<std::mutex> guard(mutex);
    return stream;
}

void modeDevice_t::set_current(std::shared_ptr<modeStream_t> next) {
    const std::lock_guard<std::mutex> guard(mutex);
    stream_now = next.get();
    stream.swap(next);
}

void modeDevice_t::use_own_stream() {
    auto own = std::make_shared<modeStream_t>();
    own->device = shared_from_this();
    own->is_default = true;
    own->properties = object_properties("stream", json());
    own->queue = Handle<brook_queue, brook_queue_release>(brook_made(brook_queue_default(handle), "occa::device::setup"));
    set_current(own);
}

json modeDevice_t::object_properties(const char *object, const json &additional) const {
    const json &defaults = static_cast<const json &>(properties)[object];
    return defaults + of_mode(mode, additional);
}

void modeDevice_t::add(modeMemory_t *memory) {
    const std::lock_guard<std::mutex> guard(mutex);
    memories.insert(memory);
}

void modeDevice_t::remove(modeMemory_t *memory) {
    const std::lock_guard<std::mutex> guard(mutex);
    memories.erase(memory);
}

void modeDevice_t::free_all() {
    freed = true;
    std::set<modeMemory_t *> all;
    {
        const std::lock_guard<std::mutex> guard(mutex);
        all.swap(memories);
    }
    for (modeMemory_t *memory : all) memory->release();
    // It holds the device.
    set_current(nullptr);
    kept = nullptr;
}

bool device::isInitialized() const { return self != nullptr && self->alive(); }

void device::setup(const std::string &props) { setup(json::parse(props)); }

void device::setup(const occa::json &props) {
    const json &defaults = settings();
    const json asked = defaults["device"] + props;
    const Named &mode = chosen(asked);
    const json all = of_mode(mode.name, defaults["device"]) + props;
    auto made = std::make_shared<modeDevice_t>();
    made->kind = mode.kind;
    made->mode = mode.name;
    made->properties = of_mode(mode.name, all);
    made->properties["mode"] = mode.name;
    for (const char *object : {"kernel", "memory", "stream"}) {
        json own = of_object(mode.name, object, settings()) + of_object(mode.name, object, props);
        own["mode"] = mode.name;
        made->properties[object] = own;
    }
    const char *const function = "occa::device::setup";
    std::string name = mode.backend;
    if (mode.kind == Mode::opencl) {
        name = opencl_device(number(all, "platform_id"), number(all, "device_id"), count(name));
    } else if (!made->is_host()) {
        name += ":" + std::to_string(number(all, "device_id"));
    }
    made->handle = brook_made(brook_device_open(name.c_str()), function);
    made->use_own_stream();
    self = made;
}

void device::free() {
    if (self == nullptr) return;
    const std::shared_ptr<modeDevice_t> last = std::move(self);
    self = nullptr;
    if (last->alive()) last->free_all();
}

void device::dontUseRefs() {
    if (isInitialized()) self->keep();
}

namespace {

modeDevice_t &there(const device &device, const char *what) {
    OCCA_ERROR("occa::device::" << what << ": there is no device", device.isInitialized());
    return *device.getModeDevice();
}

} // namespace

const std::string &device::mode() const { return isInitialized() ? self->mode : no_mode; }

const occa::json &device::properties() const { return there(*this, "properties").properties; }

namespace {

const json &part_of(const modeDevice_t &device, const char *object) {
    return static_cast<const json &>(device.properties)[object];
}

} // namespace

const occa::json &device::kernelProperties() const { return part_of(there(*this, "kernelProperties"), "kernel"); }

occa::json device::kernelProperties(const occa::json &additional) const {
    return there(*this, "kernelProperties").object_properties("kernel", additional);
}

const occa::json &device::memoryProperties() const { return part_of(there(*this, "memoryProperties"), "memory"); }

occa::json device::memoryProperties(const occa::json &additional) const {
    return there(*this, "memoryProperties").object_properties("memory", additional);
}

const occa::json &device::streamProperties() const { return part_of(there(*this, "streamProperties"), "stream"); }

occa::json device::streamProperties(const occa::json &additional) const {
    return there(*this, "streamProperties").object_properties("stream", additional);
}

const std::string &device::arch() const {
    modeDevice_t &device = there(*this, "arch");
    std::call_once(device.arch_once, [&] { device.arch = device_arch(device); });
    return device.arch;
}

hash_t device::hash() const {
    if (!isInitialized()) return hash_t();
    return occa::hash(self->mode) ^ occa::hash(std::string(brook_device_name(self->handle)));
}

udim_t device::memorySize() const { return isInitialized() ? device_memory(*self) : 0; }

udim_t device::memoryAllocated() const { return isInitialized() ? self->allocated.load() : 0; }

udim_t device::maxMemoryAllocated() const { return isInitialized() ? self->most.load() : 0; }

bool device::hasSeparateMemorySpace() const { return isInitialized() && !self->is_host(); }

void *device::unwrap() {
    modeDevice_t &device = there(*this, "unwrap");
    device.native = brook_device_native(device.handle, "context");
    OCCA_ERROR("occa::device::unwrap: mode " << device.mode << " has no handle", device.native != nullptr);
    return &device.native;
}

void device::finish() {
    if (!isInitialized()) return;
    brook_check(brook_queue_wait(self->current()->queue.get()), "occa::device::finish");
}

void device::finishAll() {
    if (!isInitialized()) return;
    brook_check(brook_device_finish(self->handle), "occa::device::finishAll");
}

stream device::createStream(const occa::json &props) {
    modeDevice_t &device = there(*this, "createStream");
    auto made = std::make_shared<modeStream_t>();
    made->device = self;
    made->properties = device.object_properties("stream", props);
    made->queue = Handle<brook_queue, brook_queue_release>(
        brook_made(brook_queue_create(device.handle), "occa::device::createStream"));
    return stream(made);
}

stream device::wrapStream(void *ptr, const occa::json &props) {
    modeDevice_t &device = there(*this, "wrapStream");
    // The processor has no streams that somebody else could have made.
    if (device.is_host()) return createStream(props);
    const char *const function = "occa::device::wrapStream";
    OCCA_ERROR(function << ": the address of the stream is null", ptr != nullptr);
    auto made = std::make_shared<modeStream_t>();
    made->device = self;
    made->properties = device.object_properties("stream", props);
    brook_queue *const queue = brook_queue_import(device.handle, *static_cast<void **>(ptr));
    made->queue = Handle<brook_queue, brook_queue_release>(brook_made(queue, function));
    return stream(made);
}

void device::setupKernelInfo(const occa::json &props, const hash_t &sourceHash, occa::json &kernelProps,
                             hash_t &kernelHash) const {
    kernelProps = there(*this, "setupKernelInfo").object_properties("kernel", props);
    kernelHash = hash() ^ kernelProps.hash() ^ sourceHash;
}

stream device::getStream() { return stream(there(*this, "getStream").current()); }

void device::setStream(stream s) {
    modeDevice_t &device = there(*this, "setStream");
    OCCA_ERROR("occa::device::setStream: there is no stream, or it is another device's",
               s.isInitialized() && s.getModeDevice() == &device);
    device.set_current(s.getModeStream()->shared_from_this());
}

streamTag device::tagStream() {
    modeDevice_t &device = there(*this, "tagStream");
    const char *const function = "occa::device::tagStream";
    auto made = std::make_shared<modeStreamTag_t>();
    made->device = self;
    const std::shared_ptr<modeStream_t> stream = device.current();
    // On the processor it is another thread that says what time it is; where it has nothing else to do, the tag is now.
    const bool now = device.is_host() && brook_queue_is_done(stream->queue.get()) == 1;
    made->event =
        Handle<brook_event, brook_event_release>(brook_made(brook_queue_record(stream->queue.get()), function));
    if (now) brook_check(brook_event_wait(made->event.get()), function);
    return streamTag(made);
}

void device::waitFor(streamTag tag) {
    there(*this, "waitFor");
    tag.wait();
}

double device::timeBetween(const streamTag &startTag, const streamTag &endTag) {
    there(*this, "timeBetween");
    OCCA_ERROR("occa::device::timeBetween: there is no tag", startTag.isInitialized() && endTag.isInitialized());
    if (startTag == endTag) return 0;
    double seconds = 0;
    brook_check(brook_event_elapsed(startTag.getModeStreamTag()->event.get(), endTag.getModeStreamTag()->event.get(),
                                    &seconds),
                "occa::device::timeBetween");
    return seconds;
}

namespace {

// Memory of the host, zero at first: such that kernels reach; where a device has none, for copies, unless kernels have to.
std::shared_ptr<Buffer> host_memory(const std::shared_ptr<modeDevice_t> &device, udim_t bytes, bool for_kernels) {
    const char *const function = "occa::device::malloc";
    brook_memory *const shared = brook_memory_create_shared(device->handle, BROOK_UCHAR, 1, bytes);
    if (shared != nullptr) {
        auto buffer = std::make_shared<Buffer>(device, shared, bytes, true);
        buffer->host = static_cast<char *>(brook_memory_host(shared));
        return buffer;
    }
    if (for_kernels || brook_last_error_code() != BROOK_INPUT_ERROR) brook_failed(function);
    brook_pinned *const made = brook_made(brook_pinned_create(device->handle, bytes), function);
    auto buffer = std::make_shared<Buffer>(device, nullptr, bytes, true);
    buffer->pinned = Handle<brook_pinned, brook_pinned_release>(made);
    buffer->host = static_cast<char *>(brook_pinned_data(made));
    return buffer;
}

} // namespace

// The most bytes that there can be.
static const dim_t most = std::numeric_limits<dim_t>::max();

occa::memory device::malloc(dim_t entries, const dtype_t &dtype, const void *src, const occa::json &props) {
    modeDevice_t &device = there(*this, "malloc");
    const char *const function = "occa::device::malloc";
    if (entries == 0) return memory();
    OCCA_ERROR(function << ": " << entries << " elements of " << dtype.bytes() << " bytes",
               entries > 0 && dtype.bytes() > 0 && entries <= most / dtype.bytes());
    const udim_t bytes = static_cast<udim_t>(entries) * static_cast<udim_t>(dtype.bytes());
    const json all = device.object_properties("memory", props);
    std::shared_ptr<Buffer> buffer;
    // Memory of the host that kernels reach: [host] asks for such that is quick to copy at least.
    const bool pinned = all.get("host", false), mapped = all.get("mapped", false);
    const bool unified = all.get("unified", false) && device.kind == Mode::cuda;
    if (all.get("use_host_pointer", false)) {
        OCCA_ERROR(function << ": use_host_pointer without memory of the host", src != nullptr);
        brook_memory *made = brook_memory_import_host(device.handle, BROOK_UCHAR, 1, bytes, const_cast<void *>(src));
        buffer = std::make_shared<Buffer>(self, brook_made(made, function), bytes, true);
    } else if ((pinned || mapped || unified) && !device.is_host()) {
        buffer = host_memory(self, bytes, mapped || unified);
        if (src != nullptr) std::memcpy(buffer->host, src, bytes);
    } else {
        brook_memory *made = brook_memory_create(device.handle, BROOK_UCHAR, 1, bytes, src);
        buffer = std::make_shared<Buffer>(self, brook_made(made, function), bytes, true);
    }
    auto whole = std::make_shared<modeMemory_t>(self, buffer, nullptr, 0, bytes);
    whole->properties = all;
    whole->set_dtype(dtype);
    return memory(whole);
}

occa::memory device::malloc(dim_t entries, const dtype_t &dtype, const occa::memory src, const occa::json &props) {
    occa::memory made = malloc(entries, dtype, static_cast<const void *>(nullptr), props);
    if (made.isInitialized() && src.isInitialized()) made.copyFrom(src);
    return made;
}

occa::memory device::wrapMemory(const void *ptr, dim_t entries, const dtype_t &dtype, const occa::json &props) {
    modeDevice_t &device = there(*this, "wrapMemory");
    const char *const function = "occa::device::wrapMemory";
    OCCA_ERROR(function << ": " << entries << " elements of " << dtype.bytes() << " bytes",
               entries >= 0 && dtype.bytes() > 0 && entries <= most / dtype.bytes());
    const udim_t bytes = static_cast<udim_t>(entries) * static_cast<udim_t>(dtype.bytes());
    brook_memory *made = brook_memory_import(device.handle, BROOK_UCHAR, 1, bytes, const_cast<void *>(ptr), 0);
    auto buffer = std::make_shared<Buffer>(self, brook_made(made, function), bytes, false);
    auto whole = std::make_shared<modeMemory_t>(self, buffer, nullptr, 0, bytes);
    whole->properties = device.object_properties("memory", props);
    whole->set_dtype(dtype);
    return memory(whole);
}

memoryPool device::createMemoryPool(const occa::json &props) {
    modeDevice_t &device = there(*this, "createMemoryPool");
    auto made = std::make_shared<modeMemoryPool_t>();
    made->device = self;
    made->properties = device.object_properties("memory", props);
    return memoryPool(made);
}

template <> hash_t hash(const occa::device &device) { return device.hash(); }

std::ostream &operator<<(std::ostream &out, const occa::device &device) {
    return device.isInitialized() ? out << device.properties() : out;
}

bool modeIsEnabled(const std::string &mode) {
    const Named *found = mode_of(mode);
    return found != nullptr && count(found->backend) > 0;
}

int getDeviceCount(const std::string &props) { return getDeviceCount(json::parse(props)); }

int getDeviceCount(const occa::json &props) {
    // A mode that is not there has none, and Serial is no answer for it.
    const Named *mode = mode_of(props.get<std::string>("mode"));
    if (mode == nullptr) return 0;
    if (mode->kind != Mode::opencl || !props.has("platform_id")) return count(mode->backend);
    int found = 0;
    for (const int all = count(mode->backend); found < all; ++found) {
        try {
            opencl_device(number(props, "platform_id"), found, all);
        } catch (const exception &) {
            break;
        }
    }
    return found;
}

void printModeInfo() {
    for (const Named &mode : modes) {
        for (int i = 0; i < count(mode.backend); ++i) {
            output::print(std::string(mode.name) + ": " + mode.backend + ':' + std::to_string(i) + '\n');
        }
    }
}

} // namespace occa
