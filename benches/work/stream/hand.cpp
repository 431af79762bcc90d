// STREAM's four loops: `same` as everybody writes them, `nontemporal` past the cache where the compiler knows
// how, which saves reading what is about to be overwritten.
#ifdef __SSE2__
#include <immintrin.h>
#endif

struct copy {
  static REAL at(REAL, REAL x, REAL) { return x; }
};
struct mul {
  static REAL at(REAL alpha, REAL x, REAL) { return alpha * x; }
};
struct add {
  static REAL at(REAL, REAL x, REAL y) { return x + y; }
};
struct triad {
  static REAL at(REAL alpha, REAL x, REAL y) { return x + alpha * y; }
};

template <class Op>
static void same(const int n, const REAL alpha, const REAL *__restrict__ x,
                 const REAL *__restrict__ y, REAL *__restrict__ z) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) z[i] = Op::at(alpha, x[i], y[i]);
}

template <class Op>
static void nontemporal(const int n, const REAL alpha, const REAL *__restrict__ x,
                        const REAL *__restrict__ y, REAL *__restrict__ z) {
#ifdef __SSE2__
  // Buffers begin at multiples of a vector's size.
  constexpr int width = 64 / sizeof(REAL);
#pragma omp parallel for
  for (int i = 0; i < n / width; ++i) {
    alignas(64) REAL line[width];
    for (int k = 0; k < width; ++k) {
      line[k] = Op::at(alpha, x[i * width + k], y[i * width + k]);
    }
    for (int k = 0; k < 4; ++k) {
      _mm_stream_si128((__m128i *) (z + i * width) + k, ((const __m128i *) line)[k]);
    }
  }
  _mm_sfence();
  for (int i = n / width * width; i < n; ++i) z[i] = Op::at(alpha, x[i], y[i]);
#else
  same<Op>(n, alpha, x, y, z);
#endif
}

#define KERNELS(Op)               \
  LAUNCHER(Op##_same, same<Op>)   \
  LAUNCHER(Op##_nontemporal, nontemporal<Op>)

KERNELS(copy)
KERNELS(mul)
KERNELS(add)
KERNELS(triad)
