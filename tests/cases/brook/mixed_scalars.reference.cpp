void arithmetic(Stream<int> a, Stream<float> f, Stream<uint> u, Stream<double> d, Stream<float> o, Stream<double> p,
                Stream<int> q, Stream<uint> r) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = float(double(float(a[i])) * f[i]) + 1;
    p[i] = double(f[i]) + d[i] + a[i];
    q[i] = int(f[i] * 2.5f);
    r[i] = u[i] + uint(a[i]);
  }
}

void assigned(Stream<int> a, Stream<float> f, Stream<float> o, Stream<int> p, Stream<signed char> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    o[i] = a[i] / 2.0f;
    p[i] = (f[i] > 2e9f ? INT32_MAX : int(f[i])) / 2;
    q[i] = (signed char)(a[i] * 3);
  }
}

void compared(Stream<int> a, Stream<uint> u, Stream<float> f, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o[i] = (uint(a[i]) < u[i] ? 1 : 0) + (float(a[i]) < f[i] ? 10 : 0) + (float(u[i]) > f[i] ? 100 : 0);
}

void halves(Stream<float> a, Stream<float> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = float(double(float(double(a[i]) + 1.0)) / 3.0);
}
