#include <cmath>

static void accelerations(const int n, const REAL softening, const REAL *__restrict__ x,
                          const REAL *__restrict__ y, const REAL *__restrict__ z,
                          const REAL *__restrict__ mass, REAL *__restrict__ ax,
                          REAL *__restrict__ ay, REAL *__restrict__ az) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const REAL own_x = x[i], own_y = y[i], own_z = z[i];
    REAL sum_x = 0, sum_y = 0, sum_z = 0;
#pragma omp simd reduction(+ : sum_x, sum_y, sum_z)
    for (int j = 0; j < n; ++j) {
      const REAL dx = x[j] - own_x, dy = y[j] - own_y, dz = z[j] - own_z;
      const REAL squared = dx * dx + dy * dy + dz * dz + softening;
      const REAL inverse = REAL(1) / std::sqrt(squared);
      const REAL factor = mass[j] * inverse * inverse * inverse;
      sum_x += factor * dx;
      sum_y += factor * dy;
      sum_z += factor * dz;
    }
    ax[i] = sum_x;
    ay[i] = sum_y;
    az[i] = sum_z;
  }
}

LAUNCHER(accelerations_simd, accelerations)
