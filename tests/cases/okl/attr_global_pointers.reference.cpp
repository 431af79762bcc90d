void ends(const int rows, const int width, const float *in, float *out) {
  for (int r = 0; r < rows; ++r) out[r] += in[r * width] + 2.0f * in[r * width + width - 1];
}
