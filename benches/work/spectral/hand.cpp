// An element at a time, all of it in the cache; loops over points side by side are the innermost ones.

static void stiffness(const int elements, const REAL lambda, const REAL *__restrict__ geometry,
                      const REAL *__restrict__ d, const REAL *__restrict__ q, REAL *__restrict__ aq) {
  constexpr int nq = 8, layer = nq * nq, np = nq * layer;
  // Transposed, so that what belongs to points side by side lies side by side.
  alignas(64) REAL turned[nq][nq];
  for (int i = 0; i < nq; ++i) {
    for (int m = 0; m < nq; ++m) turned[m][i] = d[i * nq + m];
  }
#pragma omp parallel for
  for (long e = 0; e < elements; ++e) {
    const REAL *__restrict__ u = q + e * np;
    const REAL *__restrict__ g = geometry + e * 7 * np;
    REAL *__restrict__ result = aq + e * np;
    alignas(64) REAL gr[nq][nq][nq], gs[nq][nq][nq], gt[nq][layer];
    for (int k = 0; k < nq; ++k) {
      alignas(64) REAL t[layer] = {};
      for (int m = 0; m < nq; ++m) {
        const REAL factor = d[k * nq + m];
#pragma omp simd
        for (int n = 0; n < layer; ++n) t[n] += factor * u[m * layer + n];
      }
      for (int j = 0; j < nq; ++j) {
        REAL r[nq] = {}, s[nq] = {};
#pragma GCC unroll 8
        for (int m = 0; m < nq; ++m) {
          const REAL of_row = u[k * layer + j * nq + m], factor = d[j * nq + m];
#pragma omp simd
          for (int i = 0; i < nq; ++i) {
            r[i] += turned[m][i] * of_row;
            s[i] += factor * u[k * layer + m * nq + i];
          }
        }
#pragma omp simd
        for (int i = 0; i < nq; ++i) {
          const int n = k * layer + j * nq + i;
          const REAL of_t = t[j * nq + i];
          const REAL g01 = g[np + n], g02 = g[2 * np + n], g12 = g[4 * np + n];
          gr[k][j][i] = g[n] * r[i] + g01 * s[i] + g02 * of_t;
          gs[k][j][i] = g01 * r[i] + g[3 * np + n] * s[i] + g12 * of_t;
          gt[k][j * nq + i] = g02 * r[i] + g12 * s[i] + g[5 * np + n] * of_t;
        }
      }
    }
    for (int k = 0; k < nq; ++k) {
      for (int j = 0; j < nq; ++j) {
        REAL sum[nq];
#pragma omp simd
        for (int i = 0; i < nq; ++i) {
          const int n = k * layer + j * nq + i;
          sum[i] = g[6 * np + n] * lambda * u[n];
        }
#pragma GCC unroll 8
        for (int m = 0; m < nq; ++m) {
          const REAL of_row = gr[k][j][m], of_column = d[m * nq + j], of_layer = d[m * nq + k];
#pragma omp simd
          for (int i = 0; i < nq; ++i) {
            sum[i] += d[m * nq + i] * of_row + of_column * gs[k][m][i] + of_layer * gt[m][j * nq + i];
          }
        }
#pragma omp simd
        for (int i = 0; i < nq; ++i) result[k * layer + j * nq + i] = sum[i];
      }
    }
  }
}

LAUNCHER(stiffness_element, stiffness)
