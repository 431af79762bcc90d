static void seven_points(const int n, const REAL weight, const REAL *__restrict__ u,
                         REAL *__restrict__ next) {
#pragma omp parallel for collapse(2)
  for (int z = 1; z < n - 1; ++z) {
    for (int y = 1; y < n - 1; ++y) {
      const long row = ((long) z * n + y) * n, plane = (long) n * n;
      const REAL *__restrict__ c = u + row;
      REAL *__restrict__ to = next + row;
#pragma omp simd
      for (long x = 1; x < n - 1; ++x) {
        const REAL around = c[x - 1] + c[x + 1] + c[x - n] + c[x + n] + c[x - plane] + c[x + plane];
        to[x] = c[x] + weight * (around - 6 * c[x]);
      }
    }
  }
}

LAUNCHER(seven_points_same, seven_points)
