// Devices, streams and tags for C: of a device that is named, and of the current one.
#include "types.hpp"

#include "../output.hpp"

#include <occa/c/base.h>
#include <occa/c/device.h>
#include <occa/c/io.h>
#include <occa/c/stream.h>

using namespace occa::c;

namespace {

occa::json parsed(const char *info, const char *function) {
    OCCA_ERROR(function << ": a null pointer", info != nullptr);
    return occa::json::parse(std::string(info));
}

occaDevice made(const occa::json &info) { return kept(occa::device(info)); }

// A device that is there.
occa::device there(occaDevice value, const char *function) {
    const occa::device found = device(value);
    OCCA_ERROR(function << ": there is no device", found.isInitialized());
    return found;
}

// Whoever has a handle of a stream may make it current again.
occaStream current(occa::device device) { return kept(device.getStream()); }

} // namespace

OCCA_START_EXTERN_C

occaDevice occaCreateDevice(occaType info) {
    if (!occaIsUndefined(info) && info.type == OCCA_STRING) return made(occa::json::parse(inferJson(info).string()));
    OCCA_ERROR("occaCreateDevice: this is an " << nameOf(occaIsUndefined(info) ? OCCA_UNDEFINED : info.type)
                                               << ", not an occaJson or occaString",
               !occaIsUndefined(info) && info.type == OCCA_JSON);
    return made(json(info));
}

occaDevice occaCreateDeviceFromString(const char *info) { return made(parsed(info, "occaCreateDeviceFromString")); }

bool occaDeviceIsInitialized(occaDevice value) { return device(value).isInitialized(); }

const char *occaDeviceMode(occaDevice value) { return device(value).mode().c_str(); }

occaJson occaDeviceGetProperties(occaDevice value) { return newOccaType(device(value).properties(), false); }

occaJson occaDeviceGetKernelProperties(occaDevice value) {
    return newOccaType(device(value).kernelProperties(), false);
}

occaJson occaDeviceGetMemoryProperties(occaDevice value) {
    return newOccaType(device(value).memoryProperties(), false);
}

occaJson occaDeviceGetStreamProperties(occaDevice value) {
    return newOccaType(device(value).streamProperties(), false);
}

const char *occaDeviceArch(occaDevice value) { return device(value).arch().c_str(); }

occaUDim_t occaDeviceMemorySize(occaDevice value) { return device(value).memorySize(); }

occaUDim_t occaDeviceMemoryAllocated(occaDevice value) { return device(value).memoryAllocated(); }

bool occaDeviceHasSeparateMemorySpace(occaDevice value) { return device(value).hasSeparateMemorySpace(); }

void occaDeviceFinish(occaDevice value) { there(value, "occaDeviceFinish").finish(); }

void occaDeviceFinishAll(occaDevice value) { there(value, "occaDeviceFinishAll").finishAll(); }

occaStream occaDeviceCreateStream(occaDevice value, occaJson props) {
    return kept(device(value).createStream(properties(props)));
}

occaStream occaDeviceGetStream(occaDevice value) { return current(device(value)); }

void occaDeviceSetStream(occaDevice value, occaStream next) { device(value).setStream(stream(next)); }

occaStreamTag occaDeviceTagStream(occaDevice value) { return kept(device(value).tagStream()); }

void occaDeviceWaitForTag(occaDevice value, occaStreamTag tag) { device(value).waitFor(streamTag(tag)); }

double occaDeviceTimeBetweenTags(occaDevice value, occaStreamTag startTag, occaStreamTag endTag) {
    return device(value).timeBetween(streamTag(startTag), streamTag(endTag));
}

occaJson occaSettings(void) { return newOccaType(occa::settings(), false); }

void occaPrintModeInfo(void) { occa::printModeInfo(); }

occaDevice occaHost(void) { return newOccaType(occa::host()); }

occaDevice occaGetDevice(void) { return newOccaType(occa::getDevice()); }

void occaSetDevice(occaDevice value) { occa::setDevice(there(value, "occaSetDevice")); }

void occaSetDeviceFromString(const char *info) { occa::setDevice(parsed(info, "occaSetDeviceFromString")); }

occaJson occaDeviceProperties(void) { return newOccaType(occa::deviceProperties(), false); }

void occaFinish(void) { occa::finish(); }

occaStream occaCreateStream(occaJson props) { return kept(occa::createStream(properties(props))); }

occaStream occaGetStream(void) { return current(occa::getDevice()); }

void occaSetStream(occaStream next) { occa::setStream(stream(next)); }

occaStreamTag occaTagStream(void) { return kept(occa::tagStream()); }

void occaWaitForTag(occaStreamTag tag) { occa::waitFor(streamTag(tag)); }

double occaTimeBetweenTags(occaStreamTag startTag, occaStreamTag endTag) {
    return occa::timeBetween(streamTag(startTag), streamTag(endTag));
}

void *occaStreamUnwrap(occaStream value) { return stream(value).unwrap(); }

void occaStreamFinish(occaStream value) { stream(value).finish(); }

void occaOverrideStdout(occaIoOutputFunction_t out) { occa::output::listen(out); }

void occaOverrideStderr(occaIoOutputFunction_t out) { occa::output::listen_to_errors(out); }

OCCA_END_EXTERN_C
