void choose(Stream<float> x, Stream<float> a, float at, Stream<float> o) {
  for (unsigned i = 0; i < x.size(); ++i)
    if (x[i] > at) o[i] = a[3];
}

void choose_later(Stream<float> x, Stream<float> a, float at, Stream<float> o) {
  for (unsigned i = 0; i < x.size(); ++i)
    if (x[i] > at) o[i] = a[i];
}

void choose_element(Stream<float> x, float at, Stream<float> o) {
  for (unsigned i = 0; i < x.size(); ++i)
    if (x[i] > at) o[i] = x[i];
}

void choose3(Stream<float> x, Stream<float3> a, float at, Stream<float3> o) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const float3 v = x[i] > at ? a[1] : o[i];
    o[i] = {v.x + 1.0f, v.y + 1.0f, v.z + 1.0f};
  }
}

void choose_small(Stream<float> x, Stream<signed char> a, float at, Stream<signed char> o) {
  for (unsigned i = 0; i < x.size(); ++i)
    if (x[i] > at) o[i] = a[5];
}

void choose_double(Stream<float> x, Stream<double> a, float at, Stream<double> o) {
  for (unsigned i = 0; i < x.size(); ++i)
    for (int j = 0; j < 3; ++j)
      if (x[i] > at + (float)j) o[i] = a[j];
}

void scatter_more(Stream<float> x, Stream<float> a, float at, Stream<float> o) {
  for (unsigned i = 0; i < x.size(); ++i) o[i] = x[i] > at ? o[i] + a[1] : a[2];
}
