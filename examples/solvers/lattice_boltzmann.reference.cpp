// Sequential reference for lattice_boltzmann.okl: populations are pushed, moments are taken with
// whole matrices.

#include <vector>

typedef std::vector<double> Field;

static const int cx2[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int cy2[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static int back2(int q) {
  for (int o = 0; o < 9; ++o)
    if (cx2[o] == -cx2[q] && cy2[o] == -cy2[q]) return o;
  return -1;
}
static double weight(int speed2, bool three) {
  if (three) return speed2 == 0 ? 1. / 3 : speed2 == 1 ? 1. / 18 : 1. / 36;
  return speed2 == 0 ? 4. / 9 : speed2 == 1 ? 1. / 9 : 1. / 36;
}
static double w2(int q) { return weight(cx2[q] * cx2[q] + cy2[q] * cy2[q], false); }

static double feq(double w, double rho, double cu, double uu) {
  return w * rho * (1 + cu / (1. / 3) + cu * cu / (2. / 9) - uu / (2. / 3));
}

void initialise2D(const int nx, const int ny, const double amplitude, double *f) {
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const double rho = 1 + 0.01 * amplitude * ((x + 2 * y) % 5);
      const double ux = amplitude * ((x * 3 + y) % 7 - 3), uy = amplitude * ((x + y * 5) % 3 - 1);
      for (int q = 0; q < 9; ++q)
        f[(q * ny + y) * nx + x] = feq(w2(q), rho, cx2[q] * ux + cy2[q] * uy, ux * ux + uy * uy);
    }
}

static void bgk2(Field &f, int cells, double omega) {
  for (int i = 0; i < cells; ++i) {
    double rho = 0, jx = 0, jy = 0;
    for (int q = 0; q < 9; ++q) {
      rho += f[q * cells + i];
      jx += cx2[q] * f[q * cells + i];
      jy += cy2[q] * f[q * cells + i];
    }
    const double ux = jx / rho, uy = jy / rho;
    for (int q = 0; q < 9; ++q) {
      const double e = feq(w2(q), rho, cx2[q] * ux + cy2[q] * uy, ux * ux + uy * uy);
      f[q * cells + i] = (1 - omega) * f[q * cells + i] + omega * e;
    }
  }
}

static Field cavityStep(const Field &f, int nx, int ny, double omega, double lid) {
  const int cells = nx * ny;
  Field out(9 * cells);
  for (int q = 0; q < 9; ++q)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const int tx = x + cx2[q], ty = y + cy2[q];
        const double v = f[q * cells + y * nx + x];
        // Beyond the lid comes first: a corner link belongs to it.
        if (ty >= ny)
          out[back2(q) * cells + y * nx + x] = v - 6 * w2(q) * cx2[q] * lid;
        else if (tx < 0 || tx >= nx || ty < 0)
          out[back2(q) * cells + y * nx + x] = v;
        else
          out[q * cells + ty * nx + tx] = v;
      }
  bgk2(out, cells, omega);
  return out;
}

void cavityBGK(const int nx, const int ny, const int pairs, const double omega, const double lid,
               double *f, double *g) {
  const int size = 9 * nx * ny;
  for (int pair = 0; pair < pairs; ++pair) {
    const double speed = pair == 0 ? lid / 3 : pair == 1 ? 2 * lid / 3 : lid;
    const Field a = cavityStep(Field(f, f + size), nx, ny, omega, speed);
    const Field b = cavityStep(a, nx, ny, omega, speed);
    for (int i = 0; i < size; ++i) g[i] = a[i], f[i] = b[i];
  }
}

void channelMRT(const int nx, const int ny, const double viscosity, const double force,
                const unsigned char *kind, const double *f, double *next) {
  static const int M[9][9] = {
      {1, 1, 1, 1, 1, 1, 1, 1, 1},        {-4, -1, -1, -1, -1, 2, 2, 2, 2},
      {4, -2, -2, -2, -2, 1, 1, 1, 1},    {0, 1, 0, -1, 0, 1, -1, -1, 1},
      {0, -2, 0, 2, 0, 1, -1, -1, 1},     {0, 0, 1, 0, -1, 1, 1, -1, -1},
      {0, 0, -2, 0, 2, 1, 1, -1, -1},     {0, 1, -1, 1, -1, 0, 0, 0, 0},
      {0, 0, 0, 0, 0, 1, -1, 1, -1}};
  const double s = 1 / (3 * viscosity + 0.5);
  const double S[9] = {0, 1.63, 1.54, 0, 1.9, 0, 1.9, s, s};
  const int cells = nx * ny;
  Field in(f, f + 9 * cells);
  for (int q = 0; q < 9; ++q)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        if (kind[y * nx + x]) continue;
        const int tx = (x + cx2[q] + nx) % nx, ty = y + cy2[q];
        if (ty < 0 || ty >= ny || kind[ty * nx + tx])
          in[back2(q) * cells + y * nx + x] = f[q * cells + y * nx + x];
        else
          in[q * cells + ty * nx + tx] = f[q * cells + y * nx + x];
      }
  for (int i = 0; i < cells; ++i) {
    if (kind[i]) {
      for (int q = 0; q < 9; ++q) next[q * cells + i] = f[q * cells + i];
      continue;
    }
    double m[9];
    for (int k = 0; k < 9; ++k) {
      m[k] = 0;
      for (int q = 0; q < 9; ++q) m[k] += M[k][q] * in[q * cells + i];
    }
    const double rho = m[0], jx = m[3], jy = m[5], jj = (jx * jx + jy * jy) / rho;
    const double eq[9] = {rho, -2 * rho + 3 * jj, rho - 3 * jj, jx, -jx, jy, -jy,
                          (jx * jx - jy * jy) / rho, jx * jy / rho};
    for (int q = 0; q < 9; ++q) {
      double v = 0;
      for (int k = 0; k < 9; ++k) {
        double norm = 0;
        for (int p = 0; p < 9; ++p) norm += M[k][p] * M[k][p];
        v += M[k][q] * (m[k] - S[k] * (m[k] - eq[k])) / norm;
      }
      next[q * cells + i] = v + 3 * w2(q) * cx2[q] * force;
    }
  }
}

void obstacleForce(const int nx, const int ny, const unsigned char *kind, const double *f,
                   double *total) {
  // From the side of the solid cells.
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      if (kind[y * nx + x] != 1) continue;
      for (int q = 1; q < 9; ++q) {
        const int fx = (x - cx2[q] + nx) % nx, fy = y - cy2[q];
        if (fy < 0 || fy >= ny || kind[fy * nx + fx] != 0) continue;
        total[0] += 2 * cx2[q] * f[(q * ny + fy) * nx + fx];
        total[1] += 2 * cy2[q] * f[(q * ny + fy) * nx + fx];
      }
    }
}

void macroscopic2D(const int nx, const int ny, const double *f, double *rho, double *u) {
  const int cells = nx * ny;
  for (int i = 0; i < cells; ++i) {
    double r = 0, jx = 0, jy = 0;
    for (int q = 0; q < 9; ++q) {
      r += f[q * cells + i];
      jx += cx2[q] * f[q * cells + i];
      jy += cy2[q] * f[q * cells + i];
    }
    rho[i] = r;
    u[2 * i] = jx / r;
    u[2 * i + 1] = jy / r;
  }
}

void partialMass(const int entries, const double *f, double *partial) {
  for (int i = 0; i < entries; ++i) {
    if (i % 64 == 0) partial[i / 64] = 0;
    partial[i / 64] += f[i];
  }
}

// ---- Three dimensions

struct Velocity {
  int x, y, z;
};
static const Velocity c3[19] = {{0, 0, 0},  {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},   {0, -1, 0},
                                {0, 0, 1},  {0, 0, -1}, {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},
                                {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
                                {0, 1, 1},  {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};
static int back3(int q) {
  for (int o = 0; o < 19; ++o)
    if (c3[o].x == -c3[q].x && c3[o].y == -c3[q].y && c3[o].z == -c3[q].z) return o;
  return -1;
}
static double w3(int q) {
  return weight(c3[q].x * c3[q].x + c3[q].y * c3[q].y + c3[q].z * c3[q].z, true);
}

void initialise3D(const int nx, const int ny, const int nz, const double a, double *f) {
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const double ux = a * ((x + 2 * y + 3 * z) % 5 - 2), uy = a * ((2 * x + y + z) % 3 - 1),
                     uz = a * ((x + y + 4 * z) % 7 - 3);
        for (int q = 0; q < 19; ++q)
          f[((q * nz + z) * ny + y) * nx + x] = feq(w3(q), 1, c3[q].x * ux + c3[q].y * uy + c3[q].z * uz,
                                                    ux * ux + uy * uy + uz * uz);
      }
}

static Field ductStream(const double *f, int nx, int ny, int nz) {
  Field out(19 * nx * ny * nz);
  for (int q = 0; q < 19; ++q)
    for (int z = 0; z < nz; ++z)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
          const int tx = (x + c3[q].x + nx) % nx, ty = y + c3[q].y, tz = z + c3[q].z;
          const double v = f[((q * nz + z) * ny + y) * nx + x];
          if (ty < 0 || ty >= ny || tz < 0 || tz >= nz)
            out[((back3(q) * nz + z) * ny + y) * nx + x] = v;
          else
            out[((q * nz + tz) * ny + ty) * nx + tx] = v;
        }
  return out;
}

void ductBGK(const int nx, const int ny, const int nz, const double omega, const double force,
             const double *f, double *next) {
  const int cells = nx * ny * nz;
  const Field in = ductStream(f, nx, ny, nz);
  for (int i = 0; i < cells; ++i) {
    double rho = 0, u[3] = {0, 0, 0};
    for (int q = 0; q < 19; ++q) {
      rho += in[q * cells + i];
      u[0] += c3[q].x * in[q * cells + i];
      u[1] += c3[q].y * in[q * cells + i];
      u[2] += c3[q].z * in[q * cells + i];
    }
    for (double &c : u) c /= rho;
    for (int q = 0; q < 19; ++q) {
      const double e = feq(w3(q), rho, c3[q].x * u[0] + c3[q].y * u[1] + c3[q].z * u[2],
                           u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      next[q * cells + i] =
          (1 - omega) * in[q * cells + i] + omega * e + 3 * w3(q) * c3[q].x * force;
    }
  }
}

void ductMRT(const int nx, const int ny, const int nz, const double stress, const double *f,
             double *next) {
  const int cells = nx * ny * nz;
  const Field in = ductStream(f, nx, ny, nz);
  double M[19][19];
  for (int q = 0; q < 19; ++q) {
    const double x = c3[q].x, y = c3[q].y, z = c3[q].z, c = x * x + y * y + z * z;
    const double column[19] = {1, 19 * c - 30, (21 * c * c - 53 * c + 24) / 2, x, (5 * c - 9) * x, y,
                               (5 * c - 9) * y, z, (5 * c - 9) * z, 3 * x * x - c,
                               (3 * c - 5) * (3 * x * x - c), y * y - z * z,
                               (3 * c - 5) * (y * y - z * z), x * y, y * z, x * z,
                               (y * y - z * z) * x, (z * z - x * x) * y, (x * x - y * y) * z};
    for (int k = 0; k < 19; ++k) M[k][q] = column[k];
  }
  const double S[19] = {0, 1.19, 1.4, 0, 1.2, 0, 1.2, 0, 1.2, stress, 1.4, stress, 1.4,
                        stress, stress, stress, 1.98, 1.98, 1.98};
  for (int i = 0; i < cells; ++i) {
    double m[19];
    for (int k = 0; k < 19; ++k) {
      m[k] = 0;
      for (int q = 0; q < 19; ++q) m[k] += M[k][q] * in[q * cells + i];
    }
    const double rho = m[0], jx = m[3], jy = m[5], jz = m[7], jj = (jx * jx + jy * jy + jz * jz) / rho;
    const double pxx = (2 * jx * jx - jy * jy - jz * jz) / rho, pww = (jy * jy - jz * jz) / rho;
    const double eq[19] = {rho, -11 * rho + 19 * jj, 3 * rho - 5.5 * jj, jx, -2 * jx / 3, jy,
                           -2 * jy / 3, jz, -2 * jz / 3, pxx, -pxx / 2, pww, -pww / 2,
                           jx * jy / rho, jy * jz / rho, jx * jz / rho, 0, 0, 0};
    for (int q = 0; q < 19; ++q) {
      double v = 0;
      for (int k = 0; k < 19; ++k) {
        double norm = 0;
        for (int p = 0; p < 19; ++p) norm += M[k][p] * M[k][p];
        v += M[k][q] * ((1 - S[k]) * m[k] + S[k] * eq[k]) / norm;
      }
      next[q * cells + i] = v;
    }
  }
}
