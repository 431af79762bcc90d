#include <algorithm>
#include <cmath>
#include <cstddef>
using namespace std;

// The same words without attributes: what a C++ compiler makes of them.

typedef long index_t;
enum Mode { Skip, Once = 3, Twice, Many = Twice + 4 };
const int base = 2;
const int weights[4] = {1, 10, 100, 1000};
const short grid[2][3] = {{1, 2, 3}, {4, 5, 6}};

static inline int twice(int x) { return 2 * x; }

int collatz(int n, const int limit) {
  int steps = 0;
  while (n != 1 && steps < limit) {
    if (n % 2 == 0) n /= 2;
    else n = 3 * n + 1;
    ++steps;
  }
  return steps;
}

unsigned int factorial(unsigned int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

index_t sumOf(int n) {
  index_t sum = 0;
  for (int i = 0, j = n; i < j; i++, --j) {
    if (i == 3) continue;
    switch (i % 3) {
      case 0: sum += j;
      case 1: sum += 100; break;
      default: sum--;
    }
  }
  do { sum += n--; } while (n > 5);
  return sum;
}

void statements(int n, const int rounds, long *out) {
  int digit = 0, other;
  auto wide = n + 1l;
  const size_t count = sizeof(double) * rounds;
  int m = n++ + base;
  other = m = m + 1;
  m += other - m;
  do {
    ++digit;
    for (int g = 0; g < 1; ++g) {
      for (int i = 0; i < 1; ++i) out[0] = out[0] * 10 + digit;
    }
  } while (digit < rounds && digit < 3);
  for (int k = 0, left = rounds; k < 4; k++) {
    if (k == 2) continue;
    if (left-- <= 0) break;
    switch (k + Skip) {
      case Skip:
        digit = 5;
        break;
      case 1: {
        digit = 6;
      }
      case 2:
        n += 100;
        break;
      default:
        digit = 7;
    }
    for (int g = 0; g < 1; ++g) {
      for (int i = 0; i < 1; ++i) {
        out[0] = out[0] * 10 + digit;
        out[1] = n;
        out[2] += wide;
        out[3] = count;
      }
    }
  }
  int tries = 0;
  while ((tries += 2) < 6 && m > 0) {
    for (int g = 0; g < tries; ++g) {
      for (int i = 0; i < base; ++i) out[4 + g * base + i] += tries;
    }
  }
  {
    int n = 3;
    for (int g = 0; g < n; ++g) {
      for (int i = 0; i < 1; ++i) out[12 + g] = n;
    }
  }
  n -= 100, m = m * 2, tries--;
  for (int g = 0; g < 1; ++g) {
    for (int i = 0; i < 1; ++i) {
      out[16] = m;
      out[17] = tries;
      out[18] = n;
    }
  }
  if (rounds > 100) return;
  int last = rounds > 1 && (m = 77) > 0 ? m + 1 : m - 1;
  for (int g = 0; g < 1; ++g) {
    for (int i = 0; i < 1; ++i) out[19] = last;
  }
}

void functions(const int n, const float x, int *out, double *real) {
  const int steps = collatz(n, 1000);
  const int few = collatz(n, 5);
  const unsigned int fact = factorial(n % 20u);
  const index_t sum = sumOf(n);
  const double root = sqrt(n), power = pow(x, 3), angle = atan2(x, 2.0f), rest = fmod(n, 3.5);
  const float single = sinf(x) + floorf(x * 10), cut = trunc(-x);
  int total = 0;
  for (int k = 0; k < 4; ++k) total += weights[k] * (k + 1);
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b) total += grid[a][b];
  enum Mode mode = n > 10 ? Many : Twice;
  for (int b = 0; b < twice(base) + weights[1]; ++b) {
    for (int i = 0; i < max(twice(2), collatz(8, 1000)); ++i) {
      out[b * 4 + i] = steps + few * 1000;
      if (b == 0 && i == 0) {
        out[60] = fact;
        out[61] = sum;
        out[62] = total;
        out[63] = mode;
        real[0] = root;
        real[1] = power;
        real[2] = angle;
        real[3] = rest;
        real[4] = single;
        real[5] = cut;
      }
    }
  }
}

// C's conversions and widths.
void conversions(const int n, const unsigned int u, const short s, const unsigned char c, const float f, long *out) {
  const int wrapped = n * n;
  const unsigned int difference = u - 10;
  const bool less = (n - 100000) + 0u < u;
  const unsigned char narrow = c + 10;
  const short tripled = (short)(s * 3);
  const long mixed = (long)n * n + (char)c;
  const int rounded = (int)(f * 10);
  const int divided = -7 / 2 + -7 % 3;
  const long shifted = (1l << 40) >> 3;
  const double third = 1 / 3 + 1.0f / 4;
  const int inverted = ~n & 0xff;
  const int logic = !n || (n && !u);
  for (int g = 0; g < 1; ++g) {
    for (int i = 0; i < 1; ++i) {
      out[0] = wrapped;
      out[1] = difference;
      out[2] = less;
      out[3] = narrow;
      out[4] = tripled;
      out[5] = mixed;
      out[6] = rounded;
      out[7] = divided;
      out[8] = shifted;
      out[9] = (long)(1000 * third);
      out[10] = inverted;
      out[11] = logic;
    }
  }
}

// Scalars of every type by value; bounds beyond 32 bits are computed in 64.
int n0(bool flag) { return flag ? 0 : 3; }

void scalars(const bool flag, const char c, const unsigned char uc, const short s, const unsigned short us, const unsigned int ui, const long l, const unsigned long ul, const size_t z, const index_t x, const double d, long *out) {
  for (long g = l - 2; g < l; ++g) {
    for (unsigned long i = ul; i < ul + 2; ++i) {
      if (flag) out[2 * (g - l + 2) + (i - ul)] = c + uc + s + us + ui + z + x + (long)d;
    }
  }
  for (unsigned int g = ui - 1; g < ui; ++g) {
    for (int i = 0; i < 1; ++i) out[4] = g;
  }
  for (int g = 0; g < n0(flag); ++g) {
    for (int i = 0; i < 1; ++i) out[5] = 1;
  }
}
