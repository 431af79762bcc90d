void typedefsOfNests(const int n, const float *in, float *out) {
  for (int g = 0; g < n; ++g) {
    const float *a = in + 16 * g;
    for (int i = 0; i < 16; ++i) {
      // What was put at [x % 4][x / 4], read at [3 - i / 4][i % 4].
      const float b = 2 * a[(i % 4) * 4 + 3 - i / 4];
      out[16 * g + (i / 4) * 4 + i % 4] = a[15 - i] + b + (float)((i + 1) % 16) + (float)(3 * i) + (float)-i / 2 + a[(i + 5) % 16];
    }
  }
}

void hiddenTypedefs(const int n, const float *in, float *out) {
  for (int g = 0; g < n; ++g) {
    for (int i = 0; i < 8; ++i) {
      out[16 * g + i] = in[8 * g + 7 - i];
      out[16 * g + 8 + i] = in[8 * g + i] * 2 + 1;
    }
    for (int i = 0; i < 16; ++i) {
      const float v = out[16 * g + i];
      out[16 * g + i] = (i % 2 ? v + 1 : v) + 100;
    }
  }
}

void arraysOfNests(const int n, const float *in, float *out) {
  for (int i = 0; i < 8 * n; ++i) {
    const float *e = in + i / 8 * 8;
    const int k = i % 8, other = 7 - k;
    out[i] = e[3 - k / 2] / 2 + e[other] + (other + 0.25f);
  }
}
