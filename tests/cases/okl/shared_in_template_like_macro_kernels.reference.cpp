template <class T> static void sum(const int size, const int n, const T *in, T *out) {
  for (int g = 0; g < n; ++g, in += size, out += size) {
    T s = 0;
    for (int i = 0; i < size; ++i) s += in[i];
    for (int i = 0; i < size; ++i) out[i] = s - in[i];
  }
}
void sumFloat8(const int n, const float *in, float *out) { sum(8, n, in, out); }
void sumDouble16(const int n, const double *in, double *out) { sum(16, n, in, out); }
void sumInt2(const int n, const int *in, int *out) { sum(2, n, in, out); }
void sumLong64(const int n, const long *in, long *out) { sum(64, n, in, out); }
