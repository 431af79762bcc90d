static unsigned inside(float v, unsigned n) { return !(v > 0) ? 0 : v >= n ? n - 1 : unsigned(v); }

void one(Stream<int> a, Stream<float> i, Stream<int> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a[inside(i[k], a.size())];
}

void vectors(Stream<int> a, Stream<float2> i, Stream<int> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a.at(inside(i[k].x, a.extents[0]), inside(i[k].y, a.extents[1]));
}

void brackets(Stream<int> a, Stream<float2> i, Stream<int> o) { vectors(a, i, o); }
