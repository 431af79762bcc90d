// Sequential reference for implicit_solvers.okl: dense elimination for the small systems, whole-grid
// loops for the others.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

typedef std::vector<double> Vector;

// Solves a dense system by elimination with pivoting; `a` is n x (n + 1).
static Vector solve(Vector a, int n) {
  const int w = n + 1;
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k; i < n; ++i)
      if (std::fabs(a[i * w + k]) > std::fabs(a[p * w + k])) p = i;
    for (int j = 0; j < w; ++j) std::swap(a[k * w + j], a[p * w + j]);
    for (int i = k + 1; i < n; ++i) {
      const double f = a[i * w + k] / a[k * w + k];
      for (int j = k; j < w; ++j) a[i * w + j] -= f * a[k * w + j];
    }
  }
  Vector x(n);
  for (int i = n - 1; i >= 0; --i) {
    double sum = a[i * w + n];
    for (int j = i + 1; j < n; ++j) sum -= a[i * w + j] * x[j];
    x[i] = sum / a[i * w + i];
  }
  return x;
}

typedef std::function<double(int)> Get;
static Vector tridiagonal(int n, Get l, Get d, Get u, Get r) {
  Vector a(n * (n + 1));
  for (int i = 0; i < n; ++i) {
    if (i > 0) a[i * (n + 1) + i - 1] = l(i);
    a[i * (n + 1) + i] = d(i);
    if (i < n - 1) a[i * (n + 1) + i + 1] = u(i);
    a[i * (n + 1) + n] = r(i);
  }
  return solve(a, n);
}

void thomas(const int systems, const int n, const double *lower, const double *diagonal,
            const double *upper, double *work, double *rhs) {
  for (int s = 0; s < systems; ++s) {
    auto get = [=](const double *f) { return [=](int i) { return f[i * systems + s]; }; };
    const Vector x = tridiagonal(n, get(lower), get(diagonal), get(upper), get(rhs));
    for (int i = 0; i < n; ++i) rhs[i * systems + s] = x[i];
    // The changed upper diagonal: a continued fraction.
    double w = 0;
    for (int i = 1; i < n; ++i) {
      const double pivot = diagonal[(i - 1) * systems + s] - (i > 1 ? lower[(i - 1) * systems + s] * w : 0);
      work[i * systems + s] = w = upper[(i - 1) * systems + s] / pivot;
    }
  }
}

void cyclicReduction(const int systems, const double *lower, const double *diagonal,
                     const double *upper, const double *rhs, double *x) {
  for (int s = 0; s < systems; ++s) {
    auto get = [=](const double *f) { return [=](int i) { return f[s * p_N + i]; }; };
    const Vector y = tridiagonal(p_N, get(lower), get(diagonal), get(upper), get(rhs));
    std::copy(y.begin(), y.end(), x + s * p_N);
  }
}

void parallelCyclicReduction(const int systems, const int n, const double *lower,
                             const double *diagonal, const double *upper, double *rhs) {
  for (int s = 0; s < systems; ++s) {
    auto get = [=](const double *f) { return [=](int i) { return f[s * n + i]; }; };
    const Vector y = tridiagonal(n, get(lower), get(diagonal), get(upper), get(rhs));
    std::copy(y.begin(), y.end(), rhs + s * n);
  }
}

void periodicConstant(const int systems, const int n, const double off, const double on,
                      double *work, double *x) {
  // What is left in the scratch: the elimination's multipliers and the vector of the corners.
  Vector d(n, on), e(n);
  d[0] = 2 * on;
  d[n - 1] = on + off * off / on;
  e[0] = -on;
  e[n - 1] = off;
  auto same = [&](double v) { return [v](int) { return v; }; };
  const Vector q = tridiagonal(n, same(off), [&](int i) { return d[i]; }, same(off), [&](int i) { return e[i]; });
  for (int s = 0; s < systems; ++s) {
    Vector a(n * (n + 1));
    for (int i = 0; i < n; ++i) {
      a[i * (n + 1) + i] += on;
      a[i * (n + 1) + (i + 1) % n] += off;
      a[i * (n + 1) + (i + n - 1) % n] += off;
      a[i * (n + 1) + n] = x[i * systems + s];
    }
    const Vector y = solve(a, n);
    double w = 0;
    for (int i = 0; i < n; ++i) {
      x[i * systems + s] = y[i];
      work[(n + i) * systems + s] = q[i];
      if (i == 0) continue;
      w = off / (d[i - 1] - off * w);
      work[i * systems + s] = w;
    }
  }
}

void alternatingDirections(const int nx, const int ny, const int steps, const double rx,
                           const double ry, double *u, double *half, double *c) {
  auto fraction = [](int n, double r) {
    Vector f(n);
    for (int i = 1; i < n - 1; ++i) f[i] = -r / (1 + 2 * r + (i > 1 ? r * f[i - 1] : 0));
    return f;
  };
  for (int step = 0; step < steps; ++step) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) half[j * nx + i] = u[j * nx + i];
      if (j == 0 || j == ny - 1 || nx < 3) continue;
      const Vector x = tridiagonal(
          nx - 2, [=](int) { return -rx; }, [=](int) { return 1 + 2 * rx; }, [=](int) { return -rx; },
          [=](int k) {
            const int i = k + 1;
            double r = u[j * nx + i] + ry * (u[(j - 1) * nx + i] - 2 * u[j * nx + i] + u[(j + 1) * nx + i]);
            if (i == 1) r += rx * u[j * nx];
            if (i == nx - 2) r += rx * u[j * nx + nx - 1];
            return r;
          });
      for (int i = 1; i < nx - 1; ++i) half[j * nx + i] = x[i - 1];
    }
    for (int i = 1; i < nx - 1 && ny >= 3; ++i) {
      const Vector x = tridiagonal(
          ny - 2, [=](int) { return -ry; }, [=](int) { return 1 + 2 * ry; }, [=](int) { return -ry; },
          [=](int k) {
            const double *h = half + (k + 1) * nx + i;
            double r = h[0] + rx * (h[-1] - 2 * h[0] + h[1]);
            if (k == 0) r += ry * u[i];
            if (k == ny - 3) r += ry * u[(ny - 1) * nx + i];
            return r;
          });
      for (int j = 1; j < ny - 1; ++j) u[j * nx + i] = x[j - 1];
    }
    // The second direction's fractions are what stays in the scratch.
    const Vector f = fraction(ny, ry);
    for (int j = 1; j < ny - 1; ++j)
      for (int i = 1; i < nx - 1; ++i) c[j * nx + i] = f[j];
  }
}

// ---- Multigrid

struct Grid {
  int nx, ny, nz;
  int at(int i, int j, int k) const { return (k * (ny + 1) + j) * (nx + 1) + i; }
  template <class F> void interior(F f) const {
    for (int k = 1; k < nz; ++k)
      for (int j = 1; j < ny; ++j)
        for (int i = 1; i < nx; ++i) f(i, j, k);
  }
  double around(const double *u, int i, int j, int k) const {
    double sum = 0;
    for (int s = -1; s <= 1; s += 2) sum += u[at(i + s, j, k)] + u[at(i, j + s, k)] + u[at(i, j, k + s)];
    return sum;
  }
  void sweep(double *u, const double *f, double h, int color) const {
    interior([&](int i, int j, int k) {
      if ((i + j + k) % 2 == color)
        u[at(i, j, k)] = around(u, i, j, k) / 6 + h * h / 6 * f[at(i, j, k)];
    });
  }
};

void smoothRedBlack(const int nx, const int ny, const int nz, const double h, const int sweeps,
                    double *u, const double *f) {
  for (int s = 0; s < 2 * sweeps; ++s) Grid{nx, ny, nz}.sweep(u, f, h, s % 2);
}

void smoothJacobi(const int nx, const int ny, const int nz, const double h, const double weight,
                  const double *u, const double *f, double *next) {
  const Grid g{nx, ny, nz};
  for (int e = 0; e < (nx + 1) * (ny + 1) * (nz + 1); ++e) next[e] = u[e];
  g.interior([&](int i, int j, int k) {
    const int e = g.at(i, j, k);
    next[e] = (1 - weight) * u[e] + weight / 6 * (g.around(u, i, j, k) + h * h * f[e]);
  });
}

void residual(const int nx, const int ny, const int nz, const double h, const double *u,
              const double *f, double *r) {
  const Grid g{nx, ny, nz};
  g.interior([&](int i, int j, int k) {
    const int e = g.at(i, j, k);
    r[e] = f[e] - 6 * u[e] / h / h + g.around(u, i, j, k) / h / h;
  });
}

void restrictResidual(const int nx, const int ny, const int nz, const double *r, double *coarse) {
  const Grid g{nx, ny, nz}, c{nx / 2, ny / 2, nz / 2};
  c.interior([&](int i, int j, int k) {
    double sum = 0;
    static const double w[3] = {0.25, 0.5, 0.25};
    for (int o = 0; o < 27; ++o)
      sum += w[o % 3] * w[o / 3 % 3] * w[o / 9] *
             r[g.at(2 * i + o % 3 - 1, 2 * j + o / 3 % 3 - 1, 2 * k + o / 9 - 1)];
    coarse[c.at(i, j, k)] = sum;
  });
}

void prolongate(const int nx, const int ny, const int nz, const double *coarse, double *u) {
  const Grid g{nx, ny, nz}, c{nx / 2, ny / 2, nz / 2};
  g.interior([&](int i, int j, int k) {
    double sum = 0;
    for (int s = 0; s < 8; ++s)
      sum += coarse[c.at((i + s % 2) / 2, (j + s / 2 % 2) / 2, (k + s / 4) / 2)] / 8;
    u[g.at(i, j, k)] += sum;
  });
}

void twoGridCycles(const int nx, const int ny, const int nz, const double h, const int cycles,
                   const int before, const int after, const int coarseSweeps, double *u,
                   const double *f, double *r, double *v, double *g) {
  const Grid c{nx / 2, ny / 2, nz / 2};
  for (int cycle = 0; cycle < cycles; ++cycle) {
    smoothRedBlack(nx, ny, nz, h, before, u, f);
    residual(nx, ny, nz, h, u, f, r);
    restrictResidual(nx, ny, nz, r, g);
    c.interior([&](int i, int j, int k) { v[c.at(i, j, k)] = 0; });
    smoothRedBlack(nx / 2, ny / 2, nz / 2, 2 * h, coarseSweeps, v, g);
    prolongate(nx, ny, nz, v, u);
    for (int s = 0; s < 2 * after; ++s) Grid{nx, ny, nz}.sweep(u, f, h, (s + 1) % 2);
  }
}

void reorder(const int nx, const int ny, const int nz, const double *from, double *to) {
  int e = 0;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) to[(k * ny + j) * nx + i] = from[e++];
}

void layerMaximum(const int nx, const int ny, const int nz, const double *r, double *most) {
  const int layer = (nx + 1) * (ny + 1);
  for (int k = 0; k <= nz; ++k) {
    most[k] = 0;
    for (int e = 0; e < layer; ++e) most[k] = std::max(most[k], std::fabs(r[k * layer + e]));
  }
}
