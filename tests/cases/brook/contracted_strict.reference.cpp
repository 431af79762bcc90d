#include <cmath>

static float fma1(float a, float b, float c) { return a * b + c; }
static float dot4(const float *a, const float *b, int n) {
  float sum = a[0] * b[0];
  for (int i = 1; i < n; ++i) sum = fma1(a[i], b[i], sum);
  return sum;
}

void scalars(Stream<float> a, Stream<float> b, Stream<float> c, float s, Stream<float> sum, Stream<float> less, Stream<float> both, Stream<float> kept) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float x = a[i], y = b[i], z = c[i];
    sum[i] = fma1(x, y, z);
    less[i] = fma1(-x, s + y, z);
    const float first = fma1(-z, s, x * y), second = fma1(y, z, first);
    both[i] = fma1(x, s, second);
    float t = fma1(y, z, x);
    t = fma1(-y, s, t);
    t *= fma1(y, z, x);
    const float p = x * y;
    kept[i] = fma1(-p, 3.0f, (p + z) * t);
  }
}

void vectors(Stream<float4> a, Stream<float4> b, float s, Stream<float4> o, Stream<float2> halves, Stream<float> products) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float x[4] = {a[i].x, a[i].y, a[i].z, a[i].w}, y[4] = {b[i].x, b[i].y, b[i].z, b[i].w};
    float t[4], r[4];
    for (int k = 0; k < 4; ++k) t[k] = fma1(x[3 - k], y[k], x[k]);
    t[1] = fma1(-s, y[0], t[1]);
    t[2] = fma1(-t[3], t[1], t[2] * t[0]);
    const float by[4] = {s, s, y[0], s};
    for (int k = 0; k < 4; ++k) t[k] = fma1(-t[k], by[k], y[k]);
    for (int k = 0; k < 4; ++k) r[k] = fma1(t[k], x[k], t[k]);
    o[i] = {r[0], r[1], r[2], r[3]};
    const float at[2] = {s, x[2]};
    float half[2];
    for (int k = 0; k < 2; ++k) half[k] = fma1(at[k], y[2 + k], (1.0f - at[k]) * x[k]);
    halves[i] = {half[0], half[1]};
    const float crossed = fma1(-x[0], y[2], x[2] * y[0]), single = x[2] * t[1];
    float sum = fma1(dot4(x, t, 3), x[0], dot4(x, y, 4));
    sum = sum + dot4(t + 2, y, 2);
    products[i] = fma1(-single, crossed, sum);
  }
}

void loops(Stream<float> c, float most, Stream<float> table, Stream<float> z, Stream<float> count) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    float n = 0.0f, x = 0.0f;
    while (n < most && x < 2.0f) {
      x = fma1(x, x, c[i]);
      x = fma1(-(x * c[i]), c[i], x);
      n += 1.0f;
    }
    for (int k = 0; k < 5; ++k) x = k > 2 ? fma1(-table[k], c[i], x) : fma1(x, table[k + 1], table[k]);
    z[i] = x;
    count[i] = fma1(n, most, c[i]);
  }
}

void inside(Stream<float> a, Stream<float> b, Stream<float> c, Stream<float> table, Stream<int> n, Stream<float> nested, Stream<float> gathered, Stream<float> whole, Stream<float> side) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float x = a[i], y = b[i], z = c[i];
    const auto clamped = [&](int k) { return table[k < 0 ? 0 : k >= (int)table.size() ? table.size() - 1 : k]; };
    nested[i] = fma1(-fma1(x, y, z), y, z);
    const float quotient = n[i] == 0 ? 0.0f : (float)(7 / n[i]);
    gathered[i] = fma1(-clamped(n[i] - 1), quotient, fma1(clamped(n[i]), y, z));
    whole[i] = fma1((float)(int)(y * 8.0f), z, x);
    const float part = x * z;
    side[i] = part + (x > y ? -fma1(x, z, -y) : fma1(y, z, -x));
  }
}

void zeros(Stream<float> a, Stream<float> b, Stream<float> c, Stream<float4> o, Stream<float2> p) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    volatile float d = fma1(a[i], b[i], -c[i]), e = fma1(-a[i], b[i], c[i]);
    o[i] = {1.0f / -d, 1.0f / -e, 1.0f / -d, 1.0f / fma1(c[i], 0.0f, -d)};
    p[i] = {1.0f / -d, 1.0f / -e};
  }
}
