#define BLOCK 256

extern "C" __global__ __launch_bounds__(BLOCK) void
accelerations_tiled(const int n, const REAL softening, const REAL *__restrict__ x,
                    const REAL *__restrict__ y, const REAL *__restrict__ z,
                    const REAL *__restrict__ mass, REAL *__restrict__ ax, REAL *__restrict__ ay,
                    REAL *__restrict__ az) {
  __shared__ REAL s_x[BLOCK], s_y[BLOCK], s_z[BLOCK], s_mass[BLOCK];
  const int item = threadIdx.x, i = blockIdx.x * BLOCK + item;
  const REAL r_x = x[i], r_y = y[i], r_z = z[i];
  REAL r_ax = 0, r_ay = 0, r_az = 0;
  for (int tile = 0; tile < n; tile += BLOCK) {
    s_x[item] = x[tile + item];
    s_y[item] = y[tile + item];
    s_z[item] = z[tile + item];
    s_mass[item] = mass[tile + item];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < BLOCK; ++j) {
      const REAL dx = s_x[j] - r_x, dy = s_y[j] - r_y, dz = s_z[j] - r_z;
      const REAL squared = dx * dx + dy * dy + dz * dz + softening;
      const REAL inverse = REAL(1) / sqrt(squared);
      const REAL factor = s_mass[j] * inverse * inverse * inverse;
      r_ax += factor * dx;
      r_ay += factor * dy;
      r_az += factor * dz;
    }
    __syncthreads();
  }
  ax[i] = r_ax;
  ay[i] = r_ay;
  az[i] = r_az;
}
