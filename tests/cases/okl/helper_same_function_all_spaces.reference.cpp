void combinations(const int n, const float *in, float *out) {
  auto dot = [](const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  for (int g = 0; g < n; ++g, in += 12)
    for (int i = 0; i < 4; ++i) {
      const float *a = in + 3 * i, *next = in + 3 * ((i + 1) % 4), *back = in + 3 * (3 - i);
      *out++ = dot(next, next) + 2 * dot(next, a) + 4 * dot(a, back) + 8 * dot(back, next) + 16 * dot(back, a) + 32 * dot(a, in);
    }
}
