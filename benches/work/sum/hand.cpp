// `same` as everybody writes it; `simd` lets the compiler add in any order.

static void sum_same(const int n, const REAL *__restrict__ x, REAL *__restrict__ result) {
  REAL sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += x[i];
  *result = sum;
}

static void sum_simd(const int n, const REAL *__restrict__ x, REAL *__restrict__ result) {
  REAL sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += x[i];
  *result = sum;
}

static void dot_same(const int n, const REAL *__restrict__ x, const REAL *__restrict__ y,
                     REAL *__restrict__ result) {
  REAL sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  *result = sum;
}

static void dot_simd(const int n, const REAL *__restrict__ x, const REAL *__restrict__ y,
                     REAL *__restrict__ result) {
  REAL sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  *result = sum;
}

LAUNCHER(sum_same, sum_same)
LAUNCHER(sum_simd, sum_simd)
LAUNCHER(dot_same, dot_same)
LAUNCHER(dot_simd, dot_simd)
