void constant(int *out) {
  for (long i = -2000000000; i < 2000000000; i += 500000000)
    for (int k = 0; k < 4; ++k) out[4 * (i / 500000000 + 4) + k] += (int)(i / 1000) + k;
}

void between(const int low, const int high, const int step, int *out) {
  for (long i = low; i < high; i += step)
    for (int k = 0; k < 4; ++k) out[4 * ((i - low) / step) + k] += (int)(i / 1000) + k;
}

void down(const int low, const int high, const int step, int *out) {
  for (long i = high; i > low; i -= step)
    for (int k = 0; k < 4; ++k) out[4 * ((high - i) / step) + k] += (int)(i / 1000) + k;
}

void unsignedEdge(const unsigned int high, const unsigned int step, int *out) {
  for (unsigned long i = 0; i < high; i += step)
    for (int k = 0; k < 4; ++k) out[4 * (i / step) + k] += (int)(i / 1000) + k;
}

void both(const int low, const int high, const int step, int *out) {
  for (int i = 0; i < 3; ++i)
    for (long j = low; j < high; j += step)
      for (int k = 0; k < 4; ++k) out[48 * i + 4 * ((j - low) / step) + k] += (int)(j / 1000) + k;
}
