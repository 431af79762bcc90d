static int listed(float a, int most) {
  int n = 0;
  for (; n < most && a < 100.f;) {
    ++n;
    a += n * 2 + 4;
  }
  return n;
}

static int early(float a) {
  if (a < 0) return 1;
  int n = 0;
  for (; a < 100.f && n < 9; ++n) a = a * 1.5f + 1;
  return n > 5;
}

static int lent(float a) {
  int n = 0;
  for (; a < 100.f && n < 100; ++n) a += 3;
  return n;
}

void declarations(const int n, const float *in, int *out) {
  for (int k = 0; k < 16 * n; ++k) {
    const float a = in[k] - 20;
    out[k] = listed(a, 40) + 100 * listed(a + 3, 7) + 10000 * early(a) + 100000 * lent(a);
  }
}
