// Sequential reference for finite_volume.okl: face by face over whole grids.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

typedef std::array<double, 3> W3;
typedef std::array<double, 4> W4;

struct Gas {
  double gamma, smallest;
};

static int row(int nx) { return nx + 4; }
static int at(int nx, int i, int j) { return (j + 2) * row(nx) + i + 2; }

static double limiter(double a, double b) {
  if (!(a * b > 0)) return 0;
#if p_limiter == 0
  return 0;
#elif p_limiter == 1
  return std::fabs(a) < std::fabs(b) ? a : b;
#elif p_limiter == 2
  return 2 * a * b / (a + b);
#elif p_limiter == 3
  const double m = std::min({std::fabs(a + b) / 2, 2 * std::fabs(a), 2 * std::fabs(b)});
  return a > 0 ? m : -m;
#else
  const double x = std::fabs(a), y = std::fabs(b);
  const double m = std::max(std::min(2 * x, y), std::min(x, 2 * y));
  return a > 0 ? m : -m;
#endif
}

void fillGhosts(const int nx, const int ny, const int components, const int normalX,
                const int normalY, const int kindX, const int kindY, double *q) {
  auto source = [](int i, int n, int kind) {
    if (i >= 0 && i < n) return i;
    if (kind == 0) return std::clamp(i, 0, n - 1);
    if (kind == 1) return i < 0 ? -1 - i : 2 * n - 1 - i;
    return (i + n) % n;
  };
  for (int c = 0; c < components; ++c) {
    double *f = q + c * row(nx) * row(ny);
    for (int j = -2; j < ny + 2; ++j)
      for (int i = -2; i < nx + 2; ++i) {
        const int si = source(i, nx, kindX), sj = source(j, ny, kindY);
        if (si == i && sj == j) continue;
        const double sign = (si != i && kindX == 1 && c == normalX ? -1 : 1) *
                            (sj != j && kindY == 1 && c == normalY ? -1 : 1);
        f[at(nx, i, j)] = sign * f[at(nx, si, sj)];
      }
  }
}

static const double dry = 1e-6;
static double over(double m, double h) { return h > dry ? m / h : 0; }

static W3 waterFlux(W3 w, double g) {
  const double u = over(w[1], w[0]);
  return {w[1], w[1] * u + g * w[0] * w[0] / 2, w[2] * u};
}

static W3 hll(W3 l, W3 r, double g) {
  if (l[0] <= dry && r[0] <= dry) return {0, 0, 0};
  const double ul = over(l[1], l[0]), ur = over(r[1], r[0]);
  const double cl = std::sqrt(g * l[0]), cr = std::sqrt(g * r[0]);
  const double wl = std::sqrt(l[0]), wr = std::sqrt(r[0]);
  const double u = (wl * ul + wr * ur) / (wl + wr), c = std::sqrt(g * (l[0] + r[0]) / 2);
  double sl = std::min(ul - cl, u - c), sr = std::max(ur + cr, u + c);
  if (l[0] <= dry) sl = ur - 2 * cr, sr = ur + cr;
  if (r[0] <= dry) sl = ul - cl, sr = ul + 2 * cl;
  const W3 fl = waterFlux(l, g), fr = waterFlux(r, g);
  if (sl >= 0) return fl;
  if (sr <= 0) return fr;
  W3 f;
  for (int m = 0; m < 2; ++m) f[m] = (sr * fl[m] - sl * fr[m] + sl * sr * (r[m] - l[m])) / (sr - sl);
  f[2] = f[0] > 0 ? f[0] * over(l[2], l[0]) : f[0] * over(r[2], r[0]);
  return f;
}

void waterRates(const int nx, const int ny, const double dx, const double dy, const double g,
                const double *bed, const double *q, double *rate, double *fastest) {
  const int size = row(nx) * row(ny);
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      for (int m = 0; m < 3; ++m) rate[m * size + at(nx, i, j)] = 0;
  const double *h = q;
  auto value = [&](int c, int step, int side, bool surface) {
    auto f = [&](int k) { return h[k] + (surface ? bed[k] : 0); };
    return f(c) + side * 0.5 * limiter(f(c) - f(c - step), f(c + step) - f(c));
  };
  // All faces; each gives to both of its cells.
  for (int direction = 0; direction < 2; ++direction) {
    const int step = direction ? row(nx) : 1, mx = 1 + direction, my = 2 - direction;
    const double d = direction ? dy : dx;
    for (int j = direction ? -1 : 0; j < ny; ++j)
      for (int i = direction ? 0 : -1; i < nx; ++i) {
        const int c[2] = {at(nx, i, j), at(nx, i, j) + step};
        double hs[2], z[2], top = -1e300;
        for (int s = 0; s < 2; ++s) {
          hs[s] = std::max(0.0, value(c[s], step, 1 - 2 * s, false));
          z[s] = value(c[s], step, 1 - 2 * s, true) - hs[s];
          top = std::max(top, z[s]);
        }
        W3 w[2];
        for (int s = 0; s < 2; ++s) {
          const double depth = std::max(0.0, hs[s] + z[s] - top);
          w[s] = {depth, depth * over(q[mx * size + c[s]], h[c[s]]),
                  depth * over(q[my * size + c[s]], h[c[s]])};
        }
        const W3 f = hll(w[0], w[1], g);
        for (int s = 0; s < 2; ++s) {
          const int ci = i + (direction ? 0 : s), cj = j + (direction ? s : 0);
          if (ci < 0 || cj < 0 || ci >= nx || cj >= ny) continue;
          const double sign = s ? 1 : -1;
          const double across = f[1] + g / 2 * (hs[s] * hs[s] - w[s][0] * w[s][0]) +
                                g / 2 * (hs[s] + h[c[s]]) * (z[s] - bed[c[s]]);
          rate[c[s]] += sign * f[0] / d;
          rate[mx * size + c[s]] += sign * across / d;
          rate[my * size + c[s]] += sign * f[2] / d;
        }
      }
  }
  const int groupsX = (nx + p_NX - 1) / p_NX;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int c = at(nx, i, j);
      double &most = fastest[j / p_NY * groupsX + i / p_NX];
      if (i % p_NX == 0 && j % p_NY == 0) most = 0;
      if (h[c] <= dry) continue;
      const double s = std::sqrt(g * h[c]);
      most = std::max({most, (std::fabs(q[size + c] / h[c]) + s) / dx,
                       (std::fabs(q[2 * size + c] / h[c]) + s) / dy});
    }
}

void waterStage(const int nx, const int ny, const double a, const double b, const double dt,
                const double g, const double manning, const double *old, const double *rate,
                double *q) {
  const int size = row(nx) * row(ny);
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      double *w[3];
      for (int m = 0; m < 3; ++m) {
        const int c = m * size + at(nx, i, j);
        w[m] = q + c;
        q[c] = a * old[c] + b * q[c] + b * dt * rate[c];
      }
      if (*w[0] <= dry) {
        *w[0] = std::max(*w[0], 0.0);
        *w[1] = *w[2] = 0;
      } else {
        const double speed = std::hypot(*w[1], *w[2]) / *w[0];
        const double drag = 1 + b * dt * g * manning * manning * speed * std::pow(*w[0], -4.0 / 3);
        *w[1] /= drag;
        *w[2] /= drag;
      }
    }
}

void timeStep(const int groups, const double courant, const double *fastest, double *dt) {
  double most = 0;
  for (int g = 0; g < groups; ++g) most = std::max(most, fastest[g]);
  dt[0] = most > 0 ? courant / most : 1;
}

// Primitive: density, velocity across, velocity along, pressure.
static W4 conserved(W4 w, double gamma) {
  return {w[0], w[0] * w[1], w[0] * w[2], w[3] / (gamma - 1) + w[0] * (w[1] * w[1] + w[2] * w[2]) / 2};
}
static W4 flux(W4 w, double gamma) {
  const W4 c = conserved(w, gamma);
  return {c[1], c[1] * w[1] + w[3], c[2] * w[1], (c[3] + w[3]) * w[1]};
}
static double sound(W4 w, double gamma) { return std::sqrt(gamma * w[3] / w[0]); }

static W4 hllc(W4 l, W4 r, double gamma) {
  const double sl = std::min(l[1] - sound(l, gamma), r[1] - sound(r, gamma));
  const double sr = std::max(l[1] + sound(l, gamma), r[1] + sound(r, gamma));
  if (sl >= 0) return flux(l, gamma);
  if (sr <= 0) return flux(r, gamma);
  const double s = (r[3] - l[3] + l[0] * l[1] * (sl - l[1]) - r[0] * r[1] * (sr - r[1])) /
                   (l[0] * (sl - l[1]) - r[0] * (sr - r[1]));
  const W4 k = s >= 0 ? l : r;
  const double sk = s >= 0 ? sl : sr;
  const W4 c = conserved(k, gamma), f = flux(k, gamma);
  const double rho = k[0] * (sk - k[1]) / (sk - s);
  const W4 star = {rho, rho * s, rho * k[2],
                   rho * (c[3] / k[0] + (s - k[1]) * (s + k[3] / (k[0] * (sk - k[1]))))};
  W4 result;
  for (int m = 0; m < 4; ++m) result[m] = f[m] + sk * (star[m] - c[m]);
  return result;
}

static W4 rusanov(W4 l, W4 r, double gamma) {
  const double s = std::max(std::fabs(l[1]) + sound(l, gamma), std::fabs(r[1]) + sound(r, gamma));
  const W4 a = conserved(l, gamma), b = conserved(r, gamma), fa = flux(l, gamma), fb = flux(r, gamma);
  W4 f;
  for (int m = 0; m < 4; ++m) f[m] = (fa[m] + fb[m]) / 2 - s / 2 * (b[m] - a[m]);
  return f;
}

void eulerSweep(const int nx, const int ny, const int direction, const double ratio, const Gas gas,
                const double *q, double *next) {
  const int size = row(nx) * row(ny), step = direction ? row(nx) : 1;
  const int mx = 1 + direction, my = 2 - direction;
  const double gamma = gas.gamma;
  auto primitive = [&](int c) {
    const double rho = std::max(q[c], gas.smallest);
    const double u = q[mx * size + c] / rho, v = q[my * size + c] / rho;
    const double p = (gamma - 1) * (q[3 * size + c] - rho * (u * u + v * v) / 2);
    return W4{rho, u, v, std::max(p, gas.smallest)};
  };
  // The state at a side of a cell.
  auto edge = [&](int c, int side) {
    const W4 w = primitive(c), lower = primitive(c - step), upper = primitive(c + step);
    W4 d;
    for (int m = 0; m < 4; ++m) d[m] = limiter(w[m] - lower[m], upper[m] - w[m]);
    const W4 change = {w[1] * d[0] + w[0] * d[1], w[1] * d[1] + d[3] / w[0], w[1] * d[2],
                       w[1] * d[3] + gamma * w[3] * d[1]};
    W4 e;
    for (int m = 0; m < 4; ++m) e[m] = w[m] + 0.5 * (side * d[m] - ratio * change[m]);
    e[0] = std::max(e[0], gas.smallest);
    e[3] = std::max(e[3], gas.smallest);
    return e;
  };
  auto face = [&](int c) {
    const W4 a = edge(c, 1), b = edge(c + step, -1);
    const bool strong = std::max(a[3], b[3]) > 10 * std::min(a[3], b[3]);
    return strong ? rusanov(a, b, gamma) : hllc(a, b, gamma);
  };
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int c = at(nx, i, j), component[4] = {0, mx, my, 3};
      const W4 in = face(c - step), out = face(c);
      for (int m = 0; m < 4; ++m) {
        const int e = component[m] * size + c;
        next[e] = q[e] + ratio * (in[m] - out[m]);
      }
    }
}

void eulerTotals(const int nx, const int ny, const double *q, double *total) {
  for (int m = 0; m < 4; ++m)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) total[m] += q[m * row(nx) * row(ny) + at(nx, i, j)];
}
