// BrookGPU's fixed point: numbers from 0 to 1 in 8 bits (fixed), or in 16 (shortfixed). Kernels have floats of them.
#ifndef BROOK_FIXED_HPP
#define BROOK_FIXED_HPP

#include <brook/vector.hpp>

namespace brook {
namespace detail {

// What memory holds of a number, as kernels store it: cut off at 0 and 1, and 8 bits are not rounded.
inline void store_fixed(float value, unsigned char &to) {
    to = static_cast<unsigned char>((value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f) * 255.0f);
}
inline void store_fixed(float value, unsigned short &to) {
    const float unit = value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
    to = static_cast<unsigned short>((static_cast<int>(unit * 131070.0f) + 1) / 2);
}
inline float load_fixed(unsigned char stored) { return static_cast<float>(stored) / 255.0f; }
inline float load_fixed(unsigned short stored) { return static_cast<float>(stored) / 65535.0f; }

} // namespace detail

// Made of integers they hold these, made of floats what is nearest below, or, of 16 bits, nearest.
#define BROOK_FIXED_TYPES(NAME, STORED)                                                         \
    struct NAME {                                                                               \
        typedef STORED fixed_point;                                                             \
        STORED x;                                                                               \
        NAME() = default;                                                                       \
        NAME(STORED x_) : x(x_) {}                                                              \
        NAME(float x_) { detail::store_fixed(x_, x); }                                          \
        operator float() const { return detail::load_fixed(x); }                                \
    };                                                                                          \
    struct NAME##2 {                                                                            \
        typedef STORED fixed_point;                                                             \
        STORED x, y;                                                                            \
        NAME##2() = default;                                                                    \
        NAME##2(STORED x_, STORED y_) : x(x_), y(y_) {}                                         \
        NAME##2(float x_, float y_) {                                                           \
            detail::store_fixed(x_, x);                                                         \
            detail::store_fixed(y_, y);                                                         \
        }                                                                                       \
        operator float2() const { return float2(detail::load_fixed(x), detail::load_fixed(y)); } \
    };                                                                                          \
    struct NAME##3 {                                                                            \
        typedef STORED fixed_point;                                                             \
        STORED x, y, z;                                                                         \
        NAME##3() = default;                                                                    \
        NAME##3(STORED x_, STORED y_, STORED z_) : x(x_), y(y_), z(z_) {}                       \
        NAME##3(float x_, float y_, float z_) {                                                 \
            detail::store_fixed(x_, x);                                                         \
            detail::store_fixed(y_, y);                                                         \
            detail::store_fixed(z_, z);                                                         \
        }                                                                                       \
        operator float3() const {                                                               \
            return float3(detail::load_fixed(x), detail::load_fixed(y), detail::load_fixed(z)); \
        }                                                                                       \
    };                                                                                          \
    struct NAME##4 {                                                                            \
        typedef STORED fixed_point;                                                             \
        STORED x, y, z, w;                                                                      \
        NAME##4() = default;                                                                    \
        NAME##4(STORED x_, STORED y_, STORED z_, STORED w_) : x(x_), y(y_), z(z_), w(w_) {}     \
        NAME##4(float x_, float y_, float z_, float w_) {                                       \
            detail::store_fixed(x_, x);                                                         \
            detail::store_fixed(y_, y);                                                         \
            detail::store_fixed(z_, z);                                                         \
            detail::store_fixed(w_, w);                                                         \
        }                                                                                       \
        operator float4() const {                                                               \
            return float4(detail::load_fixed(x), detail::load_fixed(y), detail::load_fixed(z), detail::load_fixed(w)); \
        }                                                                                       \
    };

BROOK_FIXED_TYPES(fixed, unsigned char)
BROOK_FIXED_TYPES(shortfixed, unsigned short)
#undef BROOK_FIXED_TYPES

} // namespace brook

#ifndef BROOK_NO_GLOBAL_VECTORS
using brook::fixed;
using brook::fixed2;
using brook::fixed3;
using brook::fixed4;
using brook::shortfixed;
using brook::shortfixed2;
using brook::shortfixed3;
using brook::shortfixed4;
#endif

#endif
