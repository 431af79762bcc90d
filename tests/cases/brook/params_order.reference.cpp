void mixed(Stream<float> o, float scale, Stream<float> table, Stream<float> a, int, Stream<int> p, Stream<float>,
           Stream<uchar> b, Stream<float>) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = a[i] * scale + table[b[i] < 4 ? b[i] : 3];
    p[i] = b[i];
  }
}

void sized(Stream<float> a, Stream<float> b, Stream<float> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = a[i] - b[i];
}

void only_outputs(Stream<float> o, Stream<int2> p) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = 7;
    p[i] = {1, 2};
  }
}
