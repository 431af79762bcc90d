// C = A * B, row-major. A thread takes a tile of C; of it, four rows by four vectors stay in registers while a
// row of A and the strip of B below it, which stays in the cache, go by.

static void product(const int size, const REAL *__restrict__ a, const REAL *__restrict__ b,
                    REAL *__restrict__ c) {
  constexpr long rows = 4, depth = 256;
#ifdef __AVX512F__
  constexpr long lanes = 64 / sizeof(REAL);
#else
  constexpr long lanes = 32 / sizeof(REAL);
#endif
  typedef REAL vector __attribute__((vector_size(lanes * sizeof(REAL)), aligned(sizeof(REAL))));
  constexpr long width = 2 * lanes;
  const long n = size;
#pragma omp parallel for collapse(2)
  for (long row = 0; row < n; row += 64) {
    for (long column = 0; column < n; column += 128) {
      for (long slice = 0; slice < n; slice += depth) {
        // The strip of B, its rows side by side.
        alignas(64) REAL strip[depth * width];
        for (long x = column; x < column + 128; x += width) {
          for (long k = 0; k < depth; ++k) {
            for (long j = 0; j < width; ++j) strip[k * width + j] = b[(slice + k) * n + x + j];
          }
          for (long y = row; y < row + 64; y += rows) {
            vector sums[rows][2] = {};
            for (long k = 0; k < depth; ++k) {
              const vector b0 = *(const vector *) (strip + k * width);
              const vector b1 = *(const vector *) (strip + k * width + lanes);
#pragma GCC unroll 4
              for (long i = 0; i < rows; ++i) {
                const REAL of_a = a[(y + i) * n + slice + k];
                sums[i][0] += of_a * b0;
                sums[i][1] += of_a * b1;
              }
            }
            for (long i = 0; i < rows; ++i) {
              vector *to = (vector *) (c + (y + i) * n + x);
              to[0] = slice == 0 ? sums[i][0] : to[0] + sums[i][0];
              to[1] = slice == 0 ? sums[i][1] : to[1] + sums[i][1];
            }
          }
        }
      }
    }
  }
}

// The kernel's own way, for a processor: the tile of C lies in the cache and is gone through row by row.
static void tiled(const int size, const REAL *__restrict__ a, const REAL *__restrict__ b,
                  REAL *__restrict__ c) {
  constexpr long tile = 128, slice = 8;
  const long n = size;
#pragma omp parallel for collapse(2)
  for (long row = 0; row < n; row += tile) {
    for (long column = 0; column < n; column += tile) {
      alignas(64) REAL of_a[tile][slice], of_b[slice][tile], of_c[tile][tile] = {};
      for (long first = 0; first < n; first += slice) {
        for (long i = 0; i < tile; ++i) {
          for (long k = 0; k < slice; ++k) of_a[i][k] = a[(row + i) * n + first + k];
        }
        for (long k = 0; k < slice; ++k) {
          for (long j = 0; j < tile; ++j) of_b[k][j] = b[(first + k) * n + column + j];
        }
        for (long i = 0; i < tile; ++i) {
#pragma omp simd
          for (long j = 0; j < tile; ++j) {
            REAL sum = of_c[i][j];
            for (long k = 0; k < slice; ++k) sum += of_a[i][k] * of_b[k][j];
            of_c[i][j] = sum;
          }
        }
      }
      for (long i = 0; i < tile; ++i) {
        for (long j = 0; j < tile; ++j) c[(row + i) * n + column + j] = of_c[i][j];
      }
    }
  }
}

LAUNCHER(product_blocked, product)
LAUNCHER(product_tiled, tiled)
