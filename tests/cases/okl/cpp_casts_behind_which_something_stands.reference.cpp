void casts(const int n, int *o) {
  for (int i = 0; i < n; ++i) {
    const int low = i & 255, high = i >> 8 & 255;
    int s = 0;
    if (high == 0) s += 1;
    if (low == 0) s += 10;
    s += high ? 100 : 200;
    s += 1000 * 1280 + 7;
    s += i + i;
    o[i] = s + i + 1;
  }
}
