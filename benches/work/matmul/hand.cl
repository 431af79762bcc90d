// See kernel.okl for the layout; the same algorithm as an OpenCL programmer writes it.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define TILE 128
#define SLICE 8
#define EACH 8
#define THREADS 16

__attribute__((reqd_work_group_size(16, 16, 1)))
__kernel void product_tiled(const int n, __global const REAL *restrict a,
                            __global const REAL *restrict b, __global REAL *restrict c) {
  __local REAL s_a[SLICE][TILE + 4];
  __local REAL s_b[SLICE][TILE];
  const int row = get_group_id(1) * TILE, column = get_group_id(0) * TILE;
  const int x = get_local_id(0), y = get_local_id(1), thread = y * THREADS + x;
  REAL r_c[EACH][EACH] = {{0}};
  for (int slice = 0; slice < n; slice += SLICE) {
#pragma unroll
    for (int k = 0; k < TILE * SLICE; k += THREADS * THREADS) {
      const int i = thread + k;
      s_a[i % SLICE][i / SLICE] = a[(row + i / SLICE) * n + slice + i % SLICE];
      s_b[i / TILE][i % TILE] = b[(slice + i / TILE) * n + column + i % TILE];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < SLICE; ++k) {
      REAL of_a[EACH], of_b[EACH];
#pragma unroll
      for (int i = 0; i < EACH; ++i) of_a[i] = s_a[k][y + i * THREADS];
#pragma unroll
      for (int j = 0; j < EACH; ++j) of_b[j] = s_b[k][x + j * THREADS];
#pragma unroll
      for (int i = 0; i < EACH; ++i) {
#pragma unroll
        for (int j = 0; j < EACH; ++j) r_c[i][j] += of_a[i] * of_b[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int i = 0; i < EACH; ++i) {
#pragma unroll
    for (int j = 0; j < EACH; ++j) {
      c[(row + y + i * THREADS) * n + column + x + j * THREADS] = r_c[i][j];
    }
  }
}
