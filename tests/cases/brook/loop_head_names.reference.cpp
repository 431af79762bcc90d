void heads(Stream<float> x, Stream<float> a, Stream<float> b) {
  for (unsigned n = 0; n < x.size(); ++n) {
    float s = 4 * (x[n] * 2 + 1) + 2 * 7 + 3 + 16;
    s += 2 * ((x[n] > 0 ? 1 : 0) + 3);
    if (x[n] > 2)
      s += 1;
    else
      a[n] = -1;
    b[n] = s;
  }
}
