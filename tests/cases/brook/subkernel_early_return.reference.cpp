void caller(Stream<int> v, Stream<int> wanted, Stream<int2> o, Stream<float> p) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = {-1, 4};
    for (int k = 3; k >= 0; --k)
      if (v.at(k, i) == wanted[i]) o[i] = {k, k + 1};
    p[i] = 10 + std::fmin(1.0f, wanted[i] * 0.5f);
  }
}
