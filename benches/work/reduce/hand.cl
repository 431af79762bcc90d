// Columns are multiples of 32 here, so that rows begin where 16 bytes do.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define WIDTH (16 / (int)sizeof(REAL))

typedef union {
  uint4 raw;
  REAL v[16 / sizeof(REAL)];
} Wide;

// A group a row.
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void rows_block(const int rows, const int columns, __global const REAL *restrict x,
                         __global REAL *restrict sums) {
  __local REAL s_sum[256];
  const int item = get_local_id(0);
  __global const uint4 *row = (__global const uint4 *)(x + (long)get_group_id(0) * columns);
  REAL sum = 0;
  const int times = (columns / WIDTH - item + 255) / 256;
#pragma unroll 4
  for (int i = 0; i < times; ++i) {
    Wide a;
    a.raw = row[item + i * 256];
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) sum += a.v[j];
  }
  s_sum[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_of = 128; half_of > 0; half_of /= 2) {
    if (item < half_of) s_sum[item] += s_sum[item + half_of];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) sums[get_group_id(0)] = s_sum[0];
}

// A slice of 256 rows: each item adds up a few columns of it.
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void columns_partial(const int rows, const int columns, __global const REAL *restrict x,
                              __global REAL *restrict partial) {
  const int column = get_group_id(0) * 64 + get_local_id(0), width = columns / WIDTH;
  if (column >= width) return;
  const int first = get_group_id(1) * 256, count = min(256, rows - first);
  __global const uint4 *wide = (__global const uint4 *)x + (long)first * width + column;
  Wide sum;
  for (int j = 0; j < WIDTH; ++j) sum.v[j] = 0;
#pragma unroll 8
  for (int row = 0; row < count; ++row) {
    Wide a;
    a.raw = wide[(long)row * width];
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) sum.v[j] += a.v[j];
  }
  ((__global uint4 *)partial)[(long)get_group_id(1) * width + column] = sum.raw;
}

__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void columns_final(const int slices, const int columns, __global const REAL *restrict partial,
                            __global REAL *restrict sums) {
  const int column = get_global_id(0);
  if (column >= columns) return;
  REAL sum = 0;
#pragma unroll 8
  for (int slice = 0; slice < slices; ++slice) sum += partial[(long)slice * columns + column];
  sums[column] = sum;
}

// Eight items a tile, each four columns of it, or two.
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void tiles_group(const int rows, const int columns, __global const REAL *restrict x,
                          __global REAL *restrict sums) {
  __local REAL s_sum[256];
  const int lanes = 32 / WIDTH, item = get_local_id(0), lane = item % lanes;
  const int tile = get_group_id(0) * (256 / lanes) + item / lanes, width = columns / WIDTH;
  REAL sum = 0;
  if (tile < columns / 32) {
    __global const uint4 *first = (__global const uint4 *)x + (long)get_group_id(1) * 32 * width + tile * lanes + lane;
#pragma unroll
    for (int row = 0; row < 32; ++row) {
      Wide a;
      a.raw = first[(long)row * width];
#pragma unroll
      for (int j = 0; j < WIDTH; ++j) sum += a.v[j];
    }
  }
  s_sum[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0 && tile < columns / 32) {
    for (int k = 1; k < lanes; ++k) sum += s_sum[item + k];
    sums[get_group_id(1) * (columns / 32) + tile] = sum;
  }
}
