// Values of C, and what they are in C++.
#include "types.hpp"
#include "../modes.hpp"
#include "builtins.hpp"

#include <cstdlib>
#include <cstring>

namespace occa {
namespace c {

namespace {

occaType value_of(int type, udim_t bytes) {
    occaType value;
    std::memset(&value, 0, sizeof value);
    value.magicHeader = OCCA_C_TYPE_MAGIC_HEADER;
    value.type = type;
    value.bytes = bytes;
    return value;
}

occaType pointer_of(int type, const void *pointer, bool needs_free = false) {
    occaType value = value_of(type, sizeof pointer);
    value.value.ptr = const_cast<char *>(static_cast<const char *>(pointer));
    value.needsFree = needs_free;
    return value;
}

occaType object_of(int type, const void *object) { return object == nullptr ? occaUndefined : pointer_of(type, object); }

// The object of a handle; null of what is undefined.
template <class T> std::shared_ptr<T> object(occaType value, int type) {
    if (occaIsUndefined(value)) return nullptr;
    OCCA_ERROR("this is an " << nameOf(value.type) << ", not an " << nameOf(type), value.type == type);
    return reinterpret_cast<T *>(value.value.ptr)->shared_from_this();
}

void is(occaType value, int type) {
    const int found = occaIsUndefined(value) ? typeType::undefined : value.type;
    OCCA_ERROR("this is an " << nameOf(found) << ", not an " << nameOf(type), found == type);
}

} // namespace

const char *nameOf(int type) {
    static const char *const names[] = {
        "occaUndefined", "occaDefault", "occaNull",   "occaPtr",           "occaBool",   "occaInt8",       "occaUInt8",
        "occaInt16",     "occaUInt16",  "occaInt32",  "occaUInt32",        "occaInt64",  "occaUInt64",     "occaFloat",
        "occaDouble",    "occaStruct",  "occaString", "occaDevice",        "occaKernel", "occaKernelBuilder",
        "occaMemory",    "occaMemoryPool", "occaStream", "occaStreamTag",  "occaDtype",  "occaScope",      "occaJson"};
    return type >= typeType::undefined && type <= typeType::json ? names[type] : "occaType of no known type";
}

occaType newOccaType(const occa::device &value) { return object_of(typeType::device, value.getModeDevice()); }
occaType newOccaType(const occa::kernel &value) { return object_of(typeType::kernel, value.getModeKernel()); }
occaType newOccaType(const occa::memory &value) { return object_of(typeType::memory, value.getModeMemory()); }
occaType newOccaType(const occa::memoryPool &value) {
    return object_of(typeType::memoryPool, value.getModeMemoryPool());
}
occaType newOccaType(const occa::stream &value) { return object_of(typeType::stream, value.getModeStream()); }
occaType newOccaType(const occa::streamTag &value) { return object_of(typeType::streamTag, value.getModeStreamTag()); }

occaType newOccaType(const occa::dtype_t &value) { return pointer_of(typeType::dtype, &value, true); }

occaType newOccaType(const occa::scope &value) { return pointer_of(typeType::scope, &value, true); }

occaType newOccaType(const occa::kernelBuilder &value) { return pointer_of(typeType::kernelBuilder, &value, true); }

occaType newOccaType(const occa::json &value, bool needsFree) {
    if (!value.isNull()) return pointer_of(typeType::json, &value, needsFree);
    if (needsFree) delete &value;
    return occaNull;
}

occaType newOccaType(const occa::primitive &value, int type) {
    switch (type) {
    case typeType::int8_: return newOccaType(value.to<int8_t>());
    case typeType::uint8_: return newOccaType(value.to<uint8_t>());
    case typeType::int16_: return newOccaType(value.to<int16_t>());
    case typeType::uint16_: return newOccaType(value.to<uint16_t>());
    case typeType::int32_: return newOccaType(value.to<int32_t>());
    case typeType::uint32_: return newOccaType(value.to<uint32_t>());
    case typeType::int64_: return newOccaType(value.to<int64_t>());
    case typeType::uint64_: return newOccaType(value.to<uint64_t>());
    case typeType::float_: return newOccaType(value.to<float>());
    case typeType::double_: return newOccaType(value.to<double>());
    default: return occaUndefined;
    }
}

occaType newOccaType(const void *value) { return pointer_of(typeType::ptr, value); }

#define OCCA_NUMBER_(TYPE, NAME, MEMBER)                            \
    occaType newOccaType(TYPE value) {                              \
        occaType made = value_of(typeType::NAME, sizeof value);     \
        made.value.MEMBER = value;                                  \
        return made;                                                \
    }
OCCA_NUMBER_(bool, bool_, int8_)
OCCA_NUMBER_(int8_t, int8_, int8_)
OCCA_NUMBER_(uint8_t, uint8_, uint8_)
OCCA_NUMBER_(int16_t, int16_, int16_)
OCCA_NUMBER_(uint16_t, uint16_, uint16_)
OCCA_NUMBER_(int32_t, int32_, int32_)
OCCA_NUMBER_(uint32_t, uint32_, uint32_)
OCCA_NUMBER_(int64_t, int64_, int64_)
OCCA_NUMBER_(uint64_t, uint64_, uint64_)
OCCA_NUMBER_(float, float_, float_)
OCCA_NUMBER_(double, double_, double_)
#undef OCCA_NUMBER_

occa::device device(occaType value) { return occa::device(object<modeDevice_t>(value, typeType::device)); }
occa::kernel kernel(occaType value) { return occa::kernel(object<modeKernel_t>(value, typeType::kernel)); }
occa::memory memory(occaType value) { return occa::memory(object<modeMemory_t>(value, typeType::memory)); }
occa::memoryPool memoryPool(occaType value) {
    return occa::memoryPool(object<modeMemoryPool_t>(value, typeType::memoryPool));
}
occa::stream stream(occaType value) { return occa::stream(object<modeStream_t>(value, typeType::stream)); }
occa::streamTag streamTag(occaType value) {
    return occa::streamTag(object<modeStreamTag_t>(value, typeType::streamTag));
}

occa::json &json(occaType value) {
    is(value, typeType::json);
    return *reinterpret_cast<occa::json *>(value.value.ptr);
}

occa::dtype_t &dtype(occaType value) {
    is(value, typeType::dtype);
    if (!value.needsFree) return const_cast<occa::dtype_t &>(builtin(value.value.uint8_));
    return *reinterpret_cast<occa::dtype_t *>(value.value.ptr);
}

occa::scope &scope(occaType value) {
    is(value, typeType::scope);
    return *reinterpret_cast<occa::scope *>(value.value.ptr);
}

occa::kernelBuilder &kernelBuilder(occaType value) {
    is(value, typeType::kernelBuilder);
    return *reinterpret_cast<occa::kernelBuilder *>(value.value.ptr);
}

occa::json properties(occaType value) { return occaIsDefault(value) ? occa::json() : json(value); }

occa::primitive primitive(occaType value) {
    switch (occaIsUndefined(value) ? static_cast<int>(typeType::undefined) : value.type) {
    case typeType::bool_: return value.value.int8_ != 0;
    case typeType::int8_: return value.value.int8_;
    case typeType::uint8_: return value.value.uint8_;
    case typeType::int16_: return value.value.int16_;
    case typeType::uint16_: return value.value.uint16_;
    case typeType::int32_: return value.value.int32_;
    case typeType::uint32_: return value.value.uint32_;
    case typeType::int64_: return value.value.int64_;
    case typeType::uint64_: return value.value.uint64_;
    case typeType::float_: return value.value.float_;
    case typeType::double_: return value.value.double_;
    default: OCCA_FORCE_ERROR("this is an " << nameOf(value.type) << ", not a number");
    }
}

occa::kernelArg kernelArg(occaType value) {
    switch (occaIsUndefined(value) ? static_cast<int>(typeType::undefined) : value.type) {
    case typeType::null_: return occa::kernelArg();
    case typeType::ptr:
    case typeType::string: return occa::kernelArg(value.value.ptr);
    case typeType::struct_: return occa::kernelArg::bytesOf(value.value.ptr, value.bytes);
    case typeType::memory: return memory(value);
    case typeType::undefined:
    case typeType::default_:
    case typeType::device:
    case typeType::kernel:
    case typeType::kernelBuilder:
    case typeType::memoryPool:
    case typeType::stream:
    case typeType::streamTag:
    case typeType::dtype:
    case typeType::scope:
    case typeType::json: OCCA_FORCE_ERROR("kernels take no " << nameOf(occaIsUndefined(value) ? 0 : value.type));
    default: return occa::kernelArg(primitive(value));
    }
}

occa::json inferJson(occaType value) {
    switch (occaIsUndefined(value) ? static_cast<int>(typeType::undefined) : value.type) {
    case typeType::string: return occa::json(std::string(value.value.ptr, value.bytes));
    case typeType::json: return json(value);
    case typeType::null_: return occa::json(occa::json::null_);
    case typeType::ptr:
        if (value.value.ptr == nullptr) return occa::json(occa::json::null_);
        break;
    default:
        if (value.type >= typeType::bool_ && value.type <= typeType::double_) return occa::json(primitive(value));
    }
    OCCA_FORCE_ERROR("JSON takes no " << nameOf(occaIsUndefined(value) ? 0 : value.type));
}

occa::dtype_t getDtype(occaType value) {
    if (occaIsUndefined(value)) OCCA_FORCE_ERROR("an occaUndefined has no type");
    switch (value.type) {
    case typeType::null_: return occa::dtype::void_;
    case typeType::memory: return memory(value).dtype();
    default: return primitive(value).dtype();
    }
}

char *text(const std::string &text) {
    char *const copied = static_cast<char *>(std::malloc(text.size() + 1));
    OCCA_ERROR("no memory for " << text.size() << " bytes", copied != nullptr);
    std::memcpy(copied, text.c_str(), text.size() + 1);
    return copied;
}

} // namespace c
} // namespace occa
