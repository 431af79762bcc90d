#define MAP(NAME, RESULT)                                                              \
  extern "C" void brook_launch_##NAME(void **arguments) {                              \
    const float *const xs = *(const float **)arguments[0];                             \
    float *const ys = *(float **)arguments[1];                                         \
    const unsigned int n = *(const unsigned int *)arguments[2];                        \
    _Pragma("omp parallel for simd") for (unsigned int i = 0; i < n; ++i) {            \
      const float x = xs[i];                                                           \
      ys[i] = RESULT;                                                                  \
    }                                                                                  \
  }

extern "C" void brook_launch_total(void **arguments) {
  const float *const xs = *(const float **)arguments[0];
  float *const ys = *(float **)arguments[1];
  const unsigned int n = *(const unsigned int *)arguments[2];
  float sum = 0.0f;
  _Pragma("omp parallel for simd reduction(+ : sum)") for (unsigned int i = 0; i < n; ++i) sum += xs[i];
  ys[0] = sum;
}
