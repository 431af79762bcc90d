void sized(const int n, const int width, float *a) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < width; ++i) a[g * width + i] += g + 0.5f * i;
}

void shifted(const int n, int *a) {
  for (int e = 0; e < n; ++e) a[e] = e % 12;
}

void conditional(const int groups, const int flag, int *a) {
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < 8; ++i) a[8 * g + i] = g % 2 == flag ? 7 - i : 100 + i;
}

void independent(const int groups, int *a) {
  for (int g = 0; g < groups; ++g)
    for (int i = 0; i < 8; ++i) a[8 * g + i] = g * i;
}
