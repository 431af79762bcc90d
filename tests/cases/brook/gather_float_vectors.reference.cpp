static long at(float v) { return long(std::floor(double(v) + 0.25)); }
static unsigned inside(float v, unsigned n) {
  long i = at(v);
  return i < 0 ? 0 : i >= long(n) ? n - 1 : unsigned(i);
}

void one(Stream<float> a, Stream<float> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a[inside(i[k], a.size())];
}

void two(Stream<float> a, Stream<float2> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k)
    o[k] = a.at(inside(i[k].x, a.extents[0]), inside(i[k].y, a.extents[1]));
}

void three(Stream<float> a, Stream<float3> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k)
    o[k] = a.at(inside(i[k].x, a.extents[0]), inside(i[k].y, a.extents[1]), inside(i[k].z, a.extents[2]));
}

void four(Stream<float> a, Stream<float4> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k)
    o[k] = a.at(inside(i[k].x, a.extents[0]), inside(i[k].y, a.extents[1]), inside(i[k].z, a.extents[2]),
                inside(i[k].w, a.extents[3]));
}
