// Streams and tags.
#include "modes.hpp"

namespace occa {

namespace {

const std::string no_mode = "No Mode";

} // namespace

bool stream::isInitialized() const { return self != nullptr && self->alive(); }

modeDevice_t *stream::getModeDevice() const { return isInitialized() ? self->device.get() : nullptr; }

occa::device stream::getDevice() const { return isInitialized() ? occa::device(self->device) : occa::device(); }

const std::string &stream::mode() const { return isInitialized() ? self->device->mode : no_mode; }

const occa::json &stream::properties() const {
    OCCA_ERROR("occa::stream::properties: there is no stream", isInitialized());
    return self->properties;
}

void stream::free() {
    if (self == nullptr) return;
    // A device always has a stream.
    if (self->device->alive() && self->device->now() == self.get()) self->device->use_own_stream();
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
    OCCA_ERROR("occa::stream::unwrap: there is no stream", isInitialized());
    OCCA_ERROR("occa::stream::unwrap: mode " << mode() << " has no handle", !self->device->is_host());
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

void *streamTag::unwrap() { OCCA_FORCE_ERROR("occa::streamTag::unwrap: brook's events have no handle"); }

void streamTag::dontUseRefs() {
    if (isInitialized()) self->keep();
}

} // namespace occa
