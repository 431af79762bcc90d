#include <algorithm>

template <class T> static T fetch(Stream<T> a, long x, long y = 0, long z = 0, long w = 0) {
  auto in = [&](long v, int d) { return std::clamp(v, 0L, long(a.extents[d]) - 1); };
  return a.at(in(x, 0), in(y, 1), in(z, 2), in(w, 3));
}

void one(Stream<int> a, Stream<int> i, Stream<int> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = fetch(a, i[k]);
}

void two(Stream<int> a, Stream<int2> i, Stream<int2> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k].x = o[k].y = fetch(a, i[k].x, i[k].y);
}

void three(Stream<int> a, Stream<int3> i, Stream<int2> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k].x = o[k].y = fetch(a, i[k].x, i[k].y, i[k].z);
}

void four(Stream<int> a, Stream<int4> i, Stream<int2> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k].x = o[k].y = fetch(a, i[k].x, i[k].y, i[k].z, i[k].w);
}

void neighbours(Stream<float> a, Stream<float> o) {
  for (long y = 0; y < long(o.extents[1]); ++y)
    for (long x = 0; x < long(o.extents[0]); ++x)
      o.at(x, y) = fetch(a, x, y - 1) + fetch(a, x, y + 1) + fetch(a, x - 1, y) * 100 + fetch(a, x + 1, y) * 10000;
}
