void seven_points(int nx, int ny, int nz, const float *u, float *out) {
  for (int z = 1; z < nz - 1; ++z)
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x) {
        long at = ((long)z * ny + y) * nx + x, plane = (long)nx * ny;
        float around = u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] + u[at - plane] + u[at + plane];
        out[at] = u[at] + 0.25f * (around - 6 * u[at]);
      }
}

void five_points(int nx, int ny, const double *u, double *out) {
  for (long y = 1; y < ny - 1; ++y)
    for (long x = 1; x < nx - 1; ++x)
      out[y * nx + x] = u[y * nx + x - 1] + u[y * nx + x + 1] + u[(y - 1) * nx + x] + u[(y + 1) * nx + x];
}

void nine_in_a_row(long n, const float *u, float *out) {
  for (long i = 4; i < n - 4; ++i)
    out[i] = u[i] - u[i - 4] + u[i - 3] * 2 - u[i - 2] + u[i - 1] + u[i + 1] - u[i + 2] + u[i + 3] * 2 - u[i + 4];
}

void smooth(int n, const unsigned char *u, unsigned char *out) {
  for (int i = 1; i < n - 1; ++i) out[i] = (unsigned char)((u[i - 1] + 2 * u[i] + u[i + 1]) / 4);
}

void accumulate(int from, int n, const int *u, int *sum) {
  for (int i = from; i < n - 1; ++i) sum[i] += u[i] * 3 + u[i + 1];
}

void bare(int n, int at, const float *u, float *out) {
  for (int i = -3; i < n; ++i) out[i + at] = u[i + at - 3] * u[i + at + 4];
}

void bare_pairs(int n, const short *u, short *out) {
  for (int g = 0; g < n; ++g)
    for (int x = 0; x < 8; ++x)
      if (x + 1 < n) out[g * 8 + x] = u[g * 9 + x] - u[g * 9 + x + 1];
}

void divided(int n, const float *u, float *out) {
  for (int i = 0; i < n; ++i)
    if (12 / (n - i) < 5) out[i] = u[i] + u[i + 1];
}

void own_numbers(int n, int, const float *u, float *out) {
  for (int i = 2; i < n - 2; ++i) out[i] = u[i - 1] + 2 * u[i + 2];
}
