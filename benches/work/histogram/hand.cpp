// Every thread counts on its own; four sets of bins, so that the same value twice in a row need not wait.
static void bins(const int n, const unsigned *__restrict__ values, int *__restrict__ bins) {
  for (int bin = 0; bin < 256; ++bin) bins[bin] = 0;
#pragma omp parallel
  {
    int own[4][256] = {};
#pragma omp for
    for (int i = 0; i < n / 4; ++i) {
      for (int k = 0; k < 4; ++k) ++own[k][values[4l * i + k] % 256];
    }
#pragma omp single
    for (int i = n / 4 * 4; i < n; ++i) ++own[0][values[i] % 256];
#pragma omp critical
    for (int bin = 0; bin < 256; ++bin) {
      bins[bin] += own[0][bin] + own[1][bin] + own[2][bin] + own[3][bin];
    }
  }
}

LAUNCHER(bins_private, bins)

static void bytes(const int count, const unsigned char *__restrict__ text, int *__restrict__ bins) {
  for (int bin = 0; bin < 256; ++bin) bins[bin] = 0;
#pragma omp parallel
  {
    int own[4][256] = {};
#pragma omp for
    for (int i = 0; i < count / 4; ++i) {
      for (int k = 0; k < 4; ++k) ++own[k][text[4l * i + k]];
    }
#pragma omp single
    for (int i = count / 4 * 4; i < count; ++i) ++own[0][text[i]];
#pragma omp critical
    for (int bin = 0; bin < 256; ++bin) {
      bins[bin] += own[0][bin] + own[1][bin] + own[2][bin] + own[3][bin];
    }
  }
}

LAUNCHER(bytes_private, bytes)
