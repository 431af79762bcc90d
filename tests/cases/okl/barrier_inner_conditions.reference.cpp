void uniform(const int n, const int mode, int *data) {
  for (int g = 0; g < n; ++g, data += 6) {
    int s[6];
    auto mix = [&](auto f) {
      for (int i = 0; i < 6; ++i) s[i] = data[i];
      for (int i = 0; i < 6; ++i) data[i] = f(i);
    };
    if (mode > 0) {
      mix([&](int i) { return s[i] + s[5 - i]; });
      if (g % 2) mix([&](int i) { return s[i] + s[(i + 1) % 6]; });
    } else {
      mix([&](int i) { return 3 * s[i]; });
    }
    mix([&](int i) { return mode == 2 ? 2 * s[(i + 2) % 6] : s[i] + 1; });
  }
}
