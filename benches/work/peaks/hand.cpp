#include <cstring>
#include <omp.h>

#ifdef __AVX512F__
#define BYTES 64
#else
#define BYTES 32
#endif

// As many multiply-adds as the processor can do: sixteen independent chains of vectors a thread.
template <class T>
static void chains(const int rounds, T *result) {
  typedef T vector __attribute__((vector_size(BYTES)));
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    const int chains = 12;
    vector x[chains];
    const vector m = vector{} + T(0.999999), b = vector{} + T(1e-6);
    for (int k = 0; k < chains; ++k) x[k] = vector{} + T(thread + k);
    for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
      for (int k = 0; k < chains; ++k) x[k] = x[k] * m + b;
    }
    vector sum = {};
    for (int k = 0; k < chains; ++k) sum += x[k];
    result[thread] = sum[0];
    // So that the host knows how many there were.
#pragma omp single
    result[4095] = T(omp_get_num_threads()) * T(chains * (BYTES / sizeof(T)));
  }
}

LAUNCHER(fma_float, chains<float>)
LAUNCHER(fma_double, chains<double>)

// Copies in the ways that processors have: each thread calls memcpy, which does without the cache, and a loop.
static void copy_memcpy(const int n, const double *from, double *to) {
#pragma omp parallel
  {
    const std::size_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const std::size_t begin = n * thread / threads, end = n * (thread + 1) / threads;
    std::memcpy(to + begin, from + begin, (end - begin) * sizeof(double));
  }
}

static void copy_loop(const int n, const double *__restrict__ from, double *__restrict__ to) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) to[i] = from[i];
}

LAUNCHER(copy_memcpy, copy_memcpy)
LAUNCHER(copy_loop, copy_loop)
