void pick(Stream<float4> a, Stream<float4> b, Stream<float> s, Stream<float4> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    if (a[i].x < b[i].x)
      o[i] = a[i];
    else if (s[i] > 0.5f)
      o[i] = {b[i].w, b[i].z, b[i].y, b[i].x};
    else
      o[i] = {a[i].x + b[i].x, a[i].y + b[i].y, a[i].z + b[i].z, a[i].w + b[i].w};
  }
}

void lazy(Stream<int> a, Stream<int2> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    if (a[i] > 0)
      o[i] = {a[i], 1};
    else if (a[i] < -1)
      o[i] = {-a[i], 2};
    else
      o[i] = {0, 0};
  }
}

void with_numbers(Stream<int> n, Stream<double> d, Stream<double2> o) {
  for (unsigned i = 0; i < n.size(); ++i) {
    o[i] = {n[i] ? d[i] : 0, n[i] ? 2 * d[i] : 0};
    if (!(d[i] > 0.25)) o[i].x = -1;
  }
}
