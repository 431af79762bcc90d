#include <cmath>

struct four { float x, y, z, w; };

void planes(int nx, int ny, int nz, const float *u, float *out) {
  for (int z = 1; z < nz - 1; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        int at = z * ny * nx + y * nx + x;
        out[at] = u[at - nx * ny] - 2 * u[at] + u[at + nx * ny];
      }
}

void rows_down(int n, int rows, const float *u, float *out) {
  for (int y = rows - 1; y >= 2; y -= 2)
    for (int x = 0; x < n; ++x)
      out[y * n + x] = 0.5f * (u[y * n + x] + u[(y - 2) * n + x]) + u[(y - 1) * n + x];
}

void middle(int n, const double *u, double *out) {
  for (int plane = 0; plane < 3; ++plane)
    for (int y = 1; y <= n; ++y)
      for (int x = 0; x < 16; ++x) {
        long at = ((long)plane * (n + 2) + y) * 16 + x;
        if (x != 3) out[at] = u[at - 16] * u[at + 16] - u[at];
      }
}

void two_loops(int n, const int *u, int *out, int *sum) {
  for (int row = 0; row < n; ++row) {
    for (int x = 0; x < 8; ++x)
      out[row * 8 + x] = (row > 0 ? u[row * 8 - 8 + x] : 0) + u[row * 8 + x] + u[row * 8 + 8 + x];
    for (int x = 0; x < 5; ++x)
      sum[x] += u[row * 8 + x] * u[row * 8 + 8 + x];
  }
}

void dimensions(int n, const float *a, float *out) {
  for (int y = 1; y < n; ++y)
    for (int x = 0; x < 8; ++x)
      out[y * 8 + x] = a[y * 8 + x] - a[(y - 1) * 8 + x] + a[(y + 1) * 8 + x];
}

void two_nests(int n, const float *u, float *a, float *b) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < 4; ++x) {
      a[y * 4 + x] = u[y * 4 + x] + u[(y + 1) * 4 + x] + u[(y + 2) * 4 + x];
      b[y * 4 + x] = u[y * 4 + x] * 2 - u[(y + 1) * 4 + x] + u[(y + 2) * 4 + x];
    }
}

void vectors(int n, const four *u, four *out) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < 4; ++x) {
      four a = u[y * 4 + x], h = u[(y + 1) * 4 + x], b = u[(y + 2) * 4 + x];
      out[y * 4 + x] = {a.x - h.x + b.x, a.y - h.y + b.y, a.z - h.z + b.z, a.w - h.w + b.w};
    }
}

void left_alone(int n, const float *u, float *out) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < 4; ++x)
      out[y * 4 + 3 - x] = u[y * 4 + x] + u[(y + 1) * 4 + x] + u[(y + 2) * 4 + x];
}

void returns(int n, const float *u, float *out) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < 4; ++x)
      if (!(u[y * 4 + x] > 0)) out[y * 4 + x] = u[(y + 1) * 4 + x] + u[(y + 2) * 4 + x];
}

void overlapping(int n, const float *u, float *out) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < 4; ++x)
      out[y * 4 + x] = u[y * 4 + x] + u[(y + 1) * 4 + x] + u[(y + 2) * 4 + x];
}
