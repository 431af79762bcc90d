// Sequential reference for acoustic_wave.okl, in double precision inside.

#include <vector>

static const int R = p_R;
static const double second_[5] = {-205. / 72, 8. / 5, -1. / 5, 8. / 315, -1. / 560};
static const double between_[4] = {1225. / 1024, -245. / 3072, 49. / 5120, -5. / 7168};
static_assert(p_R == 4, "the tables are for p_R == 4");

void pmlCoefficients(const int n, const int width, const float strength, float *a, float *b,
                     float *aHalf, float *bHalf) {
  for (int i = 0; i < 2 * n; ++i) {
    const double x = 0.5 * i;
    const double left = width - x, right = x - (n - 1 - width);
    double depth = 0;
    if (left > 0) depth = left;
    if (right > 0) depth = right;
    const double s = width > 0 ? depth / width : depth, d = strength * s * s;
    const double decay = 1 / (1 + d + d * d / 2);
    (i % 2 ? bHalf : b)[i / 2] = (float)decay;
    (i % 2 ? aHalf : a)[i / 2] = (float)(decay - 1);
  }
}

void elapse2D(const int nx, const int nz, const int steps, const float dtOverH, const int source,
              const float frequency, const float *density, const float *bulk, const float *a,
              const float *b, const float *aHalf, const float *bHalf, float *p, float *vx, float *vz,
              float *psiPx, float *psiPz, float *psiVx, float *psiVz) {
  const int pitch = nx + 2 * R;
  auto D = [](const float *f, int at, int stride, int shift) {
    double sum = 0;
    for (int r = 0; r < R; ++r)
      sum += between_[r] * ((double)f[at + (r + shift) * stride] - f[at + (shift - 1 - r) * stride]);
    return sum;
  };
  for (int step = 0; step < steps; ++step) {
    for (int j = 0; j < nz; ++j)
      for (int i = 0; i < nx; ++i) {
        const int at = (j + R) * pitch + i + R;
        const double px = D(p, at, 1, 1), pz = D(p, at, pitch, 1);
        psiPx[at] = bHalf[i] * psiPx[at] + aHalf[i] * px;
        psiPz[at] = bHalf[nx + j] * psiPz[at] + aHalf[nx + j] * pz;
        vx[at] -= dtOverH * (px + psiPx[at]) / density[at];
        vz[at] -= dtOverH * (pz + psiPz[at]) / density[at];
      }
    const double phase = (double)frequency * frequency * (step - 3) * (step - 3);
    for (int j = 0; j < nz; ++j)
      for (int i = 0; i < nx; ++i) {
        const int at = (j + R) * pitch + i + R;
        const double x = D(vx, at, 1, 0), z = D(vz, at, pitch, 0);
        psiVx[at] = b[i] * psiVx[at] + a[i] * x;
        psiVz[at] = b[nx + j] * psiVz[at] + a[nx + j] * z;
        p[at] -= dtOverH * bulk[at] * (x + z + psiVx[at] + psiVz[at]);
      }
    if (source >= 0 && source < nx * nz)
      p[(source / nx + R) * pitch + source % nx + R] += (1 - 2 * phase) / (1 + phase);
  }
}

void recordReceivers(const int receivers, const int nx, const int, const int step,
                     const float *position, const float *p, float *traces) {
  for (int r = 0; r < receivers; ++r) {
    double sum = 0;
    for (int corner = 0; corner < 4; ++corner) {
      const double x = position[2 * r], z = position[2 * r + 1];
      const int i = (int)x + corner % 2, j = (int)z + corner / 2;
      const double wx = corner % 2 ? x - (int)x : 1 - (x - (int)x);
      const double wz = corner / 2 ? z - (int)z : 1 - (z - (int)z);
      sum += wx * wz * p[(j + R) * (nx + 2 * R) + i + R];
    }
    traces[step * receivers + r] = (float)sum;
  }
}

static void wave(int nx, int ny, int nz, const float *courant, const float *u, float *previous) {
  const int sy = nx + 2 * R, sz = sy * (ny + 2 * R);
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const int at = (k + R) * sz + (j + R) * sy + i + R;
        double sum = 0;
        for (int stride : {1, sy, sz}) {
          sum += second_[0] * u[at];
          for (int r = 1; r <= R; ++r)
            sum += second_[r] * ((double)u[at - r * stride] + u[at + r * stride]);
        }
        previous[at] = (float)(2.0 * u[at] - previous[at] + courant[at] * sum);
      }
}

void waveBox(const int nx, const int ny, const int nz, const float *courant, const float *u,
             float *previous) {
  wave(nx, ny, nz, courant, u, previous);
}
void waveSweep(const int nx, const int ny, const int nz, const float *courant, const float *u,
               float *previous) {
  wave(nx, ny, nz, courant, u, previous);
}
void waveSweepBarriers(const int nx, const int ny, const int nz, const float *courant,
                       const float *u, float *previous) {
  wave(nx, ny, nz, courant, u, previous);
}

// Calls f(position in the field, position in the buffer) for every point of the six sides, inside
// or in the halo.
template <class F> static void sides(int nx, int ny, int nz, bool halo, F f) {
  const int n[3] = {nx, ny, nz};
  int at = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (int high = 0; high < 2; ++high) {
      int lo[3] = {0, 0, 0}, hi[3] = {nx, ny, nz};
      lo[axis] = high ? n[axis] - (halo ? 0 : R) : (halo ? -R : 0);
      hi[axis] = lo[axis] + R;
      for (int k = lo[2]; k < hi[2]; ++k)
        for (int j = lo[1]; j < hi[1]; ++j)
          for (int i = lo[0]; i < hi[0]; ++i)
            f(((k + R) * (ny + 2 * R) + j + R) * (nx + 2 * R) + i + R, at++);
    }
}

void packSides(const int nx, const int ny, const int nz, const float *u, float *buffer) {
  sides(nx, ny, nz, false, [&](int at, int to) { buffer[to] = u[at]; });
}

void unpackSides(const int nx, const int ny, const int nz, const float *buffer, float *u) {
  sides(nx, ny, nz, true, [&](int at, int from) { u[at] = buffer[from]; });
}

void layerEnergy(const int nx, const int ny, const int nz, const float *u, double *energy) {
  for (int k = 0; k < nz; ++k) {
    energy[k] = 0;
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const double v = u[((k + R) * (ny + 2 * R) + j + R) * (nx + 2 * R) + i + R];
        energy[k] += v * v;
      }
  }
}
