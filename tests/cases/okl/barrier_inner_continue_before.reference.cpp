void leaving(const int n, const int *in, int *out) {
  for (int g = 0; g < n; ++g, in += 9, out += 9) {
    int sum = 0;
    for (int i = 0; i < 9; ++i) sum += in[i] % 4 ? in[i] : 0;
    for (int i = 0; i < 9; ++i)
      if (in[i] % 4) out[i] = sum % 2 ? -sum : sum;
  }
}
