void triangle(const int n, const int *in, int *out) {
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) out[r * n + c] = c <= r ? in[r * n + r - c] : -in[r * n + (c - r - 1) % (r + 1)];
}
