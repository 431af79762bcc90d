#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define TILE 32
#define ROWS 8

__attribute__((reqd_work_group_size(32, 8, 1)))
__kernel void transpose_tiled(const int n, __global const REAL *restrict x, __global REAL *restrict y) {
  __local REAL s_tile[TILE][TILE + 1];
  const int row = get_group_id(1) * TILE, column = get_group_id(0) * TILE;
  const int i = get_local_id(0), j = get_local_id(1);
#pragma unroll
  for (int k = 0; k < TILE; k += ROWS) s_tile[j + k][i] = x[(row + j + k) * n + column + i];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < TILE; k += ROWS) y[(column + j + k) * n + row + i] = s_tile[i][j + k];
}
