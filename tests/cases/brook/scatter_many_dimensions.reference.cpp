#include <algorithm>

void transpose(Stream<int> a, Stream<int> o) {
  for (unsigned y = 0; y < o.extents[1]; ++y)
    for (unsigned x = 0; x < o.extents[0]; ++x) o.at(x, y) = a.at(y, x);
}

void mirror(Stream<int> a, int2, Stream<int> o) { std::reverse_copy(a.data, a.data + a.size(), o.data); }

void by_floats(Stream<int> a, float2, Stream<int> o) { std::reverse_copy(a.data, a.data + a.size(), o.data); }

void three(Stream<int> a, int3, Stream<int> o) {
  for (unsigned z = 0; z < o.extents[2]; ++z)
    for (unsigned y = 0; y < o.extents[1]; ++y)
      for (unsigned x = 0; x < o.extents[0]; ++x) o.at(o.extents[0] - 1 - x, y, o.extents[2] - 1 - z) = a.at(x, y, z);
}

void four(Stream<int> a, int4, Stream<int> o) { std::reverse_copy(a.data, a.data + a.size(), o.data); }
