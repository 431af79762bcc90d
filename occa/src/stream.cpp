// Streams and tags.
#include "modes.hpp"

namespace occa {

namespace {

const std::string no_mode = "No Mode";

} // namespace

std::shared_ptr<modeDevice_t> modeStream_t::owner() const {
    std::shared_ptr<modeDevice_t> found = freed ? nullptr : device.lock();
    return found != nullptr && found->alive() ? found : nullptr;
}

bool stream::isInitialized() const { return self != nullptr && self->alive(); }

modeDevice_t *stream::getModeDevice() const { return self == nullptr ? nullptr : self->owner().get(); }

occa::device stream::getDevice() const { return self == nullptr ? occa::device() : occa::device(self->owner()); }

const std::string &stream::mode() const {
    const modeDevice_t *const device = getModeDevice();
    return device == nullptr ? no_mode : device->mode;
}

const occa::json &stream::properties() const {
    OCCA_ERROR("occa::stream::properties: there is no stream", isInitialized());
    return self->properties;
}

void stream::free() {
    if (self == nullptr) return;
    // A device always has a stream.
    const std::shared_ptr<modeDevice_t> device = self->owner();
    if (device != nullptr && device->now() == self.get()) device->use_own_stream();
    const std::shared_ptr<modeStream_t> last = std::move(self);
    self = nullptr;
    last->freed = true;
    last->kept = nullptr;
}

void stream::finish() {
    OCCA_ERROR("occa::stream::finish: there is no stream", isInitialized());
    brook_check(brook_queue_wait(self->queue.get()), "occa::stream::finish");
}

void *stream::unwrap() {
    const modeDevice_t *const device = getModeDevice();
    OCCA_ERROR("occa::stream::unwrap: there is no stream", device != nullptr);
    OCCA_ERROR("occa::stream::unwrap: mode " << mode() << " has no handle", !device->is_host());
    self->native = brook_queue_native(self->queue.get());
    return &self->native;
}

void stream::dontUseRefs() {
    if (isInitialized()) self->keep();
}

std::ostream &operator<<(std::ostream &out, const occa::stream &stream) {
    return stream.isInitialized() ? out << stream.properties() : out;
}

bool streamTag::isInitialized() const { return self != nullptr && self->alive(); }

modeDevice_t *streamTag::getModeDevice() const { return isInitialized() ? self->device.get() : nullptr; }

occa::device streamTag::getDevice() const { return isInitialized() ? occa::device(self->device) : occa::device(); }

void streamTag::wait() const {
    OCCA_ERROR("occa::streamTag::wait: there is no tag", isInitialized());
    brook_check(brook_event_wait(self->event.get()), "occa::streamTag::wait");
}

void streamTag::free() {
    if (self == nullptr) return;
    const std::shared_ptr<modeStreamTag_t> last = std::move(self);
    self = nullptr;
    last->freed = true;
    last->kept = nullptr;
}

void *streamTag::unwrap() {
    OCCA_ERROR("occa::streamTag::unwrap: there is no tag", isInitialized());
    self->native = brook_event_native(self->event.get());
    OCCA_ERROR("occa::streamTag::unwrap: mode " << self->device->mode << " has no handle", self->native != nullptr);
    return &self->native;
}

void streamTag::dontUseRefs() {
    if (isInitialized()) self->keep();
}

} // namespace occa
