// Pools of device memory. Sizes are bytes.
#ifndef OCCA_C_MEMORYPOOL_H
#define OCCA_C_MEMORYPOOL_H

#include <occa/c/types.h>

OCCA_START_EXTERN_C

bool occaMemoryPoolIsInitialized(occaMemoryPool memoryPool);
occaDevice occaMemoryPoolGetDevice(occaMemoryPool memoryPool);
const char *occaMemoryPoolMode(occaMemoryPool memoryPool);
// The pool's own; not to be freed.
occaJson occaMemoryPoolGetProperties(occaMemoryPool memoryPool);
occaUDim_t occaMemoryPoolSize(occaMemoryPool memoryPool);
occaUDim_t occaMemoryPoolReserved(occaMemoryPool memoryPool);
occaUDim_t occaMemoryPoolNumReservations(occaMemoryPool memoryPool);
occaUDim_t occaMemoryPoolAlignment(occaMemoryPool memoryPool);
void occaMemoryPoolSetAlignment(occaMemoryPool memoryPool, const occaUDim_t alignment);
void occaMemoryPoolResize(occaMemoryPool memoryPool, const occaUDim_t bytes);
void occaMemoryPoolShrinkToFit(occaMemoryPool memoryPool);
occaMemory occaMemoryPoolReserve(occaMemoryPool memoryPool, const occaUDim_t bytes);
occaMemory occaMemoryPoolTypedReserve(occaMemoryPool memoryPool, const occaUDim_t entries, const occaDtype dtype);

OCCA_END_EXTERN_C

#endif
