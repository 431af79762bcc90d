// Memory and pools for C.
#include "types.hpp"

#include <occa/c/base.h>
#include <occa/c/device.h>
#include <occa/c/dtype.h>
#include <occa/c/memory.h>
#include <occa/c/memoryPool.h>

using namespace occa::c;

namespace {

// Counts of C's: occaAllBytes is -1 here.
occa::dim_t count(occaUDim_t value) { return static_cast<occa::dim_t>(value); }

occaMemory allocated(occa::device on, occaUDim_t entries, occaDtype type, const void *src, occaJson props) {
    return kept(on.malloc(count(entries), dtype(type), src, properties(props)));
}

occaMemory wrapped(occa::device on, const void *ptr, occaUDim_t entries, occaDtype type, occaJson props) {
    return kept(on.wrapMemory(ptr, count(entries), dtype(type), properties(props)));
}

// Memory that is there.
occa::memory there(occaMemory value, const char *function) {
    const occa::memory found = memory(value);
    OCCA_ERROR(function << ": there is no memory", found.isInitialized());
    return found;
}

occa::memoryPool there_pool(occaMemoryPool value, const char *function) {
    const occa::memoryPool found = memoryPool(value);
    OCCA_ERROR(function << ": there is no pool", found.isInitialized());
    return found;
}

} // namespace

OCCA_START_EXTERN_C

occaMemory occaMalloc(const occaUDim_t bytes, const void *src, occaJson props) {
    return allocated(occa::getDevice(), bytes, occaDtypeByte, src, props);
}

occaMemory occaTypedMalloc(const occaUDim_t entries, const occaDtype type, const void *src, occaJson props) {
    return allocated(occa::getDevice(), entries, type, src, props);
}

occaMemory occaWrapMemory(const void *ptr, const occaUDim_t bytes, occaJson props) {
    return wrapped(occa::getDevice(), ptr, bytes, occaDtypeByte, props);
}

occaMemory occaTypedWrapMemory(const void *ptr, const occaUDim_t entries, const occaDtype type, occaJson props) {
    return wrapped(occa::getDevice(), ptr, entries, type, props);
}

occaMemory occaDeviceMalloc(occaDevice on, const occaUDim_t bytes, const void *src, occaJson props) {
    return allocated(device(on), bytes, occaDtypeByte, src, props);
}

occaMemory occaDeviceTypedMalloc(occaDevice on, const occaUDim_t entries, const occaDtype type, const void *src,
                                 occaJson props) {
    return allocated(device(on), entries, type, src, props);
}

occaMemory occaDeviceWrapMemory(occaDevice on, const void *ptr, const occaUDim_t bytes, occaJson props) {
    return wrapped(device(on), ptr, bytes, occaDtypeByte, props);
}

occaMemory occaDeviceTypedWrapMemory(occaDevice on, const void *ptr, const occaUDim_t entries, const occaDtype type,
                                     occaJson props) {
    return wrapped(device(on), ptr, entries, type, props);
}

occaMemory occaWrapCpuMemory(occaDevice on, void *ptr, occaUDim_t bytes, occaJson props) {
    const occa::device device_ = device(on);
    OCCA_ERROR("occaWrapCpuMemory: mode " << device_.mode() << " has memory of its own",
               !device_.hasSeparateMemorySpace());
    return wrapped(device_, ptr, bytes, occaDtypeByte, props);
}

bool occaMemoryIsInitialized(occaMemory value) { return memory(value).isInitialized(); }

void *occaMemoryPtr(occaMemory value) { return memory(value).ptr(); }

occaDevice occaMemoryGetDevice(occaMemory value) { return newOccaType(memory(value).getDevice()); }

occaJson occaMemoryGetProperties(occaMemory value) { return newOccaType(memory(value).properties(), false); }

occaUDim_t occaMemorySize(occaMemory value) { return memory(value).size(); }

occaMemory occaMemorySlice(occaMemory value, const occaDim_t offset, const occaDim_t bytes) {
    return kept(there(value, "occaMemorySlice").slice(offset, bytes));
}

void occaCopyMemToMem(occaMemory dest, occaMemory src, const occaUDim_t bytes, const occaUDim_t destOffset,
                      const occaUDim_t srcOffset, occaJson props) {
    const char *const function = "occaCopyMemToMem";
    there(dest, function).copyFrom(there(src, function), count(bytes), count(destOffset), count(srcOffset),
                                   properties(props));
}

void occaCopyPtrToMem(occaMemory dest, const void *src, const occaUDim_t bytes, const occaUDim_t offset,
                      occaJson props) {
    there(dest, "occaCopyPtrToMem").copyFrom(src, count(bytes), count(offset), properties(props));
}

void occaCopyMemToPtr(void *dest, occaMemory src, const occaUDim_t bytes, const occaUDim_t offset, occaJson props) {
    there(src, "occaCopyMemToPtr").copyTo(dest, count(bytes), count(offset), properties(props));
}

occaMemory occaMemoryClone(occaMemory value) { return kept(there(value, "occaMemoryClone").clone()); }

void occaMemoryDetach(occaMemory value) { there(value, "occaMemoryDetach").detach(); }

occaMemoryPool occaCreateMemoryPool(occaJson props) { return kept(occa::createMemoryPool(properties(props))); }

occaMemoryPool occaDeviceCreateMemoryPool(occaDevice on, occaJson props) {
    return kept(device(on).createMemoryPool(properties(props)));
}

bool occaMemoryPoolIsInitialized(occaMemoryPool value) { return memoryPool(value).isInitialized(); }

occaDevice occaMemoryPoolGetDevice(occaMemoryPool value) { return newOccaType(memoryPool(value).getDevice()); }

const char *occaMemoryPoolMode(occaMemoryPool value) { return memoryPool(value).mode().c_str(); }

occaJson occaMemoryPoolGetProperties(occaMemoryPool value) {
    return newOccaType(memoryPool(value).properties(), false);
}

occaUDim_t occaMemoryPoolSize(occaMemoryPool value) { return memoryPool(value).size(); }

occaUDim_t occaMemoryPoolReserved(occaMemoryPool value) { return memoryPool(value).reserved(); }

occaUDim_t occaMemoryPoolNumReservations(occaMemoryPool value) { return memoryPool(value).numReservations(); }

occaUDim_t occaMemoryPoolAlignment(occaMemoryPool value) { return memoryPool(value).alignment(); }

void occaMemoryPoolSetAlignment(occaMemoryPool value, const occaUDim_t alignment) {
    there_pool(value, "occaMemoryPoolSetAlignment").setAlignment(alignment);
}

void occaMemoryPoolResize(occaMemoryPool value, const occaUDim_t bytes) {
    there_pool(value, "occaMemoryPoolResize").resize(bytes);
}

void occaMemoryPoolShrinkToFit(occaMemoryPool value) {
    there_pool(value, "occaMemoryPoolShrinkToFit").shrinkToFit();
}

occaMemory occaMemoryPoolReserve(occaMemoryPool value, const occaUDim_t bytes) {
    return occaMemoryPoolTypedReserve(value, bytes, occaDtypeByte);
}

occaMemory occaMemoryPoolTypedReserve(occaMemoryPool value, const occaUDim_t entries, const occaDtype type) {
    return kept(there_pool(value, "occaMemoryPoolReserve").reserve(count(entries), dtype(type)));
}

OCCA_END_EXTERN_C
