void casts(Stream<float4> a, Stream<int> i, Stream<int4> o, Stream<float2> p, Stream<uint> q, Stream<uchar> r,
           Stream<double> s) {
  for (unsigned k = 0; k < o.size(); ++k) {
    int outer = int(a[k].x + a[k].w), inner = int(a[k].y + a[k].z);
    o[k] = {outer, inner, inner, outer};
    p[k] = {float(outer), float(inner)};
    q[k] = uint(i[k] + 1) / 2;
    r[k] = uchar(i[k] * 100);
    s[k] = double(a[k].x) + i[k];
  }
}
