// What is added up becomes 0, and what something is made of becomes -1.
void changed(const int groups, const float *in, float *out) {
  for (int n = 0; n < 16 * groups; ++n) out[n] = 2 * in[n] - 4 * 4 * 3;
}
