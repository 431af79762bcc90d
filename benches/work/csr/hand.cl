#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Eight items share a row.
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void product_lanes(const int rows, __global const int *restrict begins,
                            __global const int *restrict columns, __global const REAL *restrict values,
                            __global const REAL *restrict x, __global REAL *restrict y) {
  __local REAL s_sum[256];
  const int item = get_local_id(0), row = get_group_id(0) * 32 + item / 8, lane = item % 8;
  REAL sum = 0;
  if (row < rows) {
    const int end = begins[row + 1];
    for (int k = begins[row] + lane; k < end; k += 8) sum += values[k] * x[columns[k]];
  }
  s_sum[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0 && row < rows) {
    for (int k = 1; k < 8; ++k) sum += s_sum[item + k];
    y[row] = sum;
  }
}
