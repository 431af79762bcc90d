// HIP's operators on its vector types, for the stand-ins of HIP's header: with another vector, and with
// any number, which is converted to the components' type.

#ifndef BROOK_HIP_VECTORS
#define BROOK_HIP_VECTORS 1

#define BROOK_HIP_EACH_2(F) F(x) F(y)
#define BROOK_HIP_EACH_3(F) F(x) F(y) F(z)
#define BROOK_HIP_EACH_4(F) F(x) F(y) F(z) F(w)

#define BROOK_HIP_OPERATORS(V, S, EACH, OP, NAME)                                                  \
  __device__ inline V &operator OP##=(V &a, V b) {                                                 \
    EACH(BROOK_HIP_##NAME)                                                                         \
    return a;                                                                                      \
  }                                                                                                \
  __device__ inline V operator OP(V a, V b) { return a OP##= b; }                                  \
  template <class U> __device__ inline auto operator OP(V a, U b) -> decltype((S)b, V()) {         \
    return a OP##= brook_hip_splat(V(), (S)b);                                                     \
  }                                                                                                \
  template <class U> __device__ inline auto operator OP(U a, V b) -> decltype((S)a, V()) {         \
    V all = brook_hip_splat(V(), (S)a);                                                            \
    return all OP##= b;                                                                            \
  }                                                                                                \
  template <class U> __device__ inline auto operator OP##=(V &a, U b) -> decltype((S)b, (V &)a) {  \
    return a OP##= brook_hip_splat(V(), (S)b);                                                     \
  }
#define BROOK_HIP_ADD(c) a.c = a.c + b.c;
#define BROOK_HIP_SUBTRACT(c) a.c = a.c - b.c;
#define BROOK_HIP_MULTIPLY(c) a.c = a.c * b.c;
#define BROOK_HIP_DIVIDE(c) a.c = a.c / b.c;
#define BROOK_HIP_REMAINDER(c) a.c = a.c % b.c;
#define BROOK_HIP_AND(c) a.c = a.c & b.c;
#define BROOK_HIP_OR(c) a.c = a.c | b.c;
#define BROOK_HIP_XOR(c) a.c = a.c ^ b.c;
#define BROOK_HIP_LEFT(c) a.c = a.c << b.c;
#define BROOK_HIP_RIGHT(c) a.c = a.c >> b.c;
#define BROOK_HIP_INVERT(c) v.c = ~v.c;
#define BROOK_HIP_SET(c) v.c = s;
#define BROOK_HIP_NEGATE(c) v.c = -v.c;
#define BROOK_HIP_VECTOR(V, S, EACH)                                                               \
  __device__ inline V brook_hip_splat(V v, S s) {                                                  \
    EACH(BROOK_HIP_SET)                                                                            \
    return v;                                                                                      \
  }                                                                                                \
  __device__ inline V operator-(V v) {                                                             \
    EACH(BROOK_HIP_NEGATE)                                                                         \
    return v;                                                                                      \
  }                                                                                                \
  BROOK_HIP_OPERATORS(V, S, EACH, +, ADD)                                                          \
  BROOK_HIP_OPERATORS(V, S, EACH, -, SUBTRACT)                                                     \
  BROOK_HIP_OPERATORS(V, S, EACH, *, MULTIPLY)                                                     \
  BROOK_HIP_OPERATORS(V, S, EACH, /, DIVIDE)
#define BROOK_HIP_INTEGERS(V, S, EACH)                                                             \
  BROOK_HIP_VECTOR(V, S, EACH)                                                                     \
  __device__ inline V operator~(V v) {                                                             \
    EACH(BROOK_HIP_INVERT)                                                                         \
    return v;                                                                                      \
  }                                                                                                \
  BROOK_HIP_OPERATORS(V, S, EACH, %, REMAINDER)                                                    \
  BROOK_HIP_OPERATORS(V, S, EACH, &, AND)                                                          \
  BROOK_HIP_OPERATORS(V, S, EACH, |, OR)                                                           \
  BROOK_HIP_OPERATORS(V, S, EACH, ^, XOR)                                                          \
  BROOK_HIP_OPERATORS(V, S, EACH, <<, LEFT)                                                        \
  BROOK_HIP_OPERATORS(V, S, EACH, >>, RIGHT)
#define BROOK_HIP_VECTORS_OF(KIND, B, S)                                                           \
  KIND(B##2, S, BROOK_HIP_EACH_2)                                                                  \
  KIND(B##3, S, BROOK_HIP_EACH_3)                                                                  \
  KIND(B##4, S, BROOK_HIP_EACH_4)

BROOK_HIP_VECTORS_OF(BROOK_HIP_INTEGERS, char, signed char)
BROOK_HIP_VECTORS_OF(BROOK_HIP_INTEGERS, uchar, unsigned char)
BROOK_HIP_VECTORS_OF(BROOK_HIP_INTEGERS, short, short)
BROOK_HIP_VECTORS_OF(BROOK_HIP_INTEGERS, ushort, unsigned short)
BROOK_HIP_VECTORS_OF(BROOK_HIP_INTEGERS, int, int)
BROOK_HIP_VECTORS_OF(BROOK_HIP_INTEGERS, uint, unsigned int)
BROOK_HIP_VECTORS_OF(BROOK_HIP_VECTOR, float, float)
// Longer ones of 64 bits are the prelude's own.
BROOK_HIP_INTEGERS(long2, long, BROOK_HIP_EACH_2)
BROOK_HIP_INTEGERS(ulong2, unsigned long, BROOK_HIP_EACH_2)
BROOK_HIP_VECTOR(double2, double, BROOK_HIP_EACH_2)

#undef BROOK_HIP_VECTORS_OF
#undef BROOK_HIP_VECTOR
#undef BROOK_HIP_OPERATORS
#endif
