inline float neighbour(const float *a, const int i) {
  return a[i + 1];
}
