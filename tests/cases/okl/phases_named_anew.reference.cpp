void anew(const int n, const float *in, float *out) {
  for (int g = 0; g < n; ++g) {
    const float *p = in + 8 * g;
    float one[8], two[8], kept[8];
    for (int i = 0; i < 8; ++i) {
      kept[i] = i % 2 ? p[7 - i] : p[i];
      one[i] = p[7 - i] + (p[i] + 1) + in[1];
      two[i] = one[i] + kept[i];
    }
    for (int i = 0; i < 8; ++i) {
      const float t = two[i] > 3 ? 1 : two[(i + 1) % 8];
      out[8 * g + i] = t + kept[i] * 16 + in[i] + (p[i] + 1) + one[i];
    }
  }
}

void rounds(const int n, const float *in, float *out) {
  for (int g = 0; g < n; ++g) {
    float found[8] = {0}, sum[8] = {0}, last[8], s[8];
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 8; ++i) s[i] = in[8 * g + (i + k) % 8] + found[i];
      for (int i = 0; i < 8; ++i) {
        if (k != 1) found[i] = s[7 - i];
        sum[i] += s[7 - i];
        sum[i] += s[i] * k;
        last[i] = s[i];
      }
    }
    for (int i = 0; i < 8; ++i) out[8 * g + i] = sum[i] + last[i];
  }
}

void pointed(const int n, const float *in, float *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      const float *p = in + 8 * g;
      out[8 * g + i] = 5 + p[i];
      out[8 * g + i] += p[i] * 2 + p[7 - i];
    }
}
