// Short vectors on the host: packed, with the alignment of their components, as streams hold them.
#ifndef BROOK_VECTOR_HPP
#define BROOK_VECTOR_HPP

// The same types that a C library may define; repeating a typedef is allowed.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

namespace brook {

#define BROOK_VECTORS(NAME, SCALAR)                                                             \
    struct NAME##2 {                                                                            \
        typedef SCALAR scalar;                                                                  \
        SCALAR x, y;                                                                            \
        NAME##2() = default;                                                                    \
        constexpr NAME##2(SCALAR x_, SCALAR y_) : x(x_), y(y_) {}                               \
    };                                                                                          \
    struct NAME##3 {                                                                            \
        typedef SCALAR scalar;                                                                  \
        SCALAR x, y, z;                                                                         \
        NAME##3() = default;                                                                    \
        constexpr NAME##3(SCALAR x_, SCALAR y_, SCALAR z_) : x(x_), y(y_), z(z_) {}             \
    };                                                                                          \
    struct NAME##4 {                                                                            \
        typedef SCALAR scalar;                                                                  \
        SCALAR x, y, z, w;                                                                      \
        NAME##4() = default;                                                                    \
        constexpr NAME##4(SCALAR x_, SCALAR y_, SCALAR z_, SCALAR w_)                           \
            : x(x_), y(y_), z(z_), w(w_) {}                                                     \
    };

BROOK_VECTORS(char, signed char)
BROOK_VECTORS(uchar, unsigned char)
BROOK_VECTORS(short, short)
BROOK_VECTORS(ushort, unsigned short)
BROOK_VECTORS(int, int)
BROOK_VECTORS(uint, unsigned int)
BROOK_VECTORS(float, float)
#undef BROOK_VECTORS

struct double2 {
    typedef double scalar;
    double x, y;
    double2() = default;
    constexpr double2(double x_, double y_) : x(x_), y(y_) {}
};

} // namespace brook

// CUDA and HIP have vectors of the same names: where their headers come first, these keep them.
#if !defined(BROOK_NO_GLOBAL_VECTORS) && !defined(__VECTOR_TYPES_H__) && !defined(HIP_INCLUDE_HIP_HIP_VECTOR_TYPES_H)
#define BROOK_GLOBAL(NAME)                                                                      \
    using brook::NAME##2;                                                                       \
    using brook::NAME##3;                                                                       \
    using brook::NAME##4;
BROOK_GLOBAL(char)
BROOK_GLOBAL(uchar)
BROOK_GLOBAL(short)
BROOK_GLOBAL(ushort)
BROOK_GLOBAL(int)
BROOK_GLOBAL(uint)
BROOK_GLOBAL(float)
using brook::double2;
#undef BROOK_GLOBAL
#endif

#endif
