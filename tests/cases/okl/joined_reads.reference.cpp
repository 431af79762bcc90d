// Plain arrays that nothing is promised of, one element after the other.
struct Cell { float x; double y; int z[2]; };

#define SHAPES(T, NAME)                                                                               \
  void conditional_##NAME(const int n, const int p, const T one, const T *in, T *out) {               \
    for (int i = 0; i < 256; ++i) out[i] = p > n ? in[(1 + n) & 255] : one;                           \
  }                                                                                                   \
  void branches_##NAME(const int n, const int p, const T one, const T *in, T *out) {                  \
    for (int i = 0; i < 256; ++i) {                                                                   \
      const int t = i % 64;                                                                           \
      T v = one;                                                                                      \
      if (p > n) v = in[(1 + n) & 255];                                                               \
      v = (T)(v + one);                                                                               \
      if (p > t) v = in[i];                                                                           \
      if ((p & 3) == 0) v = in[i];                                                                    \
      if ((p & 3) == 1) v = in[255 - i];                                                              \
      out[i] = p > t + 3 ? (T)(v + one) : (T)(in[t] + one);                                           \
    }                                                                                                 \
  }                                                                                                   \
  void loops_##NAME(const int n, const int p, const T one, const T *in, T *out) {                     \
    for (int i = 0; i < 256; ++i) {                                                                   \
      const int t = i % 64;                                                                           \
      T kept = one, v = 0;                                                                            \
      for (int j = 0; j < p; ++j) kept = v = (T)(v + (j == n ? in[j] : kept));                        \
      for (int j = 0; j < p; ++j) v = (T)(((j & 1) != 0 ? in[j + t] : v) + one);                      \
      out[i] = v;                                                                                     \
    }                                                                                                 \
  }                                                                                                   \
  void pointers_##NAME(const int n, const int p, const T one, const T *in, T *out) {                  \
    for (int i = 0; i < 256; ++i) {                                                                   \
      const int t = i % 64;                                                                           \
      T kept = (T)((p > n ? in[3 + t] : one) + one), v = 0;                                           \
      for (int j = 0; j < p; ++j) kept = v = (T)(v + (j == 0 ? in[i] : kept));                        \
      out[i] = p > t ? in[1 + t] : kept;                                                              \
    }                                                                                                 \
  }                                                                                                   \
  void helpers_##NAME(const int n, const int p, const T one, const T *in, T *out) {                   \
    for (int i = 0; i < 256; ++i) {                                                                   \
      const T v = (T)((p > n ? in[i] : one) + one);                                                   \
      out[i] = p > i % 64 ? in[i] : v;                                                                \
    }                                                                                                 \
  }                                                                                                   \
  void phases_##NAME(const int n, const int p, const T one, const T *in, T *out) {                    \
    for (int i = 0; i < 256; ++i) out[i] = p > n ? in[i] : (T)(one + (i % 64 ^ 1) % 3);               \
  }                                                                                                   \
  void elements_##NAME(const int n, const int p, const T *in, const T *more, T *out) {                \
    for (int i = 0; i < n; ++i) out[i] = p > i ? in[i] : (T)(out[i] + more[i]);                       \
  }

SHAPES(float, float)
SHAPES(double, double)
SHAPES(int, int)
SHAPES(short, short)
SHAPES(unsigned char, uchar)
SHAPES(char, char)
SHAPES(long, long)

void vectors(const int n, const int p, const float *in, float *out, const double *in2, double *out2) {
  for (int i = 0; i < 64; ++i) {
    const int t = i % 16;
    for (int c = 0; c < 4; ++c) out[4 * i + c] = p > n ? in[4 * i + c] : (float)(1 + c);
    if (p > t) out[4 * i] = in[4 * t + 1];
    for (int c = 0; c < 2; ++c) out2[2 * i + c] = p > n ? in2[2 * i + c] : 5.0 + c;
    if (p > t) out2[2 * i + 1] = in2[2 * t];
  }
}

void cells(const int n, const int p, const Cell *in, float *out, double *out2, int *out3) {
  for (int i = 0; i < 64; ++i) {
    out[i] = p > n ? in[i & 1].x : 1.5f;
    out2[i] = p > i % 16 ? in[1].y : 2.5 + in[0].y;
    out3[i] = p > n + 1 ? in[i & 1].z[1] : 3;
  }
}

void silent(const int n, const int p, float *in, float *out, float *m) {
  for (int i = 0; i < 256; ++i) {
    const float v = (p > n ? in[i] : 4.625f) + 1.0f;
    out[i] = p > i % 64 ? m[(i & 3) + 4 * (n & 3)] : v;
  }
}
