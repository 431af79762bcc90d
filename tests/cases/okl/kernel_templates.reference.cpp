template <class T, int N = 4, bool twice = false>
void scaled(const int n, const T factor, const T *x, T *y) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < N; ++i) y[N * g + i] = (twice ? 2 : 1) * factor * (x[N * g + N - 1 - i] + (T)N);
}
template <int SIZE> void counted(const int n, int *a) {
  for (int i = 0; i < n; ++i) a[i] += SIZE;
}
