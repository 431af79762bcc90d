void lambdas(const int n, const float *x, const int *k, const float *table, float *o) {
  for (int i = 0; i < n; ++i) {
    auto pick = [&](int s) { return table[s]; };
    auto set = [&](int &s) { s = x[i] > 0.5f; };
    int s;
    set(s);
    int t = [&]() { return k[i] > 1; }();
    o[i] = pick(x[i] > 0.5f) + 8 * table[s] + 64 * table[t];
  }
}
