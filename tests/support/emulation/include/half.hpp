// CUDA's and HIP's half where an ordinary compiler builds their source: what the generated text needs of it.
#ifndef BROOK_HALF
#define BROOK_HALF 1
#if !defined(__FLT16_MAX__) || (defined(__clang__) && __clang_major__ < 15)
#error "half: this compiler has no _Float16"
#endif
#include <cstring>

typedef _Float16 half;
typedef _Float16 __half;

static inline unsigned short __half_as_ushort(half value) {
  unsigned short bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline half __ushort_as_half(unsigned short bits) {
  half value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
#endif
