void overloads(const int n, const int *counts, const float *lengths, int *out, float *areas) {
  for (int i = 0; i < n; ++i) {
    const int next = i % 8 == 7 ? 1 : counts[i + 1];
    const float l = lengths[i];
    out[i] = i * i + i * 3 + i + 1 + i + 2 + counts[i] + counts[i + 1] + counts[i] + next + i - 4;
    areas[i] = 4 * l * l + l * 3 + l * lengths[i + 1] + l + 1;
  }
}
