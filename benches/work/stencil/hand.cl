#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__attribute__((reqd_work_group_size(64, 4, 1)))
__kernel void seven_points_same(const int n, const REAL weight, __global const REAL *restrict u,
                                __global REAL *restrict next) {
  const int x = 1 + get_global_id(0), y = 1 + get_global_id(1), z = 1 + get_global_id(2);
  if (x >= n - 1 || y >= n - 1) return;
  const int i = (z * n + y) * n + x;
  const REAL around = u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - n * n] + u[i + n * n];
  next[i] = u[i] + weight * (around - 6 * u[i]);
}
