// Group after group, and in each what all items do before a barrier before what they do behind it.
#define SHAPES(T, NAME)                                                                               \
  void neighbours_##NAME(const int, T *x, T *y) {                                                     \
    for (int b = 0; b < 4; ++b) {                                                                     \
      T *p = x + b * 80;                                                                              \
      for (int t = 0; t < 64; ++t) p[t] = p[t + 1];                                                   \
      for (int t = 0; t < 64; ++t) y[b * 64 + t] = p[t + 1];                                          \
    }                                                                                                 \
  }                                                                                                   \
  void one_of_them_##NAME(const int n, T *x, T *y) {                                                  \
    for (int b = 0; b < 4; ++b) {                                                                     \
      for (int t = 0; t < 64; ++t) x[b * 80 + t] = (T)(t == n ? 7 : t * 2);                           \
      for (int t = 0; t < 64; ++t) y[b * 64 + t] = x[b * 80 + t];                                     \
    }                                                                                                 \
  }                                                                                                   \
  void next_loop_##NAME(const int n, T *x, T *y) {                                                    \
    for (int b = 0; b < 4; ++b) {                                                                     \
      T was[64];                                                                                      \
      for (int t = 0; t < 64; ++t) was[t] = x[b * 80 + t];                                            \
      for (int t = 0; t < n && t < 64; ++t) x[b * 80 + 63 - t] = (T)(was[63 - t] + was[t]);           \
      for (int t = 0; t < 64; ++t) y[b * 64 + t] = (T)(was[t] + x[b * 80 + t]);                       \
    }                                                                                                 \
  }                                                                                                   \
  void between_loops_##NAME(const int n, T *x, T *y) {                                                \
    for (int b = 0; b < 4; ++b) {                                                                     \
      for (int t = 0; t < 64; ++t) x[b * 80 + t] = (T)(t == n ? t * 2 + 9 : t * 2);                   \
      for (int t = 0; t < 64; ++t) y[b * 64 + t] = x[b * 80 + t];                                     \
    }                                                                                                 \
  }                                                                                                   \
  void helpers_##NAME(const int n, T *x, T *y) {                                                      \
    for (int b = 0; b < 4; ++b) {                                                                     \
      for (int t = 0; t < 64; ++t) x[b * 80 + t] = (T)(t == 0 ? n * 2 : t * 2);                       \
      for (int t = 0; t < 64; ++t) y[b * 64 + t] = x[b * 80 + t];                                     \
    }                                                                                                 \
  }

SHAPES(float, float)
SHAPES(double, double)
SHAPES(int, int)
SHAPES(short, short)
