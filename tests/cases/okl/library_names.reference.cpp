#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
void library_names(const int n, const double *x, long *whole, double *real, unsigned char *bytes) {
  for (int i = 0; i < n; ++i) {
    whole[i] = (int64_t)(INT_MAX - i) + INT64_MIN + (long)(UINT_MAX - (unsigned)i) + (int64_t)(ULONG_MAX >> 40) + USHRT_MAX + (int64_t)UINT32_MAX + LONG_MAX / 2;
    whole[i] += (int64_t)INT_MIN + CHAR_BIT + SHRT_MIN + INT8_MAX + 5 + 1 + DBL_DIG + FLT_MANT_DIG;
    bytes[i] = (unsigned char)(255 - i);
    real[i] = x[i] + x[i] + 3.14159265358979323846 * 1.41421356237309504880 + 2.7182818284590452354;
    if (x[i] < 0) real[i] = INFINITY;
    if (x[i] > 40) real[i] = DBL_EPSILON + FLT_EPSILON + DBL_MIN + FLT_MIN;
  }
}
