struct Two {
  float x, y;
};
struct Four {
  int x, y, z, w;
};
struct Frame {
  int id, padding[3];
  float plane[4];
  double range[2];
};
void parameters(const Two scale, const Four, const Frame, const int n, double *out) {
  for (int k = 0; k < n; ++k) out[k] = scale.x * k + scale.y + 1 + 40 + 3 + 6 + 7;
}
