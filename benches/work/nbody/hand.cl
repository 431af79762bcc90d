#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define BLOCK 256

__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void accelerations_tiled(const int n, const REAL softening, __global const REAL *restrict x,
                                  __global const REAL *restrict y, __global const REAL *restrict z,
                                  __global const REAL *restrict mass, __global REAL *restrict ax,
                                  __global REAL *restrict ay, __global REAL *restrict az) {
  __local REAL s_x[BLOCK], s_y[BLOCK], s_z[BLOCK], s_mass[BLOCK];
  const int item = get_local_id(0), i = get_global_id(0);
  const REAL r_x = x[i], r_y = y[i], r_z = z[i];
  REAL r_ax = 0, r_ay = 0, r_az = 0;
  for (int tile = 0; tile < n; tile += BLOCK) {
    s_x[item] = x[tile + item];
    s_y[item] = y[tile + item];
    s_z[item] = z[tile + item];
    s_mass[item] = mass[tile + item];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
    for (int j = 0; j < BLOCK; ++j) {
      const REAL dx = s_x[j] - r_x, dy = s_y[j] - r_y, dz = s_z[j] - r_z;
      const REAL squared = dx * dx + dy * dy + dz * dz + softening;
      const REAL inverse = (REAL) 1 / sqrt(squared);
      const REAL factor = s_mass[j] * inverse * inverse * inverse;
      r_ax += factor * dx;
      r_ay += factor * dy;
      r_az += factor * dz;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  ax[i] = r_ax;
  ay[i] = r_ay;
  az[i] = r_az;
}
