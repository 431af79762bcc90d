// Columns are multiples of 32 here, so that rows begin where 16 bytes do.

#define WIDTH (16 / (int) sizeof(REAL))

struct alignas(16) Wide {
  REAL v[WIDTH];
};

// A block a row.
extern "C" __global__ __launch_bounds__(256) void
rows_block(const int rows, const int columns, const REAL *__restrict__ x, REAL *__restrict__ sums) {
  __shared__ REAL warps[8];
  const Wide *row = (const Wide *) (x + (long) blockIdx.x * columns);
  REAL sum = 0;
#pragma unroll 4
  for (int i = threadIdx.x; i < columns / WIDTH; i += 256) {
    const Wide a = row[i];
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) sum += a.v[j];
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll
    for (int k = 1; k < 8; ++k) sum += warps[k];
    sums[blockIdx.x] = sum;
  }
}

// A slice of 256 rows: each thread adds up a few columns of it.
extern "C" __global__ __launch_bounds__(64) void
columns_partial(const int rows, const int columns, const REAL *__restrict__ x,
                REAL *__restrict__ partial) {
  const int column = blockIdx.x * 64 + threadIdx.x, width = columns / WIDTH;
  if (column >= width) return;
  const int first = blockIdx.y * 256, last = min(first + 256, rows);
  const Wide *wide = (const Wide *) x + (long) first * width + column;
  Wide sum = {};
#pragma unroll 8
  for (int row = first; row < last; ++row, wide += width) {
    const Wide a = *wide;
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) sum.v[j] += a.v[j];
  }
  ((Wide *) partial)[(long) blockIdx.y * width + column] = sum;
}

extern "C" __global__ __launch_bounds__(256) void
columns_final(const int slices, const int columns, const REAL *__restrict__ partial,
              REAL *__restrict__ sums) {
  const int column = blockIdx.x * 256 + threadIdx.x;
  if (column >= columns) return;
  REAL sum = 0;
#pragma unroll 8
  for (int slice = 0; slice < slices; ++slice) sum += partial[(long) slice * columns + column];
  sums[column] = sum;
}

// A warp a tile: each lane adds up a column of it.
extern "C" __global__ __launch_bounds__(256) void
tiles_warp(const int rows, const int columns, const REAL *__restrict__ x, REAL *__restrict__ sums) {
  const int tile = blockIdx.x * 8 + threadIdx.y;
  if (tile >= columns / 32) return;
  const REAL *first = x + (long) blockIdx.y * 32 * columns + tile * 32 + threadIdx.x;
  REAL sum = 0;
#pragma unroll
  for (int row = 0; row < 32; ++row) sum += first[(long) row * columns];
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) sums[blockIdx.y * (columns / 32) + tile] = sum;
}
