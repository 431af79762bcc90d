// Random numbers that depend only on a seed and on where they are used: the same on every device,
// whatever the order of the items.
#ifndef MONTE_CARLO_H
#define MONTE_CARLO_H

// ---- Philox 4x32-10 --------------------------------------------------------------------------

typedef struct {
  unsigned int v[4];
} Four;

inline unsigned int highHalf(const unsigned int a, const unsigned int b) {
  return (unsigned int) (((unsigned long) a * b) >> 32);
}

inline Four philox(const unsigned long counter, const unsigned int stream, const unsigned long seed) {
  Four c = {{(unsigned int) counter, (unsigned int) (counter >> 32), stream, 0u}};
  unsigned int k0 = (unsigned int) seed, k1 = (unsigned int) (seed >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned int h0 = highHalf(0xD2511F53u, c.v[0]), l0 = 0xD2511F53u * c.v[0];
    const unsigned int h1 = highHalf(0xCD9E8D57u, c.v[2]), l1 = 0xCD9E8D57u * c.v[2];
    const unsigned int a = h1 ^ c.v[1] ^ k0, b = h0 ^ c.v[3] ^ k1;
    c.v[0] = a;
    c.v[1] = l1;
    c.v[2] = b;
    c.v[3] = l0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

// ---- 64-bit generators -----------------------------------------------------------------------

// Scrambles a number; different numbers give unrelated results.
inline unsigned long splitmix(unsigned long z) {
  z += 0x9E3779B97F4A7C15UL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
  return z ^ (z >> 31);
}

// xorshift64*: changes the state, returns the upper bits.
inline unsigned long xorshift(unsigned long *state) {
  unsigned long x = *state;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  *state = x;
  return x * 2685821657736338717UL;
}

#define LCG_A 6364136223846793005UL
#define LCG_C 1442695040888963407UL

// The state of the linear congruential generator after `n` more steps, in log(n) operations.
inline unsigned long skipped(unsigned long state, unsigned long n) {
  unsigned long a = LCG_A, c = LCG_C, all = 1, sum = 0;
  while (n != 0) {
    if (n & 1UL) {
      all *= a;
      sum = sum * a + c;
    }
    c *= a + 1;
    a *= a;
    n >>= 1;
  }
  return all * state + sum;
}

// ---- Distributions ---------------------------------------------------------------------------

// In (0, 1): never 0, so that its logarithm exists.
inline double unit32(const unsigned int x) { return (x + 0.5) * (1.0 / 4294967296.0); }
inline double unit64(const unsigned long x) {
  return ((double) (x >> 12) + 0.5) * (1.0 / 4503599627370496.0);
}

#define p_twoPi 6.283185307179586

// Two normal numbers from two uniform ones (Box and Muller): the cosine or the sine branch.
inline double normal(const double u, const double v, const int branch) {
  const double r = sqrt(-2.0 * log(u));
  return branch == 0 ? r * cos(p_twoPi * v) : r * sin(p_twoPi * v);
}

#endif
