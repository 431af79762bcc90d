// Values of C: making, freeing and printing them.
#include "../modes.hpp"
#include "../output.hpp"
#include "types.hpp"

#include <cstring>
#include <sstream>

using namespace occa::c;

OCCA_START_EXTERN_C

extern const int OCCA_UNDEFINED = typeType::undefined, OCCA_DEFAULT = typeType::default_, OCCA_NULL = typeType::null_,
                 OCCA_PTR = typeType::ptr, OCCA_BOOL = typeType::bool_, OCCA_INT8 = typeType::int8_,
                 OCCA_UINT8 = typeType::uint8_, OCCA_INT16 = typeType::int16_, OCCA_UINT16 = typeType::uint16_,
                 OCCA_INT32 = typeType::int32_, OCCA_UINT32 = typeType::uint32_, OCCA_INT64 = typeType::int64_,
                 OCCA_UINT64 = typeType::uint64_, OCCA_FLOAT = typeType::float_, OCCA_DOUBLE = typeType::double_,
                 OCCA_STRUCT = typeType::struct_, OCCA_STRING = typeType::string, OCCA_DEVICE = typeType::device,
                 OCCA_KERNEL = typeType::kernel, OCCA_KERNELBUILDER = typeType::kernelBuilder,
                 OCCA_MEMORY = typeType::memory, OCCA_MEMORYPOOL = typeType::memoryPool,
                 OCCA_STREAM = typeType::stream, OCCA_STREAMTAG = typeType::streamTag, OCCA_DTYPE = typeType::dtype,
                 OCCA_SCOPE = typeType::scope, OCCA_JSON = typeType::json;

// Constants of the compiler: whoever needs them before main finds them made.
#define OCCA_VALUE_(TYPE, BYTES, BITS) {OCCA_C_TYPE_MAGIC_HEADER, TYPE, BYTES, false, {BITS}}
extern const occaType occaNull = OCCA_VALUE_(typeType::null_, sizeof(void *), 0);
extern const occaType occaUndefined = {OCCA_C_TYPE_UNDEFINED_HEADER, typeType::undefined, 0, false, {0}};
extern const occaType occaDefault = OCCA_VALUE_(typeType::default_, 0, 0);
extern const occaType occaTrue = OCCA_VALUE_(typeType::bool_, sizeof(bool), 1);
extern const occaType occaFalse = OCCA_VALUE_(typeType::bool_, sizeof(bool), 0);
extern const occaUDim_t occaAllBytes = ~occaUDim_t(0);

bool occaIsUndefined(occaType value) { return value.magicHeader != OCCA_C_TYPE_MAGIC_HEADER; }
bool occaIsNull(occaType value) { return value.type == OCCA_NULL; }
bool occaIsDefault(occaType value) { return value.type == OCCA_DEFAULT; }

occaType occaPtr(const void *value) { return newOccaType(value); }
occaType occaBool(bool value) { return newOccaType(value); }
occaType occaInt8(int8_t value) { return newOccaType(value); }
occaType occaUInt8(uint8_t value) { return newOccaType(value); }
occaType occaInt16(int16_t value) { return newOccaType(value); }
occaType occaUInt16(uint16_t value) { return newOccaType(value); }
occaType occaInt32(int32_t value) { return newOccaType(value); }
occaType occaUInt32(uint32_t value) { return newOccaType(value); }
occaType occaInt64(int64_t value) { return newOccaType(value); }
occaType occaUInt64(uint64_t value) { return newOccaType(value); }

static_assert(sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8, "short, int and long have 2, 4 and 8 bytes");
occaType occaChar(char value) { return newOccaType(static_cast<int8_t>(value)); }
occaType occaUChar(unsigned char value) { return newOccaType(static_cast<uint8_t>(value)); }
occaType occaShort(short value) { return newOccaType(static_cast<int16_t>(value)); }
occaType occaUShort(unsigned short value) { return newOccaType(static_cast<uint16_t>(value)); }
occaType occaInt(int value) { return newOccaType(static_cast<int32_t>(value)); }
occaType occaUInt(unsigned int value) { return newOccaType(static_cast<uint32_t>(value)); }
occaType occaLong(long value) { return newOccaType(static_cast<int64_t>(value)); }
occaType occaULong(unsigned long value) { return newOccaType(static_cast<uint64_t>(value)); }

occaType occaFloat(float value) { return newOccaType(value); }
occaType occaDouble(double value) { return newOccaType(value); }

occaType occaStruct(const void *value, occaUDim_t bytes) {
    occaType made = newOccaType(value);
    made.type = OCCA_STRUCT;
    made.bytes = bytes;
    return made;
}

occaType occaString(const char *str) {
    OCCA_ERROR("occaString: a null pointer", str != nullptr);
    occaType made = newOccaType(static_cast<const void *>(str));
    made.type = OCCA_STRING;
    made.bytes = std::strlen(str);
    return made;
}

void occaFree(occaType *value) {
    OCCA_ERROR("occaFree: a null pointer", value != nullptr);
    if (occaIsUndefined(*value)) return;
    switch (value->type) {
    case typeType::device: device(*value).free(); break;
    case typeType::kernel: kernel(*value).free(); break;
    case typeType::memory: memory(*value).free(); break;
    case typeType::memoryPool: memoryPool(*value).free(); break;
    case typeType::stream: stream(*value).free(); break;
    case typeType::streamTag: streamTag(*value).free(); break;
    case typeType::dtype:
        if (value->needsFree) delete &dtype(*value);
        break;
    case typeType::json:
        if (value->needsFree) delete &json(*value);
        break;
    case typeType::scope: delete &scope(*value); break;
    case typeType::kernelBuilder: {
        occa::kernelBuilder &builder = kernelBuilder(*value);
        builder.free();
        delete &builder;
        break;
    }
    default: break;
    }
    value->magicHeader = OCCA_C_TYPE_UNDEFINED_HEADER;
}

OCCA_END_EXTERN_C

namespace {

std::string address(const void *pointer) {
    std::ostringstream digits;
    digits << pointer;
    return digits.str();
}

// What an object says of itself.
template <class T> void describe(occa::json &info, const T &object) {
    if (!object.isInitialized()) {
        info["initialized"] = false;
        return;
    }
    info["mode"] = object.mode();
    info["props"] = object.properties();
}

occa::json describe(occaType value) {
    occa::json info;
    if (occaIsUndefined(value)) return info["type"] = "undefined", info;
    // "device" of "occaDevice".
    std::string name = nameOf(value.type) + 4;
    for (char &c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    info["type"] = value.type == typeType::null_         ? std::string("ptr")
                   : value.type == typeType::memoryPool  ? std::string("memoryPool")
                   : value.type == typeType::streamTag   ? std::string("streamTag")
                   : value.type == typeType::kernelBuilder ? std::string("kernelBuilder")
                                                         : name;
    occa::json &what = info["value"];
    if (value.type >= typeType::int8_ && value.type <= typeType::double_) {
        what = primitive(value);
        return info;
    }
    if (value.type != typeType::default_) what = address(value.value.ptr);
    switch (value.type) {
    case typeType::default_: info.remove("value"); break;
    case typeType::null_: what = "NULL"; break;
    case typeType::bool_: what = value.value.int8_ != 0; break;
    case typeType::struct_: info["bytes"] = static_cast<uint64_t>(value.bytes); break;
    case typeType::string: what = std::string(value.value.ptr, value.bytes); break;
    case typeType::json: what = json(value); break;
    case typeType::dtype: info["dtype"] = dtype(value).toJson(); break;
    case typeType::device: describe(info, device(value)); break;
    case typeType::memoryPool: describe(info, memoryPool(value)); break;
    case typeType::stream: describe(info, stream(value)); break;
    case typeType::kernel:
        describe(info, kernel(value));
        info["name"] = kernel(value).name();
        break;
    case typeType::memory: {
        const occa::memory object = memory(value);
        describe(info, object);
        info["dtype"] = object.dtype().toJson();
        info["length"] = object.length();
        info["size"] = object.size();
        break;
    }
    case typeType::kernelBuilder: info["kernel_name"] = kernelBuilder(value).getKernelName(); break;
    case typeType::scope:
        info["props"] = scope(value).props;
        info["args"].asArray();
        for (const occa::scopeKernelArg &arg : scope(value).args) {
            info["args"] += occa::json{{"name", arg.name}, {"dtype", arg.dtype.toJson()}, {"is_const", arg.isConst}};
        }
        break;
    case typeType::streamTag: info["mode"] = streamTag(value).getDevice().mode(); break;
    default: break;
    }
    return info;
}

} // namespace

void occaPrintTypeInfo(occaType value) { occa::output::print(describe(value).dump() + "\n"); }
