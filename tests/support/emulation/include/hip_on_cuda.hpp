// Spells HIP's device functions in CUDA's words, so that source generated for
// HIP can be compiled by NVRTC or nvcc and tested on an NVIDIA device.
//
// Generated HIP source says `#include <hip/hip_runtime.h>`. A macro cannot
// redirect that, so put the directory hip_shim on the include
// path: its hip/hip_runtime.h includes this file, or, when the compiler is an
// ordinary one, simt.hpp. With NVRTC that is
//   --include-path=hip_shim
// and with nvcc -I hip_shim.
//
// What is the same in both languages is not repeated here: threadIdx,
// __shared__, __syncthreads, atomicAdd, dim3 and so on.
//
// A warp has 32 lanes here. Source that was generated for 64 must ask warpSize.

#ifndef BROOK_HIP_ON_CUDA
#define BROOK_HIP_ON_CUDA 1

#if !defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#error "hip_on_cuda.hpp is for NVRTC and nvcc; for an ordinary compiler take simt.hpp"
#endif

#ifndef __HIP_PLATFORM_NVIDIA__
#define __HIP_PLATFORM_NVIDIA__ 1
#endif

#include "hip_vectors.hpp"

#if defined(__CUDACC_RTC__)
// What source for HIP says by builtins of clang where there is no <math.h>.
#define __builtin_huge_val() __longlong_as_double(0x7ff0000000000000ll)
#define __builtin_huge_valf() __int_as_float(0x7f800000)
#define __builtin_inff() __int_as_float(0x7f800000)
#define __builtin_inf() __longlong_as_double(0x7ff0000000000000ll)
#define __builtin_nanf(tag) __int_as_float(0x7fc00000)
#define __builtin_nan(tag) __longlong_as_double(0x7ff8000000000000ll)
#endif

// HIP's warp functions have no mask: the active lanes take part.
template <class T>
__device__ __forceinline__ T __shfl(T value, int lane, int width = 32) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template <class T>
__device__ __forceinline__ T __shfl_up(T value, unsigned int delta, int width = 32) {
  return __shfl_up_sync(__activemask(), value, delta, width);
}
template <class T>
__device__ __forceinline__ T __shfl_down(T value, unsigned int delta, int width = 32) {
  return __shfl_down_sync(__activemask(), value, delta, width);
}
template <class T>
__device__ __forceinline__ T __shfl_xor(T value, int lanes, int width = 32) {
  return __shfl_xor_sync(__activemask(), value, lanes, width);
}
// CUDA still declares these names, with types of its own: hence the macros.
__device__ __forceinline__ unsigned long long brook_hip_ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}
__device__ __forceinline__ int brook_hip_any(int predicate) {
  return __any_sync(__activemask(), predicate);
}
__device__ __forceinline__ int brook_hip_all(int predicate) {
  return __all_sync(__activemask(), predicate);
}
#define __ballot(predicate) brook_hip_ballot(predicate)
#define __any(predicate) brook_hip_any(predicate)
#define __all(predicate) brook_hip_all(predicate)
__device__ __forceinline__ unsigned int __lane_id() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// Built-in names of the AMD compiler that generated code may use.
#define __builtin_amdgcn_s_barrier() __syncthreads()
#define __builtin_amdgcn_wave_barrier() __syncwarp(__activemask())
#define __builtin_amdgcn_fence(...) __threadfence()

#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];

// Atomics that HIP has and CUDA lacks.
#define BROOK_HIP_CAS_LOOP(name, type, bits, to_bits, from_bits, expression) \
  __device__ __forceinline__ type name(type *address, type value) {          \
    bits *word = reinterpret_cast<bits *>(address);                          \
    bits seen = *word;                                                       \
    for (;;) {                                                               \
      const type old = from_bits(seen);                                      \
      const bits before = atomicCAS(word, seen, to_bits(expression));        \
      if (before == seen) return old;                                        \
      seen = before;                                                         \
    }                                                                        \
  }
#define BROOK_HIP_FLOAT_LOOP(name, expression) \
  BROOK_HIP_CAS_LOOP(name, float, int, __float_as_int, __int_as_float, expression)
#define BROOK_HIP_DOUBLE_LOOP(name, expression)                                        \
  BROOK_HIP_CAS_LOOP(name, double, unsigned long long, BROOK_HIP_TO_BITS,              \
                     BROOK_HIP_FROM_BITS, expression)
#define BROOK_HIP_TO_BITS(x) static_cast<unsigned long long>(__double_as_longlong(x))
#define BROOK_HIP_FROM_BITS(x) __longlong_as_double(static_cast<long long>(x))

BROOK_HIP_FLOAT_LOOP(atomicMin, value < old ? value : old)
BROOK_HIP_FLOAT_LOOP(atomicMax, value > old ? value : old)
BROOK_HIP_DOUBLE_LOOP(atomicMin, value < old ? value : old)
BROOK_HIP_DOUBLE_LOOP(atomicMax, value > old ? value : old)
#undef BROOK_HIP_FLOAT_LOOP
#undef BROOK_HIP_DOUBLE_LOOP
#undef BROOK_HIP_CAS_LOOP

__device__ __forceinline__ float atomicSub(float *address, float value) {
  return atomicAdd(address, -value);
}
__device__ __forceinline__ double atomicSub(double *address, double value) {
  return atomicAdd(address, -value);
}
__device__ __forceinline__ unsigned long long atomicSub(unsigned long long *address,
                                                        unsigned long long value) {
  return atomicAdd(address, 0ull - value);
}
__device__ __forceinline__ double atomicExch(double *address, double value) {
  return BROOK_HIP_FROM_BITS(
      atomicExch(reinterpret_cast<unsigned long long *>(address), BROOK_HIP_TO_BITS(value)));
}
__device__ __forceinline__ float atomicCAS(float *address, float compare, float value) {
  return __int_as_float(atomicCAS(reinterpret_cast<int *>(address), __float_as_int(compare),
                                  __float_as_int(value)));
}
__device__ __forceinline__ double atomicCAS(double *address, double compare, double value) {
  return BROOK_HIP_FROM_BITS(atomicCAS(reinterpret_cast<unsigned long long *>(address),
                                       BROOK_HIP_TO_BITS(compare), BROOK_HIP_TO_BITS(value)));
}
#undef BROOK_HIP_TO_BITS
#undef BROOK_HIP_FROM_BITS

// `unsigned long` is a type of its own. Where it has 64 bits:
#if defined(__LP64__) || defined(__SIZEOF_LONG__) && __SIZEOF_LONG__ == 8
#define BROOK_HIP_LONG(name)                                                           \
  __device__ __forceinline__ unsigned long name(unsigned long *address, unsigned long value) { \
    return name(reinterpret_cast<unsigned long long *>(address),                       \
                static_cast<unsigned long long>(value));                               \
  }
BROOK_HIP_LONG(atomicAdd)
BROOK_HIP_LONG(atomicSub)
BROOK_HIP_LONG(atomicExch)
#undef BROOK_HIP_LONG
__device__ __forceinline__ unsigned long atomicCAS(unsigned long *address, unsigned long compare,
                                                   unsigned long value) {
  return atomicCAS(reinterpret_cast<unsigned long long *>(address),
                   static_cast<unsigned long long>(compare),
                   static_cast<unsigned long long>(value));
}
#endif

__device__ __forceinline__ float unsafeAtomicAdd(float *address, float value) {
  return atomicAdd(address, value);
}
__device__ __forceinline__ double unsafeAtomicAdd(double *address, double value) {
  return atomicAdd(address, value);
}

// HIP's functions of mathematics take integers, and numbers of different types, as C++'s own do: in double.
// NVRTC's are overloaded for float and double only.
namespace brook_hip {
template <class T> struct rank { static const int value = 0; };
#define BROOK_HIP_RANK(type, number) \
  template <> struct rank<type> { static const int value = number; };
BROOK_HIP_RANK(bool, 1)
BROOK_HIP_RANK(char, 1)
BROOK_HIP_RANK(signed char, 1)
BROOK_HIP_RANK(unsigned char, 1)
BROOK_HIP_RANK(short, 1)
BROOK_HIP_RANK(unsigned short, 1)
BROOK_HIP_RANK(int, 1)
BROOK_HIP_RANK(unsigned int, 1)
BROOK_HIP_RANK(long, 1)
BROOK_HIP_RANK(unsigned long, 1)
BROOK_HIP_RANK(long long, 1)
BROOK_HIP_RANK(unsigned long long, 1)
BROOK_HIP_RANK(float, 2)
BROOK_HIP_RANK(double, 3)
#undef BROOK_HIP_RANK
// The type R, where it is numbers that are called with, and no function of CUDA's has just their types.
template <bool wanted, class R> struct only {};
template <class R> struct only<true, R> { typedef R type; };
template <class R, class A> struct integer : only<rank<A>::value == 1, R> {};
template <class R, class A, class B, class C = B>
struct mixed : only<rank<A>::value * rank<B>::value * rank<C>::value != 0 &&
                        !(rank<A>::value == 2 && rank<B>::value == 2 && rank<C>::value == 2) &&
                        !(rank<A>::value == 3 && rank<B>::value == 3 && rank<C>::value == 3),
                    R> {};
}  // namespace brook_hip
#define BROOK_HIP_UNARY(result, name)                                                          \
  template <class A>                                                                           \
  __device__ __forceinline__ typename brook_hip::integer<result, A>::type name(A a) {          \
    return name(static_cast<double>(a));                                                       \
  }
BROOK_HIP_UNARY(double, acos)
BROOK_HIP_UNARY(double, asin)
BROOK_HIP_UNARY(double, atan)
BROOK_HIP_UNARY(double, cbrt)
BROOK_HIP_UNARY(double, ceil)
BROOK_HIP_UNARY(double, cos)
BROOK_HIP_UNARY(double, cosh)
BROOK_HIP_UNARY(double, erf)
BROOK_HIP_UNARY(double, exp)
BROOK_HIP_UNARY(double, exp2)
BROOK_HIP_UNARY(double, expm1)
BROOK_HIP_UNARY(double, fabs)
BROOK_HIP_UNARY(double, floor)
BROOK_HIP_UNARY(double, log)
BROOK_HIP_UNARY(double, log10)
BROOK_HIP_UNARY(double, log1p)
BROOK_HIP_UNARY(double, log2)
BROOK_HIP_UNARY(double, rint)
BROOK_HIP_UNARY(double, round)
BROOK_HIP_UNARY(double, sin)
BROOK_HIP_UNARY(double, sinh)
BROOK_HIP_UNARY(double, sqrt)
BROOK_HIP_UNARY(double, tan)
BROOK_HIP_UNARY(double, tanh)
BROOK_HIP_UNARY(double, trunc)
BROOK_HIP_UNARY(bool, isfinite)
BROOK_HIP_UNARY(bool, isinf)
BROOK_HIP_UNARY(bool, isnan)
#undef BROOK_HIP_UNARY
#define BROOK_HIP_BINARY(name)                                                                     \
  template <class A, class B>                                                                      \
  __device__ __forceinline__ typename brook_hip::mixed<double, A, B>::type name(A a, B b) {        \
    return name(static_cast<double>(a), static_cast<double>(b));                                   \
  }
BROOK_HIP_BINARY(atan2)
BROOK_HIP_BINARY(copysign)
BROOK_HIP_BINARY(fdim)
BROOK_HIP_BINARY(fmax)
BROOK_HIP_BINARY(fmin)
BROOK_HIP_BINARY(fmod)
BROOK_HIP_BINARY(hypot)
BROOK_HIP_BINARY(pow)
#undef BROOK_HIP_BINARY
template <class A, class B, class C>
__device__ __forceinline__ typename brook_hip::mixed<double, A, B, C>::type fma(A a, B b, C c) {
  return fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c));
}

#endif  // BROOK_HIP_ON_CUDA
