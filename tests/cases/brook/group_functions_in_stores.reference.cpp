static int total(Stream<int> a, unsigned i) {
  int sum = 0;
  for (unsigned k = i / 32 * 32; k < a.size() && k < i / 32 * 32 + 32; ++k) sum += a[k];
  return sum;
}

void partial(Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = total(a, i);
}

void apart(Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; 2 * i < o.size(); ++i) o[2 * i] = total(a, i);
}

void packed(Stream<int>, Stream<int> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = (int)i;
}

void components(Stream<float> a, Stream<float4> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    float most = a[i / 32 * 32], upto = 0;
    for (unsigned k = i / 32 * 32; k < a.size() && k < i / 32 * 32 + 32; ++k) {
      if (a[k] > most) most = a[k];
      if (k <= i) upto += a[k];
    }
    o[i].y = most;
    o[i].z = a[i];
    o[i].w += upto;
  }
}
