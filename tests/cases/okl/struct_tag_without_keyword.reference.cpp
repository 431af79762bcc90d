struct Sample {
  float value;
  int id;
};
void tags(const Sample first, const int n, const Sample *samples, float *out) {
  for (int k = 0; k < n; ++k)
    out[k] = samples[k].value * (samples[k].id + first.id) + (k % 2 ? 4 : 0) + samples[n - 1 - k].value + 8;
}
