#include <cstdint>
void widths(const int n, const uint32_t seed, uint64_t *state, char *bytes, uint16_t *words, int *out) {
  for (int k = 0; k < n; ++k) {
    uint64_t x = k ^ (uint64_t) seed;
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    state[k] = x, bytes[k] = x >> 56, words[k] = x;
    out[k] = (int) (x & 255) + (x >> 63 ? 11000 : 0) + 800000;
  }
}
