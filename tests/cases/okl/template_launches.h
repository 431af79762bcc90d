#define TWICE(x) (2 * (x))

template <typename T> @kernel void included(const int n, T *a) {
  for (int i = 0; i < n; ++i; @tile(8, @outer, @inner)) a[i] = TWICE(a[i]);
}
