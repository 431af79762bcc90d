struct float2 { float x, y; };
struct double4 { double x, y, z, w; };
struct int4 { int x, y, z, w; };
static float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
static double4 operator+(double4 a, double4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
static int4 operator+(int4 a, int4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

template <typename T, typename U = T, int N = 8, bool negative = (N > 8)>
void mixed(const int n, const T *a, U *b, const T alpha, int *T2) {
  for (int g = 0; g < n; ++g) {
    for (int i = 0; i < N; ++i) {
      const T part = alpha * a[N * g + N - 1 - i];
      b[N * g + i] = (U)(negative ? -T(part) : part) + (U)(sizeof(T));
    }
    T2[g] = N;
  }
}
template <class T> void scalars(const T x, T y, const int n, double *a) {
  for (int i = 0; i < n; ++i) a[i] = (double)(T)(x + y) + 1000 * sizeof(T);
}
template <typename V> void vectors(const int n, const V *a, V *b) {
  for (int i = 0; i < n; ++i) {
    V v = a[i];
    v.x *= 2;
    b[i] = v + a[i];
  }
}
template <typename T> void included(const int n, T *a) {
  for (int i = 0; i < n; ++i) a[i] = 2 * a[i];
}
void count(const int n, int *a) {
  for (int i = 0; i < n; ++i) a[i] += 1;
}
template <int X, int Y> void extents(int *a) {
  for (int y = 0; y < Y; ++y)
    for (int x = 0; x < X; ++x) a[y * X + x] = 100 * y + x;
}
