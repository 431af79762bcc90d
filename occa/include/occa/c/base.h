// Functions over the current device, of which each thread has its own.
#ifndef OCCA_C_BASE_H
#define OCCA_C_BASE_H

#include <occa/c/types.h>

OCCA_START_EXTERN_C

// The library's own; not to be freed.
occaJson occaSettings(void);
// A line for each device.
void occaPrintModeInfo(void);

occaDevice occaHost(void);
occaDevice occaGetDevice(void);
void occaSetDevice(occaDevice device);
// By JSON.
void occaSetDeviceFromString(const char *info);
// The device's own; not to be freed.
occaJson occaDeviceProperties(void);
void occaFinish(void);

// Properties are JSON or occaDefault, everywhere.
occaStream occaCreateStream(occaJson props);
occaStream occaGetStream(void);
void occaSetStream(occaStream stream);
occaStreamTag occaTagStream(void);
void occaWaitForTag(occaStreamTag tag);
// Seconds.
double occaTimeBetweenTags(occaStreamTag startTag, occaStreamTag endTag);
// Where the CUstream, hipStream_t or cl_command_queue is.
void *occaStreamUnwrap(occaStream stream);

occaKernel occaBuildKernel(const char *filename, const char *kernelName, const occaJson props);
occaKernel occaBuildKernelFromString(const char *source, const char *kernelName, const occaJson props);
// What `brook compile` wrote, or a kernel's binary file.
occaKernel occaBuildKernelFromBinary(const char *filename, const char *kernelName, const occaJson props);

// Bytes, or elements of a type; src may be NULL.
occaMemory occaMalloc(const occaUDim_t bytes, const void *src, occaJson props);
occaMemory occaTypedMalloc(const occaUDim_t entries, const occaDtype type, const void *src, occaJson props);
// Somebody else's memory.
occaMemory occaWrapMemory(const void *ptr, const occaUDim_t bytes, occaJson props);
occaMemory occaTypedWrapMemory(const void *ptr, const occaUDim_t entries, const occaDtype dtype, occaJson props);

occaMemoryPool occaCreateMemoryPool(occaJson props);

OCCA_END_EXTERN_C

#endif
