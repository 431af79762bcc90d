// Functions over the current device, of which each thread has its own: Serial at first.
#ifndef OCCA_CORE_BASE_HPP
#define OCCA_CORE_BASE_HPP

#include <occa/core/device.hpp>
#include <occa/core/kernel.hpp>
#include <occa/core/kernelArg.hpp>
#include <occa/core/memory.hpp>
#include <occa/core/memoryPool.hpp>
#include <occa/core/stream.hpp>
#include <occa/core/streamTag.hpp>
#include <occa/defines.hpp>
#include <occa/types.hpp>
#include <occa/utils/env.hpp>

#include <iostream>

namespace occa {

// The processor, Serial; one for all threads.
device host();
device &getDevice();
void setDevice(device d);
void setDevice(const std::string &props);
void setDevice(const occa::json &props);
void setDevice(jsonInitializerList props);
const occa::json &deviceProperties();

void finish();
void waitFor(streamTag tag);
double timeBetween(const streamTag &startTag, const streamTag &endTag);
stream createStream(const occa::json &props = occa::json());
stream getStream();
void setStream(stream s);
streamTag tagStream();
memoryPool createMemoryPool(const occa::json &props = occa::json());

kernel buildKernel(const std::string &filename, const std::string &kernelName, const occa::json &props = occa::json());
kernel buildKernelFromString(const std::string &content, const std::string &kernelName,
                             const occa::json &props = occa::json());

kernel buildKernelFromBinary(const std::string &filename, const std::string &kernelName,
                             const occa::json &props = occa::json());

occa::memory malloc(dim_t entries, const dtype_t &dtype, const void *src = nullptr,
                    const occa::json &props = occa::json());
template <class T = void>
occa::memory malloc(dim_t entries, const void *src = nullptr, const occa::json &props = occa::json()) {
    return malloc(entries, device::element<T>(), src, props);
}
occa::memory wrapMemory(const void *ptr, dim_t entries, const dtype_t &dtype, const occa::json &props = occa::json());
template <class T = void>
occa::memory wrapMemory(const T *ptr, dim_t entries, const occa::json &props = occa::json()) {
    return wrapMemory(static_cast<const void *>(ptr), entries, device::element<T>(), props);
}

// As copyFrom and copyTo of the memory.
void memcpy(memory dest, const void *src, dim_t count = -1, dim_t offset = 0, const occa::json &props = occa::json());
void memcpy(void *dest, memory src, dim_t count = -1, dim_t offset = 0, const occa::json &props = occa::json());
void memcpy(memory dest, memory src, dim_t count = -1, dim_t destOffset = 0, dim_t srcOffset = 0,
            const occa::json &props = occa::json());
void memcpy(memory dest, const void *src, const occa::json &props);
void memcpy(void *dest, memory src, const occa::json &props);
void memcpy(memory dest, memory src, const occa::json &props);

void free(device d);
void free(stream s);
void free(kernel k);
void free(memory m);

// Whether there is a device of it.
bool modeIsEnabled(const std::string &mode);
int getDeviceCount(const std::string &props);
int getDeviceCount(const occa::json &props);
// A line for each device.
void printModeInfo();

template <class T> void *unwrap(T &object) { return object.unwrap(); }

} // namespace occa

#endif
