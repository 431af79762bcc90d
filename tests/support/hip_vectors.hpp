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
#define BROOK_HIP_VECTORS_OF(B, S)                                                                 \
  BROOK_HIP_VECTOR(B##2, S, BROOK_HIP_EACH_2)                                                      \
  BROOK_HIP_VECTOR(B##3, S, BROOK_HIP_EACH_3)                                                      \
  BROOK_HIP_VECTOR(B##4, S, BROOK_HIP_EACH_4)

BROOK_HIP_VECTORS_OF(char, signed char)
BROOK_HIP_VECTORS_OF(uchar, unsigned char)
BROOK_HIP_VECTORS_OF(short, short)
BROOK_HIP_VECTORS_OF(ushort, unsigned short)
BROOK_HIP_VECTORS_OF(int, int)
BROOK_HIP_VECTORS_OF(uint, unsigned int)
BROOK_HIP_VECTORS_OF(float, float)
// Longer ones of 64 bits are the prelude's own.
BROOK_HIP_VECTOR(long2, long, BROOK_HIP_EACH_2)
BROOK_HIP_VECTOR(ulong2, unsigned long, BROOK_HIP_EACH_2)
BROOK_HIP_VECTOR(double2, double, BROOK_HIP_EACH_2)

#undef BROOK_HIP_VECTORS_OF
#undef BROOK_HIP_VECTOR
#undef BROOK_HIP_OPERATORS
#endif
