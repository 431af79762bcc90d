static float2 polar(float2 v) { return {std::sqrt(v.x * v.x + v.y * v.y), v.y}; }

void caller(Stream<float2> a, Stream<float> table, Stream<float2> o, Stream<uchar4> p, Stream<double> q) {
  for (unsigned i = 0; i < o.size(); ++i) {
    float2 u = polar(a[i]), v = polar({u.y, u.x});
    o[i] = {u.x + v.x, u.y + v.y};
    if (a[i].x > 0) o[i].x += (a[i].y * a[i].y) * (a[i].y * a[i].y);
    o[i].y += table[(a[i].x > 0) + (a[i].y > 0)];
    p[i] = {4, 3, uchar(int(o[i].y)), uchar(int(o[i].x))};
    q[i] = double(a[i].x) / 4;
  }
}
