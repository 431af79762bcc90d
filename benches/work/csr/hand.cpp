// Rows are short: whether vectors help depends on how fast the processor gathers.
static void product_simd(const int rows, const int *__restrict__ begins, const int *__restrict__ columns,
                    const REAL *__restrict__ values, const REAL *__restrict__ x,
                    REAL *__restrict__ y) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    REAL sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long k = begins[row]; k < begins[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

static void product(const int rows, const int *__restrict__ begins, const int *__restrict__ columns,
                    const REAL *__restrict__ values, const REAL *__restrict__ x,
                    REAL *__restrict__ y) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    REAL sum = 0;
    for (long k = begins[row]; k < begins[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

LAUNCHER(product_rows, product)
LAUNCHER(product_simd, product_simd)
