void fetch(Stream<int> i, Stream<float> t, Stream<float4> m, Stream<float> o, Stream<float4> p) {
  for (unsigned k = 0; k < i.size(); ++k) {
    o[k] = t[i[k] < 5000 ? i[k] : 4999];
    p[k] = m[i[k]];
  }
}
