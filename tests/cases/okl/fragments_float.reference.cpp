#include <cmath>
#include <cstring>

static double of_half(unsigned short bits) {
  const int exponent = bits >> 10 & 31, digits = bits & 1023;
  const double size = exponent == 0 ? std::ldexp(digits, -24) : std::ldexp(1024 + digits, exponent - 25);
  return bits & 0x8000 ? -size : size;
}
static double of_bfloat16(unsigned short bits) {
  const unsigned word = (unsigned)bits << 16;
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}
// 11 digits are left, the nearest, and of two as near the larger one.
static double of_tf32(float x) {
  int exponent;
  const double digits = std::frexp((double)x, &exponent) * 2048;
  return std::ldexp(std::round(digits), exponent - 11);
}

template <class T, class F>
static void product(int tiles, const T *A, const T *B, float *C, F &&of, bool columns, double first) {
  for (int g = 0; g < tiles; ++g)
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        float &sum = C[256 * g + (columns ? 16 * j + i : 16 * i + j)];
        double all = columns ? first : sum;
        for (int k = 0; k < 64; ++k) {
          const T a = A[1024 * g + (columns ? 16 * k + i : 64 * i + k)];
          const T b = B[1024 * g + (columns ? 64 * j + k : 16 * k + j)];
          all += of(a) * of(b);
        }
        sum = all;
      }
}

void product_half(const int n, const unsigned short *A, const unsigned short *B, float *C) { product(n, A, B, C, of_half, false, 0); }
void columns_half(const int n, const unsigned short *A, const unsigned short *B, float *C) { product(n, A, B, C, of_half, true, 0.5); }
void product_bfloat16(const int n, const unsigned short *A, const unsigned short *B, float *C) { product(n, A, B, C, of_bfloat16, false, 0); }
void columns_bfloat16(const int n, const unsigned short *A, const unsigned short *B, float *C) { product(n, A, B, C, of_bfloat16, true, 0.5); }
void product_tf32(const int n, const float *A, const float *B, float *C) { product(n, A, B, C, of_tf32, false, 0); }
void columns_tf32(const int n, const float *A, const float *B, float *C) { product(n, A, B, C, of_tf32, true, 0.5); }

template <class F> static void all(int first, unsigned short *bits, float *C, unsigned short one, F &&of) {
  for (int e = 0; e < 4096; ++e) {
    bits[e / 256 * 512 + e % 256] = first + e;
    bits[e / 256 * 512 + 256 + e % 256] = e % 256 % 17 == 0 ? one : 0;
    C[e] = of(first + e);
  }
}
void all_half(const int first, unsigned short *bits, float *C) { all(first, bits, C, 0x7800, [](unsigned short bits) { return 32768 * of_half(bits); }); }
void all_bfloat16(const int first, unsigned short *bits, float *C) { all(first, bits, C, 0x3f80, of_bfloat16); }
