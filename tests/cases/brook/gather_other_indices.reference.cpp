#include <algorithm>

void unsigned_index(Stream<int> a, Stream<uint> i, Stream<int> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a[std::min(i[k], 4u)];
}

void narrow(Stream<int> a, Stream<signed char> x, Stream<uchar> y, Stream<int> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a.at(std::clamp<int>(x[k], 0, 2), std::min<int>(y[k], 199));
}

void vectors(Stream<int> a, Stream<uint2> i, Stream<int> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a.at(std::min(i[k].x, 3u), std::min(i[k].y, 2u));
}
