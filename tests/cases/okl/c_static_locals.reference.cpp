void lasting(const int n, const float *in, float *out) {
  const float factors[] = {0.5f, 1.5f, 2.5f};
  for (int i = 0; i < n; ++i) {
    const int other = i / 16 * 16 + 15 - i % 16, third = i % 3;
    float kept = in[i] * factors[third];
    if (i % 2) kept += in[other] * factors[other % 3];
    else kept -= 2 * (third + 1);
    if (i % 4 == 0) kept += 7 + 'b';
    else if (i % 4 == 1) kept += 'b';
    else kept += i % 2 ? 5 : 2;
    out[i] = kept + 2 * third + 1;
  }
}
