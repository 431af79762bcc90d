void relax(const int n, const int rounds, float *data) {
  for (int g = 0; g < n; ++g, data += 10)
    for (int r = 0; r < rounds; ++r) {
      float old[10];
      for (int i = 0; i < 10; ++i) old[i] = data[i];
      for (int i = 0; i < 10; ++i) data[i] = 0.5f * old[i] + 0.25f * (old[(i + 1) % 10] + old[(i + 9) % 10]);
    }
}
