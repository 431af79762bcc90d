void histories(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 6; ++i) {
      long line[5], plane[6], cube[8], sum = 0;
      for (int k = 0; k < 5; ++k) line[k] = in[6 * g + i] + k;
      for (int k = 0; k < 6; ++k) plane[k] = 10 * k + i;
      for (int k = 0; k < 8; ++k) cube[k] = k * 3000000000L + i;
      line[i % 5] += 100;
      line[(i + 1) % 5] += 100;
      plane[i % 3]++;
      plane[3 + i % 3]++;
      cube[1] -= 1;
      cube[6] -= 1;
      for (int k = 0; k < 5; ++k) sum += (k + 1) * line[k];
      for (int k = 0; k < 6; ++k) sum += (k + 7) * plane[k];
      for (int k = 0; k < 8; ++k) sum += (k + 1) * cube[k];
      out[6 * g + i] = sum % 1000003;
    }
}
