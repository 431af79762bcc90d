// Names of types.
#ifndef OCCA_TYPES_TYPEINFO_HPP
#define OCCA_TYPES_TYPEINFO_HPP

#include <occa/types/tuples.hpp>
#include <occa/types/typedefs.hpp>

#include <string>
#include <type_traits>

namespace occa {

typedef signed char schar_t;
typedef unsigned char uchar_t;
typedef unsigned short ushort_t;
typedef unsigned int uint_t;
typedef unsigned long ulong_t;

// What a pointer points to.
template <class T> struct typeMetadata {
    typedef T baseType;
    static const bool isPointer = false;
};
template <class T> struct typeMetadata<T *> {
    typedef T baseType;
    static const bool isPointer = true;
};

// A number by C's words, and by its bits; other types have none.
template <class T> class primitiveinfo {
  public:
    static const std::string id, name;
    static const bool isUnsigned = std::is_unsigned<T>::value;
};
template <class T> class typeinfo {
  public:
    static const std::string id, name;
    static const bool isUnsigned = std::is_unsigned<T>::value;
};
template <class T> const bool primitiveinfo<T>::isUnsigned;
template <class T> const bool typeinfo<T>::isUnsigned;
// Of their components.
template <class T> class typeinfo<type2<T>> {
  public:
    static const std::string id, name;
    static const bool isUnsigned = std::is_unsigned<T>::value;
};
template <class T> class typeinfo<type4<T>> {
  public:
    static const std::string id, name;
    static const bool isUnsigned = std::is_unsigned<T>::value;
};
template <class T> const bool typeinfo<type2<T>>::isUnsigned;
template <class T> const bool typeinfo<type4<T>>::isUnsigned;

#define OCCA_TYPEINFO_(INFO, TYPE)                       \
    template <> const std::string INFO<TYPE>::id;        \
    template <> const std::string INFO<TYPE>::name;
#define OCCA_PRIMITIVES_(X)                                                                     \
    X(char, "c", "char") X(short, "s", "short") X(int, "i", "int") X(long, "l", "long")         \
    X(signed char, "sc", "schar_t") X(unsigned char, "uc", "uchar_t")                           \
    X(unsigned short, "us", "ushort_t") X(unsigned int, "ui", "uint_t")                         \
    X(unsigned long, "ul", "ulong_t") X(float, "f", "float") X(double, "d", "double")
#define OCCA_TYPES_(X)                                                                          \
    X(uint8_t, "u8", "uint8") X(uint16_t, "u16", "uint16") X(uint32_t, "u32", "uint32")         \
    X(uint64_t, "u64", "uint64") X(int8_t, "i8", "int8") X(int16_t, "i16", "int16")             \
    X(int32_t, "i32", "int32") X(int64_t, "i64", "int64") X(float, "f32", "float")              \
    X(double, "f64", "double")                                                                  \
    X(uchar2, "vuc2", "uchar2") X(uchar4, "vuc4", "uchar4") X(char2, "vc2", "char2")            \
    X(char4, "vc4", "char4") X(ushort2, "vus2", "ushort2") X(ushort4, "vus4", "ushort4")        \
    X(short2, "vs2", "short2") X(short4, "vs4", "short4") X(uint2, "vui2", "uint2")             \
    X(uint4, "vui4", "uint4") X(int2, "vi2", "int2") X(int4, "vi4", "int4")                     \
    X(ulong2, "vul2", "ulong2") X(ulong4, "vul4", "ulong4") X(long2, "vl2", "long2")            \
    X(long4, "vl4", "long4") X(float2, "vf2", "float2") X(float4, "vf4", "float4")              \
    X(double2, "vd2", "double2") X(double4, "vd4", "double4")
#define OCCA_DECLARE_PRIMITIVE_(TYPE, ID, NAME) OCCA_TYPEINFO_(primitiveinfo, TYPE)
#define OCCA_DECLARE_TYPE_(TYPE, ID, NAME) OCCA_TYPEINFO_(typeinfo, TYPE)
OCCA_PRIMITIVES_(OCCA_DECLARE_PRIMITIVE_)
OCCA_TYPES_(OCCA_DECLARE_TYPE_)
#undef OCCA_DECLARE_PRIMITIVE_
#undef OCCA_DECLARE_TYPE_
#undef OCCA_TYPEINFO_

} // namespace occa

#endif
