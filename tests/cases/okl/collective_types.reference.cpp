#include <limits>

template <class T> static T largest() { return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max(); }
template <class T> static T smallest() { return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::min(); }

template <class T> static void results(const int n, const T *x, T *out) {
  T sum = 0, least = largest<T>(), most = smallest<T>();
  bool all = true, any = false;
  for (int i = 0; i < n; ++i) {
    out[6 * n + i] = sum;
    out[7 * n + i] = least;
    out[8 * n + i] = most;
    sum += x[i];
    if (x[i] < least) least = x[i];
    if (x[i] > most) most = x[i];
    out[3 * n + i] = sum;
    out[4 * n + i] = least;
    out[5 * n + i] = most;
    all = all && x[i] != 0;
    any = any || x[i] != 0;
  }
  for (int i = 0; i < n; ++i) {
    out[i] = sum;
    out[n + i] = least;
    out[2 * n + i] = most;
    out[9 * n + i] = x[n / 2];
    out[10 * n + i] = all * 2 + any;
  }
}

void of_int(const int n, const int *x, int *out) { results(n, x, out); }
void of_uint(const int n, const unsigned int *x, unsigned int *out) { results(n, x, out); }
void of_long(const int n, const long *x, long *out) { results(n, x, out); }
void of_ulong(const int n, const unsigned long *x, unsigned long *out) { results(n, x, out); }
void of_float(const int n, const float *x, float *out) { results(n, x, out); }
void of_double(const int n, const double *x, double *out) { results(n, x, out); }

void of_short(const int n, const short *x, int *out) {
  int sum = 0, large = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i];
    large += x[i] > 100;
    out[n + i] = sum;
    out[2 * n + i] = i == 0;
  }
  for (int i = 0; i < n; ++i) {
    out[i] = sum;
    out[3 * n + i] = large;
  }
}
