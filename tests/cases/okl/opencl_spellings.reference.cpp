// Three components take the room of four.
void mixed(const double d, const float *a, float *o) {
  for (int i = 0; i < 16; ++i) {
    float sum[3];
    for (int c = 0; c < 3; ++c) {
      const float v = a[4 * i + c], f = (float)d;
      const float u = f * v;
      sum[c] = f * v + f * v + u * f;
    }
    o[i] = sum[0] + sum[1] + sum[2];
  }
}
