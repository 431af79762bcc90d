typedef long long wide;
typedef unsigned long long uwide;

// The lowest bits of a number, as an integer of a size.
static int i32(uwide v) { return (int)(uint32_t)v; }
static short i16(uwide v) { return (short)(uint16_t)v; }
static signed char i8(uwide v) { return (signed char)(uint8_t)v; }
static int i32(wide v) { return i32((uwide)v); }
static uwide times(wide a, wide b) { return (uwide)a * (uwide)b; }

static int absolute(int v) { return v < 0 ? i32(-(wide)v) : v; }
static unsigned inside(wide i, wide n) { return (unsigned)(i < 0 ? 0 : i >= n ? n - 1 : i); }

void sums(Stream<int> x, int p, Stream<int4> o, Stream<int4> q) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const wide v = x[i];
    const int twice = i32(2 * (wide)p + v - v), low = i32(-2147483648ll + v);
    o[i] = {twice <= 0, low / 2, low < 0, i32(-v) < 0};
    q[i] = {i32(v + 1) > v, i32(v * 2) / 2, absolute((int)v) < 0, i32(v - 1) < v};
  }
}

void steps(Stream<int> x, Stream<int4> o, Stream<int4> q) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const int v = x[i];
    const int up = i32((wide)v + 1), down = i32((wide)v - 1);
    o[i] = {v < up, up > v, v > down, down < v};
    q[i] = {i32((wide)up + v), i32((wide)up - 3 * (wide)v), i32(times(down, i32((wide)v + down))),
            i32((uwide)down + (uwide)down - times(v, v))};
  }
}

void gathers(Stream<int> x, Stream<float> g, Stream<float> h, Stream<float4> o) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const wide v = x[i], n = absolute(x[i]);
    const int far = i32(v + 2147483647), near = i32((v & 7) + 2147483647);
    o[i].x = g[inside(far, 5)];
    o[i].y = g[inside(near, 5)];
    o[i].z = h.at(inside(i32(n + 2147483647), 4), inside(i32(v - 2147483647), 3));
    o[i].w = h.at(inside(far, 4), inside(i32(v + 1), 3));
  }
}

void scatters(Stream<int> x, Stream<int> y, Stream<float> o) {
  for (unsigned i = 0; i < x.size(); ++i) {
    if (y[i] < 0) continue;
    const int first = i32((wide)y[i] + 2147483647), second = i32((wide)first - x[i]);
    if (first >= 0 && first < 6) o[first] = 1.0f;
    if (second >= 0 && second < 6) o[second] += 2.0f;
  }
}

static int vector_o(int x) { return i32((i32((wide)x + 1) > x ? 1ull : 0ull) + times(i32(times(x, x) + (uwide)(wide)x), 2)); }
static int vector_p(int x, bool less) {
  int v = i32((wide)x + 1);
  v = i32((uwide)(wide)v - times(x, x));
  v = i32(times(v, v));
  if (less) v = i32((wide)v - 1);
  return i32((wide)v + absolute(x));
}
static short vector_q(short s) { return i16((wide)s * s - s + (s < 0 ? -s : s)); }

void vectors(Stream<int4> x, Stream<short3> s, Stream<ushort2> u, Stream<char4> c, Stream<int4> o, Stream<int4> p, Stream<short3> q, Stream<ushort2> r, Stream<char4> d) {
  for (unsigned i = 0; i < x.size(); ++i) {
    o[i] = {vector_o(x[i].x), vector_o(x[i].y), vector_o(x[i].z), vector_o(x[i].w)};
    p[i] = {vector_p(x[i].x, false), vector_p(x[i].y, true), vector_p(x[i].z, true), vector_p(x[i].w, false)};
    q[i] = {vector_q(s[i].x), vector_q(s[i].y), vector_q(s[i].z)};
    r[i] = {(ushort)(u[i].x * (unsigned)u[i].x), (ushort)(u[i].y * (unsigned)u[i].y)};
    d[i].x = i8((wide)(-c[i].x * c[i].x + c[i].x));
    d[i].y = i8((wide)(-c[i].y * c[i].y + c[i].y));
    d[i].z = i8((wide)(-c[i].z * c[i].z + c[i].z));
    d[i].w = i8((wide)(-c[i].w * c[i].w + c[i].w));
  }
}

void narrow(Stream<signed char> a, Stream<signed char> b, Stream<short> c, Stream<ushort> d, Stream<uchar> e, Stream<signed char> o, Stream<short> p, Stream<ushort> q, Stream<uchar> r) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = i8((wide)a[i] * b[i] * a[i] - b[i]);
    p[i] = i16((wide)c[i] * c[i] * c[i] + c[i] - (c[i] + (wide)c[i]));
    const uwide v = d[i];
    q[i] = (ushort)((ushort)(v * v + v * v * v) * v);
    const uwide w = e[i];
    r[i] = (uchar)(w + w - w * w);
  }
}

void loops(Stream<int> x, int n, Stream<int4> o) {
  for (unsigned at = 0; at < x.size(); ++at) {
    const wide v = x[at];
    wide sum = 0;
    int count = 0;
    for (wide i = 0; i < n; i++) sum += i * v;
    for (int j = (int)v; j > 2147483640; j = i32((wide)j + 1)) count++;
    for (int k = 2147483640; k <= 2147483647 && count < 20; k = i32((wide)k + 5)) count++;
    sum -= 10 + 7 + 4 + 1;
    int m = (int)v;
    while (m > 0) m = i32((wide)m + 1073741824);
    o[at] = {i32(sum), count, m, n};
  }
}

void literals(Stream<int> x, Stream<int4> o) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const wide v = x[i];
    o[i] = {i32(v - 2147483648ll), 0, v < -16, i32(-2147483648ll - v)};
  }
}

void total(Stream<int> x, Stream<int> r) {
  const std::size_t each = x.size() / r.size();
  for (std::size_t i = 0; i < r.size(); ++i) {
    wide sum = 0;
    for (std::size_t j = 0; j < each; ++j) sum += x[i * each + j];
    r[i] = i32(sum);
  }
}

void product(Stream<int> x, Stream<int> r) {
  const std::size_t each = x.size() / r.size();
  for (std::size_t i = 0; i < r.size(); ++i) {
    uwide all = 1;
    for (std::size_t j = 0; j < each; ++j) all *= (uwide)(wide)x[i * each + j];
    r[i] = i32(all);
  }
}

void totals(Stream<int4> x, Stream<int4> r) {
  const std::size_t each = x.size() / r.size();
  for (std::size_t i = 0; i < r.size(); ++i) {
    wide a = 0, b = 0, c = 0, d = 0;
    for (std::size_t j = 0; j < each; ++j) {
      const int4 v = x[i * each + j];
      a += v.x, b += v.y, c += v.z, d += v.w;
    }
    r[i] = {i32(a), i32(b), i32(c), i32(d)};
  }
}

void alternate(Stream<int> x, Stream<int> r) {
  const std::size_t each = x.size() / r.size();
  for (std::size_t i = 0; i < r.size(); ++i) {
    wide all = x[i * each];
    for (std::size_t j = 1; j < each; ++j) all = x[i * each + j] - all;
    r[i] = i32(all);
  }
}
