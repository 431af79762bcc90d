#include <cstring>

struct float4 {
  float x, y, z, w;
};

void move(int n, float4 shift, const float *from, float *to, float *length) {
  for (int i = 0; i < n; ++i) {
    const float x = from[4 * i] + shift.x, y = from[4 * i + 1] - shift.y;
    const float z = from[4 * i + 2] * shift.z + shift.w;
    to[4 * i] = x;
    to[4 * i + 1] = y;
    to[4 * i + 2] = z;
    length[i] = x * x + y * y + z * z;
  }
}

void mixed(int n, const double *a, const int *b, double *out, unsigned char *made) {
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < 8; ++i) {
      const int at = 8 * g + i, opposite = 8 * g + 7 - i;
      double v[4];
      for (int k = 0; k < 4; ++k) v[k] = a[4 * opposite + k] + 2.0 * a[4 * at + k] - a[4 * (8 * g) + k];
      out[2 * at] = v[0] + v[1] * v[2] - v[3] + i + 2 * i;
      const long long big = (short)b[2 * at] + ((long long)(short)b[2 * opposite + 1] << 33);
      // A float3 takes 16 bytes; the double4 begins at 32, the char2 at 64, and 32 is the alignment.
      out[2 * at + 1] = (double)big + 16.0 + 100.0 * 96.0;
      unsigned char *p = made + 96 * at;
      const float place[3] = {1.0f, 2.0f, (float)at};
      std::memcpy(p, place, sizeof(place));
      std::memcpy(p + 32, v, sizeof(v));
      p[64] = 1;
      p[65] = 2;
    }
}
