#include <cmath>
#include <cstring>

// Of IEEE's half, the numbers that occur: 0, and those without denormals.
static float number(unsigned short bits) {
  if ((bits & 0x7fff) == 0) return (bits & 0x8000) ? -0.0f : 0.0f;
  const float size = std::ldexp(1024.0f + (bits & 0x3ff), ((bits >> 10) & 0x1f) - 25);
  return (bits & 0x8000) ? -size : size;
}

// Exact: every number here has few digits.
static unsigned short bits(float number) {
  unsigned short sign = std::signbit(number) ? 0x8000 : 0;
  if (number == 0) return sign;
  int exponent;
  const float fraction = std::frexp(std::fabs(number), &exponent);
  return sign | (unsigned short)((exponent + 14) << 10) | ((unsigned short)(fraction * 2048) & 0x3ff);
}

void convert(const int n, const float *x, unsigned short *y) {
  for (int i = 0; i < n; ++i) y[i] = bits(x[i] / 4 - 8);
}

void combine(const int n, const unsigned short *x, unsigned short *pairs, unsigned short *y) {
  for (int i = 0; i < n; ++i) {
    const int g = i / 32 * 32;
    const float own = number(x[i]), square = own * own, power = i % 2 ? -square : square;
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += number(x[g + (i - g + k) % 32]);
    if (own < 0) sum -= own;
    y[i] = bits((sum > power ? sum : power) / 2);
    pairs[2 * i] = x[i];
    pairs[2 * i + 1] = x[g + 31 - (i - g)];
  }
}

void roots(const int n, const unsigned short *x, float *out) {
  for (int i = 0; i < n; ++i) {
    const float own = number(x[i]);
    out[i] = std::sqrt(own * own) + (int)own + own;
  }
}
