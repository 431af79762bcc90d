// STREAM's four loops in the ways that CUDA programmers write them.
//
// - same: one element a thread
// - grid_stride: as many blocks as run at a time, each thread goes on by the size of the grid
// - wide: 16 bytes a thread in one access
// - wide4: four such accesses a thread, a block's width apart, all loads before the first store

struct copy {
  static __device__ REAL at(REAL, REAL x, REAL) { return x; }
};
struct mul {
  static __device__ REAL at(REAL alpha, REAL x, REAL) { return alpha * x; }
};
struct add {
  static __device__ REAL at(REAL, REAL x, REAL y) { return x + y; }
};
struct triad {
  static __device__ REAL at(REAL alpha, REAL x, REAL y) { return x + alpha * y; }
};

#define WIDTH (16 / (int) sizeof(REAL))

struct alignas(16) Wide {
  REAL v[WIDTH];
};

template <class Op>
static __device__ Wide at(REAL alpha, const Wide &x, const Wide &y) {
  Wide z;
#pragma unroll
  for (int k = 0; k < WIDTH; ++k) z.v[k] = Op::at(alpha, x.v[k], y.v[k]);
  return z;
}

// What is left over after whole vectors: less than one.
template <class Op>
static __device__ void tail(int n, REAL alpha, const REAL *x, const REAL *y, REAL *z) {
  const int i = n / WIDTH * WIDTH + (int) (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) z[i] = Op::at(alpha, x[i], y[i]);
}

#define PARAMETERS                                                                        \
  const int n, const REAL alpha, const REAL *__restrict__ x, const REAL *__restrict__ y,  \
      REAL *__restrict__ z

// Loads of y that an operation does not use are removed by the compiler.
#define KERNELS(Op)                                                                       \
  extern "C" __global__ __launch_bounds__(256) void Op##_same(PARAMETERS) {               \
    const int i = blockIdx.x * 256 + threadIdx.x;                                         \
    if (i < n) z[i] = Op::at(alpha, x[i], y[i]);                                          \
  }                                                                                       \
  extern "C" __global__ __launch_bounds__(256) void Op##_grid_stride(PARAMETERS) {        \
    const int step = gridDim.x * 256;                                                     \
    for (long i = blockIdx.x * 256 + threadIdx.x; i < n; i += step)                       \
      z[i] = Op::at(alpha, x[i], y[i]);                                                   \
  }                                                                                       \
  extern "C" __global__ __launch_bounds__(256) void Op##_wide(PARAMETERS) {               \
    const int i = blockIdx.x * 256 + threadIdx.x;                                         \
    if (i < n / WIDTH)                                                                    \
      ((Wide *) z)[i] = at<Op>(alpha, ((const Wide *) x)[i], ((const Wide *) y)[i]);      \
    tail<Op>(n, alpha, x, y, z);                                                          \
  }                                                                                       \
  extern "C" __global__ __launch_bounds__(256) void Op##_wide4(PARAMETERS) {              \
    const int first = blockIdx.x * 1024 + threadIdx.x;                                    \
    Wide a[4], b[4];                                                                      \
    _Pragma("unroll") for (int k = 0; k < 4; ++k) {                                       \
      const int i = first + 256 * k;                                                      \
      if (i < n / WIDTH) {                                                                \
        a[k] = ((const Wide *) x)[i];                                                     \
        b[k] = ((const Wide *) y)[i];                                                     \
      }                                                                                   \
    }                                                                                     \
    _Pragma("unroll") for (int k = 0; k < 4; ++k) {                                       \
      const int i = first + 256 * k;                                                      \
      if (i < n / WIDTH) ((Wide *) z)[i] = at<Op>(alpha, a[k], b[k]);                     \
    }                                                                                     \
    tail<Op>(n, alpha, x, y, z);                                                          \
  }

KERNELS(copy)
KERNELS(mul)
KERNELS(add)
KERNELS(triad)
