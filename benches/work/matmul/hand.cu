// See kernel.okl for the layout; the same algorithm as a CUDA programmer writes it.

#define TILE 128
#define SLICE 8
#define EACH 8
#define THREADS 16

extern "C" __global__ __launch_bounds__(256) void
product_tiled(const int n, const REAL *__restrict__ a, const REAL *__restrict__ b,
              REAL *__restrict__ c) {
  __shared__ REAL s_a[SLICE][TILE + 4];
  __shared__ REAL s_b[SLICE][TILE];
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  const int x = threadIdx.x, y = threadIdx.y, thread = y * THREADS + x;
  REAL r_c[EACH][EACH] = {};
  for (int slice = 0; slice < n; slice += SLICE) {
#pragma unroll
    for (int k = 0; k < TILE * SLICE; k += THREADS * THREADS) {
      const int i = thread + k;
      s_a[i % SLICE][i / SLICE] = a[(row + i / SLICE) * n + slice + i % SLICE];
      s_b[i / TILE][i % TILE] = b[(slice + i / TILE) * n + column + i % TILE];
    }
    __syncthreads();
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
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < EACH; ++i) {
#pragma unroll
    for (int j = 0; j < EACH; ++j) {
      c[(row + y + i * THREADS) * n + column + x + j * THREADS] = r_c[i][j];
    }
  }
}
