#include <algorithm>

void line(Stream<float> a, Stream<float> w, Stream<float> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = a[i] * w[3] + w[0];
}

void table(Stream<int2> a, Stream<uchar3> t, Stream<uchar3> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = t.at(std::clamp(a[i].x, 0, 4), std::clamp(a[i].y, 0, 1));
}
