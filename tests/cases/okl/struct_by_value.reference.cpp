struct Vec {
  float x, y;
};
struct box_t {
  char tag;
  double scale;
  short shorts[3];
  Vec corners[2];
  long count;
};
void byValue(const box_t b, const int n, const Vec shift, double *out) {
  for (int k = 0; k < n; ++k) {
    const double corner = k % 2 ? b.corners[1].x + shift.x + b.corners[1].y : shift.x + shift.y;
    out[k] = b.scale * k + b.shorts[k % 3] + corner + b.corners[1].y + b.count + b.tag + b.corners[0].x + b.corners[0].y;
  }
}
