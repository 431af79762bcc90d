#include <algorithm>

void integers(Stream<int> a, Stream<int4> o) {
  for (unsigned g = 0; g < o.size(); g += 32) {
    int sum = 0, low = a[g], high = a[g];
    for (unsigned i = g; i < g + 32; ++i) {
      o[i].w = i == g ? -1 : high;
      o[i].z = sum += a[i];
      low = std::min(low, a[i]);
      high = std::max(high, a[i]);
    }
    for (unsigned i = g; i < g + 32; ++i) {
      o[i].x = sum;
      o[i].y = low;
    }
  }
}

void floats(Stream<float> a, Stream<float4> o) {
  for (unsigned g = 0; g < o.size(); g += 32) {
    float sum = 0, low = a[g], high = *std::max_element(a.data + g, a.data + g + 32);
    for (unsigned i = g; i < g + 32; ++i) {
      low = std::min(low, a[i]);
      o[i] = {high, sum, low, a[g + 3]};
      sum += a[i];
    }
  }
}

void votes(Stream<int> a, Stream<int2> o) {
  for (unsigned g = 0; g < o.size(); g += 32) {
    bool every = true, some = false;
    for (unsigned i = g; i < g + 32; ++i) every = every && a[i] > 0, some = some || a[i] > 90;
    for (unsigned i = g; i < g + 32; ++i) o[i] = {every, some};
  }
}
