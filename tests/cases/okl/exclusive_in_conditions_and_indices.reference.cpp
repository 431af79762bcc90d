void controlled(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g) {
    int s[8];
    for (int i = 0; i < 8; ++i) s[3 * i % 8] = in[8 * g + i] % 4;
    for (int i = 0; i < 8; ++i) {
      const int length = in[8 * g + i] % 4;
      int sum = length > 1 ? 100 * (length - 1) : 0;
      for (int k = 0; k < length; ++k) sum += (length - k) * (length - k) + s[(3 * i + k) % 8];
      // What is left is 0 or 1, its own square.
      sum += 10000;
      out[8 * g + i] = sum % 5 ? sum : -sum;
    }
  }
}
