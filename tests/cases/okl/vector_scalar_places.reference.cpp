// A mass is a double, a double2 at 16, a uchar4 at 32: 48 bytes.
#include <cstring>

struct Mass {
  double v, hole, pair[2];
  unsigned char tint[4];
  unsigned char rest[12];
};
struct Place {
  float v[4], pair, rest[3];
};

void places(int n, unsigned scale, const double *d, const void *masses, const void *all, int *c, float *o) {
  for (int i = 0; i < n; ++i) {
    Mass m;
    Place s;
    std::memcpy(&m, static_cast<const char *>(masses) + i * sizeof m, sizeof m);
    std::memcpy(&s, static_cast<const char *>(all) + i * sizeof s, sizeof s);
    const double *const pair = d + 2 * i;
    for (int k = 0; k < 4; ++k) {
      if (k == 3) {
        o[4 * i + k] = 2.0f * 1 * float(m.pair[0]);
        break;
      }
      const float v = s.v[k] * float(m.v), twice = float(m.v) * v;
      const float u = float(pair[0]) * twice + float(pair[1]) * s.v[k];
      const float w =
          (float(pair[1]) * u - float(pair[1]) * v) * float(i % 2 ? m.pair[0] : pair[1]) + twice * float(pair[0]);
      const float picked = m.pair[1] > 0 ? w / float(m.pair[1]) : -1.5f * v;
      const float last = picked + 0.5f * w;
      o[4 * i + k] = 2.0f * last * float(m.pair[0]);
    }
    for (int k = 0; k < 4; ++k) c[4 * i + k] = c[4 * i + k] * int(scale) + m.tint[0] * 2;
    const int factor = int(c[4 * i] & 1 ? pair[0] : 2.0);
    for (int k = 0; k < 4; ++k) c[4 * i + k] *= factor;
  }
}

void far(int n, const unsigned char *v, const signed char *pair, int *o) {
  for (int i = 0; i < n; ++i)
    o[i] = v[4 * (n - 1 - i)] + v[4 * i + 3] - pair[2 * i + 1] + pair[2 * i];
}
