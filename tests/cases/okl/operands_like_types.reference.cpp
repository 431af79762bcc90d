static int twice(const int a) { return 2 * a; }
static int sum(const int a, const int b) { return a + b; }

void factors(const int groups, const int *t, float *o) {
  for (int g = 0; g < groups; ++g) {
    for (int j = 0; j < 8; ++j) {
      int v = t[8 * g + j], a = j + 3, b = a * 5, c = a ^ b;
      float f = 0.5f * b;
      int r = (int)((v * (a & t[6])) - 3) + (v * (a)) - (b);
      r += (a * (b * (c & v))) & (a);
      r -= (v & (a & b)) + (c) + (v * (a * b)) * (c);
      r ^= (twice(a & b)) - 3;
      r += (sum(a * b, a & b)) * (c) - (twice(v * (b))) + (twice(a));
      r += (int)(v) - (int)(a * (b)) * (int)(v & (c)) - ~(v * (a & b)) * (b);
      o[8 * g + j] = (float)((int)((v * (a & t[6])) - c)) + (f * (a & c)) + r % 1000;
    }
  }
}

void declared(const int groups, const int *t, float *o) {
  for (int g = 0; g < groups; ++g) {
    for (int j = 0; j < 8; ++j) {
      int v = t[8 * g + j], a = v + 1, *p = &a, b = *p + v;
      int q(v * (a & b)), r(a * b), s(b);
      o[8 * g + j] = sum(v < b, a > (q)) + q + r * s + (v < b && a > (q)) + *p;
    }
  }
}

void commas(const int groups, const int *t, float *o) {
  for (int g = 0; g < groups; ++g) {
    for (int j = 0; j < 8; ++j) {
      int v = t[8 * g + j], a, b = 2, c = 0;
      int r = (a = v > 3 ? 5 : 1, b += a || c, a + b);
      r += (c = b = r && v, c + 1);
      r -= (b <<= 2, c |= b > 3, b - c);
      o[8 * g + j] = r + 10 * a + 100 * b + 1000 * c;
    }
  }
}

void exclusive(const int groups, const int *t, float *o) {
  for (int i = 0; i < 8 * groups; ++i) {
    int a = i / 8 + 3, b = a + 1;
    const int first = b, second = a + t[i];
    a = t[i];
    b += a;
    o[i] = (a * (b & second)) - first;
  }
}
