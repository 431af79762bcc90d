// Devices.
#ifndef OCCA_C_DEVICE_H
#define OCCA_C_DEVICE_H

#include <occa/c/types.h>

OCCA_START_EXTERN_C

// Of JSON or of a string of it.
occaDevice occaCreateDevice(occaType info);
occaDevice occaCreateDeviceFromString(const char *info);
bool occaDeviceIsInitialized(occaDevice device);
// "No Mode" for what is undefined.
const char *occaDeviceMode(occaDevice device);

// The device's own; not to be freed.
occaJson occaDeviceGetProperties(occaDevice device);
occaJson occaDeviceGetKernelProperties(occaDevice device);
occaJson occaDeviceGetMemoryProperties(occaDevice device);
occaJson occaDeviceGetStreamProperties(occaDevice device);
// "CPU", a GPU's architecture, or an OpenCL device's name. It is the device's.
const char *occaDeviceArch(occaDevice device);

// Bytes.
occaUDim_t occaDeviceMemorySize(occaDevice device);
occaUDim_t occaDeviceMemoryAllocated(occaDevice device);
bool occaDeviceHasSeparateMemorySpace(occaDevice device);

// Waits for the current stream, and for all.
void occaDeviceFinish(occaDevice device);
void occaDeviceFinishAll(occaDevice device);

// The rest is as in base.h.
occaStream occaDeviceCreateStream(occaDevice device, occaJson props);
occaStream occaDeviceGetStream(occaDevice device);
void occaDeviceSetStream(occaDevice device, occaStream stream);
occaStreamTag occaDeviceTagStream(occaDevice device);
void occaDeviceWaitForTag(occaDevice device, occaStreamTag tag);
double occaDeviceTimeBetweenTags(occaDevice device, occaStreamTag startTag, occaStreamTag endTag);

occaKernel occaDeviceBuildKernel(occaDevice device, const char *filename, const char *kernelName, const occaJson props);
occaKernel occaDeviceBuildKernelFromString(occaDevice device, const char *str, const char *kernelName,
                                           const occaJson props);
occaKernel occaDeviceBuildKernelFromBinary(occaDevice device, const char *filename, const char *kernelName,
                                           const occaJson props);

occaMemory occaDeviceMalloc(occaDevice device, const occaUDim_t bytes, const void *src, occaJson props);
occaMemory occaDeviceTypedMalloc(occaDevice device, const occaUDim_t entries, const occaDtype dtype, const void *src,
                                 occaJson props);
occaMemory occaDeviceWrapMemory(occaDevice device, const void *ptr, const occaUDim_t bytes, occaJson props);
occaMemory occaDeviceTypedWrapMemory(occaDevice device, const void *ptr, const occaUDim_t entries,
                                     const occaDtype dtype, occaJson props);

occaMemoryPool occaDeviceCreateMemoryPool(occaDevice device, occaJson props);

OCCA_END_EXTERN_C

#endif
