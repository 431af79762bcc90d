// Sequential reference for histogram.okl.

#ifndef p_bins
#define p_bins 64
#endif

void histogram(const int entries, const unsigned int *values, int *bins) {
  for (int i = 0; i < entries; ++i) {
    const int bin = (int)((values[i] * 2654435761u) >> 16) % p_bins;
    bins[bin] += 1;
  }
}

void countAndTotal(const int entries, const int *values, int *digits, long *total) {
  for (int i = 0; i < entries; ++i) {
    digits[values[i] % 10] += 1;
    *total += values[i];
  }
}
