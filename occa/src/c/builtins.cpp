// Types as values of C.
#include "builtins.hpp"
#include "types.hpp"

#include <occa/c/dtype.h>

// Every one: its name in C, and in C++. The Fortran module has the same, by their places in this list.
#define OCCA_BUILTINS_(X) \
    X(None, none) X(Void, void_) X(Byte, byte) X(Bool, bool_) X(Char, char_) X(Short, short_) X(Int, int_) \
    X(Long, long_) X(Float, float_) X(Double, double_) X(Int8, int8) X(Uint8, uint8) X(Int16, int16) \
    X(Uint16, uint16) X(Int32, int32) X(Uint32, uint32) X(Int64, int64) X(Uint64, uint64) X(Uchar2, uchar2) \
    X(Uchar3, uchar3) X(Uchar4, uchar4) X(Char2, char2) X(Char3, char3) X(Char4, char4) X(Ushort2, ushort2) \
    X(Ushort3, ushort3) X(Ushort4, ushort4) X(Short2, short2) X(Short3, short3) X(Short4, short4) \
    X(Uint2, uint2) X(Uint3, uint3) X(Uint4, uint4) X(Int2, int2) X(Int3, int3) X(Int4, int4) \
    X(Ulong2, ulong2) X(Ulong3, ulong3) X(Ulong4, ulong4) X(Long2, long2) X(Long3, long3) X(Long4, long4) \
    X(Float2, float2) X(Float3, float3) X(Float4, float4) X(Double2, double2) X(Double3, double3) \
    X(Double4, double4)

namespace {

enum Number : uint8_t {
    number_before_the_first,
#define OCCA_NUMBER_(NAME, OF) number_##NAME,
    OCCA_BUILTINS_(OCCA_NUMBER_)
#undef OCCA_NUMBER_
    number_behind_the_last
};

} // namespace

const occa::dtype_t &occa::c::builtin(uint64_t number) {
    static const occa::dtype_t *const all[] = {
#define OCCA_ADDRESS_(NAME, OF) &occa::dtype::OF,
        OCCA_BUILTINS_(OCCA_ADDRESS_)
#undef OCCA_ADDRESS_
    };
    OCCA_ERROR("this occaDtype is none", number > number_before_the_first && number < number_behind_the_last);
    return *all[number - 1];
}

OCCA_START_EXTERN_C

#define OCCA_CONSTANT_(NAME, OF)                                                                                         \
    extern const occaDtype occaDtype##NAME = {                                                                           \
        OCCA_C_TYPE_MAGIC_HEADER, occa::c::typeType::dtype, sizeof(void *), false, {number_##NAME}};
OCCA_BUILTINS_(OCCA_CONSTANT_)

OCCA_END_EXTERN_C
