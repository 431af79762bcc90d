// Eight lanes of a warp share a row.
extern "C" __global__ __launch_bounds__(256) void
product_lanes(const int rows, const int *__restrict__ begins, const int *__restrict__ columns,
              const REAL *__restrict__ values, const REAL *__restrict__ x, REAL *__restrict__ y) {
  const int row = blockIdx.x * 32 + threadIdx.x / 8, lane = threadIdx.x % 8;
  REAL sum = 0;
  if (row < rows) {
    const int end = begins[row + 1];
    for (int k = begins[row] + lane; k < end; k += 8) sum += values[k] * x[columns[k]];
  }
#pragma unroll
  for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset, 8);
  if (lane == 0 && row < rows) y[row] = sum;
}
