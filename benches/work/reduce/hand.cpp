static void rows(const int rows, const int columns, const REAL *__restrict__ x,
                 REAL *__restrict__ sums) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    const REAL *__restrict__ line = x + (long) row * columns;
    REAL sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int column = 0; column < columns; ++column) sum += line[column];
    sums[row] = sum;
  }
}

// Each thread adds up rows of its own, then all of them are added up.
static void columns(const int rows, const int columns, const REAL *__restrict__ x,
                    REAL *__restrict__ sums) {
#pragma omp parallel for simd
  for (int column = 0; column < columns; ++column) sums[column] = 0;
#pragma omp parallel for reduction(+ : sums[:columns])
  for (int row = 0; row < rows; ++row) {
    const REAL *__restrict__ line = x + (long) row * columns;
#pragma omp simd
    for (int column = 0; column < columns; ++column) sums[column] += line[column];
  }
}

static void tiles(const int rows, const int columns, const REAL *__restrict__ x,
                  REAL *__restrict__ sums) {
#pragma omp parallel for
  for (int y = 0; y < rows / 32; ++y) {
    for (int tile = 0; tile < columns / 32; ++tile) {
      REAL sum = 0;
      for (int row = 0; row < 32; ++row) {
        const REAL *__restrict__ line = x + ((long) y * 32 + row) * columns + tile * 32;
#pragma omp simd reduction(+ : sum)
        for (int column = 0; column < 32; ++column) sum += line[column];
      }
      sums[(long) y * (columns / 32) + tile] = sum;
    }
  }
}

LAUNCHER(rows_simd, rows)
LAUNCHER(columns_simd, columns)
LAUNCHER(tiles_simd, tiles)
