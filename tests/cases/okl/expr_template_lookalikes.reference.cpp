void comparisons(const int n, const int *x, int *out) {
  for (int i = 0; i < n; ++i) {
    const int a = x[i], b = x[(i + 1) % n], c = x[(i + 2) % n], d = 2;
    const int less = a < b, more = c > d;
    int r = (less && more) + 2 * (less || more) + 4 * (less + 2 * more) + 16 * less + 32 * ((a * 4) > b) + 64 * ((a / 2) < b);
    r += 128 * (b < 2 ? b : 2);
    out[i] = r + (less ? a : b) + (more && a < n) - a * b + c - d + c * d;
  }
}
