// Sequential reference for stencil7.okl.

void stencil7(const int nx, const int ny, const int nz, const float weight, const float *u,
              float *next) {
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const int i = x + nx * (y + ny * z);
        float neighbours = 0.0f;
        if (x > 0) neighbours += u[i - 1];
        if (x < nx - 1) neighbours += u[i + 1];
        if (y > 0) neighbours += u[i - nx];
        if (y < ny - 1) neighbours += u[i + nx];
        if (z > 0) neighbours += u[i - nx * ny];
        if (z < nz - 1) neighbours += u[i + nx * ny];
        next[i] = u[i] + weight * (neighbours - 6.0f * u[i]);
      }
    }
  }
}

void smoothInterior(const int nx, const int ny, const int nz, const double *u, double *next) {
  const int dx = 1, dy = nx, dz = nx * ny;
  for (int i = 0; i < nx * ny * nz; ++i) {
    next[i] = u[i];
  }
  for (int z = 1; z < nz - 1; ++z) {
    for (int y = 1; y < ny - 1; ++y) {
      for (int x = 1; x < nx - 1; ++x) {
        const int i = x * dx + y * dy + z * dz;
        next[i] = 0.5 * u[i] +
                  (u[i - dx] + u[i + dx] + u[i - dy] + u[i + dy] + u[i - dz] + u[i + dz]) / 12.0;
      }
    }
  }
}
