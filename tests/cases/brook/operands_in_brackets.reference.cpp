void operands(Stream<int> t, Stream<int> as, Stream<int> bs, Stream<int> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    const int a = as[i], b = bs[i];
    int v = 2 * a - 3 * b;
    v += t[a & 7] & (2 * b);
    v += 2 * t[b & 3] - a % 5;
    v += t[a & 3] * b - 2 * t[2] + 2 * a * t[1];
    v -= 2 * b + 2 * a;
    if (t[b & 7] != 0 && a > b) v += 1000;
    o[i] = v + (t[3] - a / 2);
  }
}
