// Types that need no declaration.
#ifndef OCCA_DTYPE_BUILTINS_HPP
#define OCCA_DTYPE_BUILTINS_HPP

#include <occa/dtype/dtype.hpp>
#include <occa/types/tuples.hpp>

#include <type_traits>
#include <vector>

namespace occa {

class memory;

typedef std::vector<dtype_t> dtypeVector;

namespace dtype {

extern const dtype_t none, void_, byte;
extern const dtype_t bool_, char_, short_, int_, long_, float_, double_;
// By their bits; signed ones are those above.
extern const dtype_t int8, uint8, int16, uint16, int32, uint32, int64, uint64;
extern const dtype_t uchar2, uchar3, uchar4;
extern const dtype_t char2, char3, char4;
extern const dtype_t ushort2, ushort3, ushort4;
extern const dtype_t short2, short3, short4;
extern const dtype_t uint2, uint3, uint4;
extern const dtype_t int2, int3, int4;
extern const dtype_t ulong2, ulong3, ulong4;
extern const dtype_t long2, long3, long4;
extern const dtype_t float2, float3, float4;
extern const dtype_t double2, double3, double4;
// Memory that a function takes.
extern const dtype_t memory;

// The type of elements of C++'s type; none if it has none, or for a pointer that of what it points to.
template <class T> dtype_t get() {
    typedef typename std::remove_pointer<T>::type Pointee;
    return std::is_pointer<T>::value ? get<Pointee>() : none;
}
template <> dtype_t get<void>();
template <> dtype_t get<bool>();
template <> dtype_t get<char>();
template <> dtype_t get<signed char>();
template <> dtype_t get<unsigned char>();
template <> dtype_t get<short>();
template <> dtype_t get<unsigned short>();
template <> dtype_t get<int>();
template <> dtype_t get<unsigned int>();
template <> dtype_t get<long>();
template <> dtype_t get<unsigned long>();
template <> dtype_t get<long long>();
template <> dtype_t get<unsigned long long>();
template <> dtype_t get<float>();
template <> dtype_t get<double>();
template <> dtype_t get<occa::memory>();
template <> dtype_t get<occa::uchar2>();
template <> dtype_t get<occa::uchar4>();
template <> dtype_t get<occa::char2>();
template <> dtype_t get<occa::char4>();
template <> dtype_t get<occa::ushort2>();
template <> dtype_t get<occa::ushort4>();
template <> dtype_t get<occa::short2>();
template <> dtype_t get<occa::short4>();
template <> dtype_t get<occa::uint2>();
template <> dtype_t get<occa::uint4>();
template <> dtype_t get<occa::int2>();
template <> dtype_t get<occa::int4>();
template <> dtype_t get<occa::ulong2>();
template <> dtype_t get<occa::ulong4>();
template <> dtype_t get<occa::long2>();
template <> dtype_t get<occa::long4>();
template <> dtype_t get<occa::float2>();
template <> dtype_t get<occa::float4>();
template <> dtype_t get<occa::double2>();
template <> dtype_t get<occa::double4>();

template <class... T> dtypeVector getMany() { return {get<T>()...}; }

} // namespace dtype
} // namespace occa

#endif
