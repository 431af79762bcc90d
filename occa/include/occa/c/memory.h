// Device memory. Counts and offsets are of bytes, except where it says elements.
#ifndef OCCA_C_MEMORY_H
#define OCCA_C_MEMORY_H

#include <occa/c/types.h>

OCCA_START_EXTERN_C

bool occaMemoryIsInitialized(occaMemory memory);
// Where it is: an address of the host or of CUDA or HIP, a cl_mem.
void *occaMemoryPtr(occaMemory memory);
occaDevice occaMemoryGetDevice(occaMemory memory);
// The memory's own; not to be freed.
occaJson occaMemoryGetProperties(occaMemory memory);
occaUDim_t occaMemorySize(occaMemory memory);
// From an element on, so many, occaAllBytes for all that follow; of memory without a type they are bytes. It is the same
// memory, and its handle is freed, too.
occaMemory occaMemorySlice(occaMemory memory, const occaDim_t offset, const occaDim_t bytes);

// Elements of the memory's type, occaAllBytes for all of it; of memory without a type they are bytes.
void occaCopyMemToMem(occaMemory dest, occaMemory src, const occaUDim_t bytes, const occaUDim_t destOffset,
                      const occaUDim_t srcOffset, occaJson props);
void occaCopyPtrToMem(occaMemory dest, const void *src, const occaUDim_t bytes, const occaUDim_t offset,
                      occaJson props);
void occaCopyMemToPtr(void *dest, occaMemory src, const occaUDim_t bytes, const occaUDim_t offset, occaJson props);

occaMemory occaMemoryClone(occaMemory memory);
// Ends the memory, and leaves what it pointed to alone.
void occaMemoryDetach(occaMemory memory);
// The host's memory, for Serial and OpenMP.
occaMemory occaWrapCpuMemory(occaDevice device, void *ptr, occaUDim_t bytes, occaJson props);

OCCA_END_EXTERN_C

#endif
