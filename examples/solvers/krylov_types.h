// Types of the linear algebra kernels, chosen by p_useDouble, and the block
// reductions that they share.
#ifndef KRYLOV_TYPES_H
#define KRYLOV_TYPES_H

#ifndef p_useDouble
#define p_useDouble 1
#endif

#if p_useDouble
typedef double dfloat;
#else
typedef float dfloat;
#endif
typedef float pfloat;  // preconditioners
typedef int dlong;

#ifndef p_blockSize
#define p_blockSize 128
#endif
#if (p_blockSize & (p_blockSize - 1)) != 0
#error "p_blockSize must be a power of two"
#endif

// Reads through the read-only cache where there is one.
inline dfloat loadReadOnly(const dfloat *p) {
#if defined(BROOK_BACKEND_CUDA) || defined(BROOK_BACKEND_HIP)
  return __ldg(p);
#else
  return *p;
#endif
}

// One round of a tree reduction of the shared array `s`: an @inner nest.
#define REDUCE_ROUND(s, half)                              \
  for (int t = 0; t < p_blockSize; ++t; @inner(0)) {       \
    if (t < (half)) s[t] += s[t + (half)];                 \
  }

#define REDUCE_ROUND_MAX(s, half)                          \
  for (int t = 0; t < p_blockSize; ++t; @inner(0)) {       \
    if (t < (half)) s[t] = fmax(s[t], s[t + (half)]);      \
  }

#if p_blockSize >= 1024
#define REDUCE_512(s, ROUND) ROUND(s, 512)
#else
#define REDUCE_512(s, ROUND)
#endif
#if p_blockSize >= 512
#define REDUCE_256(s, ROUND) ROUND(s, 256)
#else
#define REDUCE_256(s, ROUND)
#endif
#if p_blockSize >= 256
#define REDUCE_128(s, ROUND) ROUND(s, 128)
#else
#define REDUCE_128(s, ROUND)
#endif
#if p_blockSize >= 128
#define REDUCE_64(s, ROUND) ROUND(s, 64)
#else
#define REDUCE_64(s, ROUND)
#endif

// All rounds; the result is in s[0].
#define REDUCE_WITH(s, ROUND) \
  REDUCE_512(s, ROUND)        \
  REDUCE_256(s, ROUND)        \
  REDUCE_128(s, ROUND)        \
  REDUCE_64(s, ROUND)         \
  ROUND(s, 32)                \
  ROUND(s, 16)                \
  ROUND(s, 8)                 \
  ROUND(s, 4)                 \
  ROUND(s, 2)                 \
  ROUND(s, 1)

#define REDUCE(s) REDUCE_WITH(s, REDUCE_ROUND)
#define REDUCE_MAX(s) REDUCE_WITH(s, REDUCE_ROUND_MAX)

#endif
