// Vectors of two and four numbers, as kernels have them.
#ifndef OCCA_TYPES_TUPLES_HPP
#define OCCA_TYPES_TUPLES_HPP

#include <cmath>
#include <ostream>

namespace occa {

template <class T> class type2 {
  public:
    union {
        T s0, x;
    };
    union {
        T s1, y;
    };

    type2() : x(0), y(0) {}
    type2(const T &x_) : x(x_), y(0) {}
    type2(const T &x_, const T &y_) : x(x_), y(y_) {}
};

template <class T> class type4 {
  public:
    union {
        T s0, x;
    };
    union {
        T s1, y;
    };
    union {
        T s2, z;
    };
    union {
        T s3, w;
    };

    type4() : x(0), y(0), z(0), w(0) {}
    type4(const T &x_) : x(x_), y(0), z(0), w(0) {}
    type4(const T &x_, const T &y_) : x(x_), y(y_), z(0), w(0) {}
    type4(const T &x_, const T &y_, const T &z_) : x(x_), y(y_), z(z_), w(0) {}
    type4(const T &x_, const T &y_, const T &z_, const T &w_) : x(x_), y(y_), z(z_), w(w_) {}
};

// Component by component, between vectors, and between a vector and a number.
#define OCCA_TUPLE_OPERATOR_(OP)                                                                         \
    template <class T> type2<T> operator OP(const type2<T> &a, const type2<T> &b) {                      \
        return type2<T>(a.x OP b.x, a.y OP b.y);                                                         \
    }                                                                                                    \
    template <class T> type2<T> operator OP(const T a, const type2<T> &b) { return type2<T>(a, a) OP b; } \
    template <class T> type2<T> operator OP(const type2<T> &a, const T b) { return a OP type2<T>(b, b); } \
    template <class T> type2<T> &operator OP##=(type2<T> &a, const type2<T> &b) { return a = a OP b; }   \
    template <class T> type2<T> &operator OP##=(type2<T> &a, const T b) { return a = a OP b; }           \
    template <class T> type4<T> operator OP(const type4<T> &a, const type4<T> &b) {                      \
        return type4<T>(a.x OP b.x, a.y OP b.y, a.z OP b.z, a.w OP b.w);                                 \
    }                                                                                                    \
    template <class T> type4<T> operator OP(const T a, const type4<T> &b) {                              \
        return type4<T>(a, a, a, a) OP b;                                                                \
    }                                                                                                    \
    template <class T> type4<T> operator OP(const type4<T> &a, const T b) {                              \
        return a OP type4<T>(b, b, b, b);                                                                \
    }                                                                                                    \
    template <class T> type4<T> &operator OP##=(type4<T> &a, const type4<T> &b) { return a = a OP b; }   \
    template <class T> type4<T> &operator OP##=(type4<T> &a, const T b) { return a = a OP b; }

OCCA_TUPLE_OPERATOR_(+)
OCCA_TUPLE_OPERATOR_(-)
OCCA_TUPLE_OPERATOR_(*)
OCCA_TUPLE_OPERATOR_(/)
#undef OCCA_TUPLE_OPERATOR_

template <class T> type2<T> operator-(const type2<T> &a) { return type2<T>(-a.x, -a.y); }
template <class T> type4<T> operator-(const type4<T> &a) { return type4<T>(-a.x, -a.y, -a.z, -a.w); }

template <class T> double dot(const type2<T> &a, const type2<T> &b) { return a.x * b.x + a.y * b.y; }
template <class T> double dot(const type4<T> &a, const type4<T> &b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
template <class T> double length(const type2<T> &a) { return std::sqrt(dot(a, a)); }
template <class T> double length(const type4<T> &a) { return std::sqrt(dot(a, a)); }
template <class T> type2<T> normalize(const type2<T> &a) {
    const double by = 1 / length(a);
    return type2<T>(static_cast<T>(by * a.x), static_cast<T>(by * a.y));
}
template <class T> type4<T> normalize(const type4<T> &a) {
    const double by = 1 / length(a);
    return type4<T>(static_cast<T>(by * a.x), static_cast<T>(by * a.y), static_cast<T>(by * a.z), static_cast<T>(by * a.w));
}
// Between two numbers; of a vector each component.
template <class T> T clamp(const T &value, const T least, const T most) {
    return value < least ? least : most < value ? most : value;
}
template <class T, class U> type2<T> clamp(const type2<T> &a, const U least, const U most) {
    const T low = static_cast<T>(least), high = static_cast<T>(most);
    return type2<T>(clamp(a.x, low, high), clamp(a.y, low, high));
}
template <class T, class U> type4<T> clamp(const type4<T> &a, const U least, const U most) {
    const T low = static_cast<T>(least), high = static_cast<T>(most);
    return type4<T>(clamp(a.x, low, high), clamp(a.y, low, high), clamp(a.z, low, high), clamp(a.w, low, high));
}
// As OCCA has it: b × a, of three components.
inline type4<float> cross(const type4<float> &a, const type4<float> &b) {
    return type4<float>(a.z * b.y - b.z * a.y, a.x * b.z - b.x * a.z, a.y * b.x - b.y * a.x);
}
inline type4<double> cross(const type4<double> &a, const type4<double> &b) {
    return type4<double>(a.z * b.y - b.z * a.y, a.x * b.z - b.x * a.z, a.y * b.x - b.y * a.x);
}

template <class T> std::ostream &operator<<(std::ostream &out, const type2<T> &a) {
    return out << '[' << a.x << ", " << a.y << ']';
}
template <class T> std::ostream &operator<<(std::ostream &out, const type4<T> &a) {
    return out << '[' << a.x << ", " << a.y << ", " << a.z << ", " << a.w << ']';
}

// Three have the room of four.
typedef type2<unsigned char> uchar2;
typedef type4<unsigned char> uchar3;
typedef type4<unsigned char> uchar4;
typedef type2<char> char2;
typedef type4<char> char3;
typedef type4<char> char4;
typedef type2<unsigned short> ushort2;
typedef type4<unsigned short> ushort3;
typedef type4<unsigned short> ushort4;
typedef type2<short> short2;
typedef type4<short> short3;
typedef type4<short> short4;
typedef type2<unsigned int> uint2;
typedef type4<unsigned int> uint3;
typedef type4<unsigned int> uint4;
typedef type2<int> int2;
typedef type4<int> int3;
typedef type4<int> int4;
typedef type2<unsigned long> ulong2;
typedef type4<unsigned long> ulong3;
typedef type4<unsigned long> ulong4;
typedef type2<long> long2;
typedef type4<long> long3;
typedef type4<long> long4;
typedef type2<float> float2;
typedef type4<float> float3;
typedef type4<float> float4;
typedef type2<double> double2;
typedef type4<double> double3;
typedef type4<double> double4;

} // namespace occa

#endif
