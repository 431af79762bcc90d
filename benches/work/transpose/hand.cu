#define TILE 32
#define ROWS 8

extern "C" __global__ __launch_bounds__(256) void
transpose_tiled(const int n, const REAL *__restrict__ x, REAL *__restrict__ y) {
  __shared__ REAL s_tile[TILE][TILE + 1];
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  const int i = threadIdx.x, j = threadIdx.y;
#pragma unroll
  for (int k = 0; k < TILE; k += ROWS) s_tile[j + k][i] = x[(row + j + k) * n + column + i];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < TILE; k += ROWS) y[(column + j + k) * n + row + i] = s_tile[i][j + k];
}
