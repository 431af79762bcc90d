// Tile by tile, so that each line of the cache is used up before it goes.
static void transpose(const int size, const REAL *__restrict__ x, REAL *__restrict__ y) {
  constexpr long tile = 32;
  const long n = size;
#pragma omp parallel for collapse(2)
  for (long row = 0; row < n; row += tile) {
    for (long column = 0; column < n; column += tile) {
      REAL part[tile][tile + 1];
      for (long j = 0; j < tile; ++j) {
        for (long i = 0; i < tile; ++i) part[j][i] = x[(row + j) * n + column + i];
      }
      for (long j = 0; j < tile; ++j) {
        for (long i = 0; i < tile; ++i) y[(column + j) * n + row + i] = part[i][j];
      }
    }
  }
}

LAUNCHER(transpose_tiled, transpose)
