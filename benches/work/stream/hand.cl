// STREAM's four loops in the ways that OpenCL programmers write them; see hand.cu.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define WIDTH_float 4
#define WIDTH_double 2
#define WIDTH JOIN(WIDTH_, REAL)
#define WIDE JOIN(REAL, WIDTH)

#define PARAMETERS                                                                        \
  const int n, const REAL alpha, __global const REAL *restrict x,                         \
      __global const REAL *restrict y, __global REAL *restrict z

// `AT` is used on numbers and on vectors.
#define KERNELS(Op, AT)                                                                   \
  __attribute__((reqd_work_group_size(256, 1, 1))) __kernel void Op##_same(PARAMETERS) {  \
    const int i = get_global_id(0);                                                       \
    if (i < n) z[i] = AT(alpha, x[i], y[i]);                                              \
  }                                                                                       \
  __attribute__((reqd_work_group_size(256, 1, 1)))                                        \
  __kernel void Op##_grid_stride(PARAMETERS) {                                            \
    const int step = get_global_size(0);                                                  \
    for (long i = get_global_id(0); i < n; i += step) z[i] = AT(alpha, x[i], y[i]);       \
  }                                                                                       \
  __attribute__((reqd_work_group_size(256, 1, 1))) __kernel void Op##_wide(PARAMETERS) {  \
    int i = get_global_id(0);                                                             \
    if (i < n / WIDTH) {                                                                  \
      const WIDE a = ((__global const WIDE *) x)[i], b = ((__global const WIDE *) y)[i];  \
      ((__global WIDE *) z)[i] = AT(alpha, a, b);                                         \
    }                                                                                     \
    i += n / WIDTH * WIDTH;                                                               \
    if (i < n) z[i] = AT(alpha, x[i], y[i]);                                              \
  }

#define COPY(alpha, x, y) (x)
#define MUL(alpha, x, y) ((alpha) * (x))
#define ADD(alpha, x, y) ((x) + (y))
#define TRIAD(alpha, x, y) ((x) + (alpha) * (y))

KERNELS(copy, COPY)
KERNELS(mul, MUL)
KERNELS(add, ADD)
KERNELS(triad, TRIAD)
