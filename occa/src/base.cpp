// Functions over the current device.
#include "modes.hpp"

namespace occa {

device host() {
    static const device one = [] {
        device made(json{{"mode", "Serial"}});
        made.dontUseRefs();
        return made;
    }();
    return one;
}

device &getDevice() {
    static thread_local device current;
    if (!current.isInitialized()) current = host();
    return current;
}

void setDevice(device d) { getDevice() = d; }

void setDevice(const std::string &props) { setDevice(device(props)); }

void setDevice(const occa::json &props) { setDevice(device(props)); }

void setDevice(jsonInitializerList props) { setDevice(device(json(props))); }

const occa::json &deviceProperties() { return getDevice().properties(); }

void finish() { getDevice().finish(); }

void waitFor(streamTag tag) { getDevice().waitFor(tag); }

double timeBetween(const streamTag &startTag, const streamTag &endTag) {
    return getDevice().timeBetween(startTag, endTag);
}

stream createStream(const occa::json &props) { return getDevice().createStream(props); }

stream getStream() { return getDevice().getStream(); }

void setStream(stream s) { getDevice().setStream(s); }

streamTag tagStream() { return getDevice().tagStream(); }

memoryPool createMemoryPool(const occa::json &props) { return getDevice().createMemoryPool(props); }

kernel buildKernel(const std::string &filename, const std::string &kernelName, const occa::json &props) {
    return getDevice().buildKernel(filename, kernelName, props);
}

kernel buildKernelFromString(const std::string &content, const std::string &kernelName, const occa::json &props) {
    return getDevice().buildKernelFromString(content, kernelName, props);
}

kernel buildKernelFromBinary(const std::string &filename, const std::string &kernelName, const occa::json &props) {
    return getDevice().buildKernelFromBinary(filename, kernelName, props);
}

occa::memory malloc(dim_t entries, const dtype_t &dtype, const void *src, const occa::json &props) {
    return getDevice().malloc(entries, dtype, src, props);
}

occa::memory wrapMemory(const void *ptr, dim_t entries, const dtype_t &dtype, const occa::json &props) {
    return getDevice().wrapMemory(ptr, entries, dtype, props);
}

void memcpy(memory dest, const void *src, dim_t count, dim_t offset, const occa::json &props) {
    dest.copyFrom(src, count, offset, props);
}

void memcpy(void *dest, memory src, dim_t count, dim_t offset, const occa::json &props) {
    src.copyTo(dest, count, offset, props);
}

void memcpy(memory dest, memory src, dim_t count, dim_t destOffset, dim_t srcOffset, const occa::json &props) {
    dest.copyFrom(src, count, destOffset, srcOffset, props);
}

void memcpy(memory dest, const void *src, const occa::json &props) { dest.copyFrom(src, props); }

void memcpy(void *dest, memory src, const occa::json &props) { src.copyTo(dest, props); }

void memcpy(memory dest, memory src, const occa::json &props) { dest.copyFrom(src, props); }

void free(device d) { d.free(); }

void free(stream s) { s.free(); }

void free(kernel k) { k.free(); }

void free(memory m) { m.free(); }

} // namespace occa
