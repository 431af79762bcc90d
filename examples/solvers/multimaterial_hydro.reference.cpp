// Sequential reference for multimaterial_hydro.okl.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

static int nx_, ny_;
static int c(int i, int j) { return (j + 2) * (nx_ + 4) + i + 2; }
static int n(int i, int j) { return (j + 2) * (nx_ + 5) + i + 2; }
static int cells() { return (nx_ + 4) * (ny_ + 4); }
static int mc(int m, int i, int j) { return m * cells() + c(i, j); }
typedef std::function<void(int, int)> Body;
static void eachCell(int nx, int ny, int g, const Body &body) {
  nx_ = nx, ny_ = ny;
  for (int j = -g; j < ny + g; ++j)
    for (int i = -g; i < nx + g; ++i) body(i, j);
}
static void eachNode(int nx, int ny, const Body &body) {
  nx_ = nx, ny_ = ny;
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j) body(i, j);
}
static const double trace = 1e-8;
static double sq(double x) { return x * x; }

void paintRegion(const int nx, const int ny, const double h, const int kind, const double x0,
                 const double y0, const double x1, const double y1, const int material,
                 const double rho, const double e, double *fraction, double *density,
                 double *energy) {
  eachCell(nx, ny, 0, [&](int i, int j) {
    const double x = (i + 0.5) * h, y = (j + 0.5) * h;
    if (kind == 0 && (x < x0 || x >= x1 || y < y0 || y >= y1)) return;
    if (kind == 1 && sq(x - x0) + sq(y - y0) >= sq(x1)) return;
    for (int m = 0; m < p_M; ++m) fraction[mc(m, i, j)] = m == material ? 1 : 0;
    density[mc(material, i, j)] = rho;
    energy[mc(material, i, j)] = e;
  });
}

void spin(const int nx, const int ny, const double h, const double omega, double *u, double *v) {
  eachNode(nx, ny, [&](int i, int j) {
    u[n(i, j)] = omega * (ny / 2.0 - j) * h;
    v[n(i, j)] = omega * (i - nx / 2.0) * h;
  });
}

static int mirror(int i, int size) { return i < 0 ? -1 - i : i >= size ? 2 * size - 1 - i : i; }

void reflectCells(const int nx, const int ny, const int fields, double *data) {
  for (int f = 0; f < fields; ++f)
    eachCell(nx, ny, 2, [&](int i, int j) {
      data[f * cells() + c(i, j)] = data[f * cells() + c(mirror(i, nx), mirror(j, ny))];
    });
}

void reflectVelocity(const int nx, const int ny, double *u, double *v) {
  nx_ = nx, ny_ = ny;
  for (int j = 0; j <= ny; ++j) u[n(0, j)] = u[n(nx, j)] = 0;
  for (int i = 0; i <= nx; ++i) v[n(i, 0)] = v[n(i, ny)] = 0;
  for (int j = -2; j <= ny + 2; ++j)
    for (int i = -2; i <= nx + 2; ++i) {
      const int si = i < 0 ? -i : i > nx ? 2 * nx - i : i, sj = j < 0 ? -j : j > ny ? 2 * ny - j : j;
      if (si == i && sj == j) continue;
      u[n(i, j)] = (si != i ? -1 : 1) * u[n(si, sj)];
      v[n(i, j)] = (sj != j ? -1 : 1) * v[n(si, sj)];
    }
}

static double pressureOf(const double *gas, int m, double rho, double e) {
  return (gas[2 * m] - 1) * rho * e - gas[2 * m] * gas[2 * m + 1];
}

void equationOfState(const int nx, const int ny, const double *gas, const double *fraction,
                     const double *density, const double *energy, double *rho, double *pressure,
                     double *sound) {
  eachCell(nx, ny, 2, [&](int i, int j) {
    double r = 0, p = 0, stiff = 0;
    for (int m = 0; m < p_M; ++m) {
      const int at = mc(m, i, j);
      if (fraction[at] < trace) continue;
      const double pm = pressureOf(gas, m, density[at], energy[at]);
      r += fraction[at] * density[at];
      p += fraction[at] * pm;
      stiff += fraction[at] * gas[2 * m] * std::max(pm + gas[2 * m + 1], 1e-12);
    }
    rho[c(i, j)] = r;
    pressure[c(i, j)] = p;
    sound[c(i, j)] = std::sqrt(stiff / r);
  });
}

void viscosity(const int nx, const int ny, const double, const double linear,
               const double quadratic, const double *rho, const double *sound, const double *u,
               const double *v, double *q) {
  eachCell(nx, ny, 0, [&](int i, int j) {
    double jump = 0;
    for (int s = 0; s < 2; ++s) {
      jump += 0.5 * (u[n(i + 1, j + s)] - u[n(i, j + s)]);
      jump += 0.5 * (v[n(i + s, j + 1)] - v[n(i + s, j)]);
    }
    jump = std::min(jump, 0.0);
    q[c(i, j)] = rho[c(i, j)] * jump * (quadratic * quadratic * jump - linear * sound[c(i, j)]);
  });
}

void timeStep(const int nx, const int ny, const double h, const double courant, const double *sound,
              const double *rho, const double *q, const double *u, const double *v, double *rowStep,
              double *dt) {
  dt[0] = 1e30;
  for (int j = 0; j < ny; ++j) rowStep[j] = 1e30;
  eachCell(nx, ny, 0, [&](int i, int j) {
    double uu = 0, vv = 0;
    for (int s = 0; s < 4; ++s) uu += u[n(i + s % 2, j + s / 2)] / 4, vv += v[n(i + s % 2, j + s / 2)] / 4;
    const double speed = std::sqrt(sq(sound[c(i, j)]) + 2 * q[c(i, j)] / rho[c(i, j)]) +
                         std::fabs(uu) + std::fabs(vv);
    rowStep[j] = std::min(rowStep[j], courant * h / speed);
    dt[0] = std::min(dt[0], rowStep[j]);
  });
}

void accelerate(const int nx, const int ny, const double h, const double dt, const double gravity,
                const double *rho, const double *pressure, const double *q, const double *u0,
                const double *v0, double *u1, double *v1) {
  eachNode(nx, ny, [&](int i, int j) {
    double mass = 0, fx = 0, fy = 0;
    for (int a = -1; a <= 0; ++a)
      for (int b = -1; b <= 0; ++b) {
        const int at = c(i + a, j + b);
        mass += rho[at] * h * h / 4;
        fx += (a ? 1 : -1) * h / 2 * (pressure[at] + q[at]);
        fy += (b ? 1 : -1) * h / 2 * (pressure[at] + q[at]);
      }
    u1[n(i, j)] = u0[n(i, j)] + fx / mass * dt;
    v1[n(i, j)] = v0[n(i, j)] + fy / mass * dt - gravity * dt;
  });
}

void volumeFlux(const int nx, const int ny, const double h, const double dt, const double *u0,
                const double *v0, const double *u1, const double *v1, double *fluxX,
                double *fluxY) {
  eachNode(nx, ny, [&](int i, int j) {
    const int at = n(i, j), up = n(i, j + 1), right = n(i + 1, j);
    if (j < ny) fluxX[at] = dt * h * (u0[at] + u0[up] + u1[at] + u1[up]) / 4;
    if (i < nx) fluxY[at] = dt * h * (v0[at] + v0[right] + v1[at] + v1[right]) / 4;
  });
}

void pressureWork(const int nx, const int ny, const double h, const double *gas, const double *q,
                  const double *fluxX, const double *fluxY, const double *fraction, double *density,
                  double *energy, double *volume) {
  eachCell(nx, ny, 0, [&](int i, int j) {
    const double change = fluxX[n(i + 1, j)] - fluxX[n(i, j)] + fluxY[n(i, j + 1)] - fluxY[n(i, j)];
    volume[c(i, j)] = h * h + change;
    for (int m = 0; m < p_M; ++m) {
      const int at = mc(m, i, j);
      if (fraction[at] < trace) continue;
      const double mass = density[at] * h * h;
      energy[at] -= (pressureOf(gas, m, density[at], energy[at]) + q[c(i, j)]) * change / mass;
      density[at] = mass / (h * h + change);
    }
  });
}

void materialFlux(const int nx, const int ny, const int direction, const double *volumeOf,
                  const double *flux, const double *fraction, const double *density,
                  const double *energy, double *fluxVolume, double *fluxMass, double *fluxEnergy) {
  nx_ = nx, ny_ = ny;
  const int di = direction == 0, dj = direction == 1;
  eachNode(nx, ny, [&](int i, int j) {
    double out[p_M][3] = {};
    const double passing = flux[n(i, j)];
    const int step = passing > 0 ? 1 : -1;
    const int ci = passing > 0 ? i - di : i, cj = passing > 0 ? j - dj : j;
    if (passing != 0 && ci >= 0 && cj >= 0 && ci < nx && cj < ny && (di ? j < ny : i < nx)) {
      const double share = std::fabs(passing) / volumeOf[c(ci, cj)];
      for (int m = 0; m < p_M; ++m) {
        auto take = [&](const double *f) {
          const double here = f[mc(m, ci, cj)];
          const double a = here - f[mc(m, ci - step * di, cj - step * dj)];
          const double b = f[mc(m, ci + step * di, cj + step * dj)] - here;
          if (a * b <= 0) return here;
          const double s = std::min({2 * std::fabs(a), 2 * std::fabs(b), std::fabs(a + b) / 2});
          return here + (a > 0 ? s : -s) * (1 - share) / 2;
        };
        if (fraction[mc(m, ci, cj)] < trace) continue;
        out[m][0] = passing * std::clamp(take(fraction), 0.0, 1.0);
        out[m][1] = out[m][0] * take(density);
        out[m][2] = out[m][1] * take(energy);
      }
    }
    for (int m = 0; m < p_M; ++m) {
      fluxVolume[mc(m, i, j)] = out[m][0];
      fluxMass[mc(m, i, j)] = out[m][1];
      fluxEnergy[mc(m, i, j)] = out[m][2];
    }
  });
}

void remapCells(const int nx, const int ny, const int direction, const double *fluxVolume,
                const double *fluxMass, const double *fluxEnergy, double *volume, double *fraction,
                double *density, double *energy) {
  eachCell(nx, ny, 0, [&](int i, int j) {
    const double old = volume[c(i, j)];
    double all = 0, v[p_M];
    for (int m = 0; m < p_M; ++m) {
      const int at = mc(m, i, j), next = direction ? mc(m, i, j + 1) : mc(m, i + 1, j);
      double mass = fraction[at] * old * density[at], heat = mass * energy[at];
      mass += fluxMass[at] - fluxMass[next];
      heat += fluxEnergy[at] - fluxEnergy[next];
      v[m] = fraction[at] * old + fluxVolume[at] - fluxVolume[next];
      if (v[m] > trace * old && mass > 0)
        density[at] = mass / v[m], energy[at] = heat / mass;
      else
        v[m] = 0;
      all += v[m];
    }
    volume[c(i, j)] = all;
    for (int m = 0; m < p_M; ++m) fraction[mc(m, i, j)] = all > 0 ? v[m] / all : m == 0 ? 1 : 0;
  });
}

void nodeFlux(const int nx, const int ny, const int direction, const double *fluxMass,
              double *through) {
  eachNode(nx, ny, [&](int i, int j) {
    through[n(i, j)] = 0;
    if ((direction ? j : i) == (direction ? ny : nx)) return;
    // The two cells beside the line, each with its two faces.
    for (int side = -1; side <= 0; ++side) {
      const int ci = direction ? i + side : i, cj = direction ? j : j + side;
      if (ci < 0 || cj < 0 || ci >= nx || cj >= ny) continue;
      for (int m = 0; m < p_M; ++m)
        through[n(i, j)] += (fluxMass[mc(m, ci, cj)] +
                             fluxMass[mc(m, ci + 1 - direction, cj + direction)]) / 4;
    }
  });
}

void remapVelocity(const int nx, const int ny, const int direction, const double *mass,
                   const double *through, const double *u0, const double *v0, double *u1,
                   double *v1) {
  eachNode(nx, ny, [&](int i, int j) {
    const int at = n(i, j), low = direction ? n(i, j - 1) : n(i - 1, j), high = 2 * at - low;
    const double in = (direction ? j : i) == 0 ? 0 : through[low], out = through[at];
    for (int k = 0; k < 2; ++k) {
      const double *w = k ? v0 : u0;
      const double momentum = mass[at] * w[at] + in * (in > 0 ? w[low] : w[at]) -
                              out * (out > 0 ? w[at] : w[high]);
      (k ? v1 : u1)[at] = momentum / (mass[at] + in - out);
    }
  });
}

void nodeMass(const int nx, const int ny, const double *rho, const double *volume, double *mass) {
  eachNode(nx, ny, [&](int i, int j) { mass[n(i, j)] = 0; });
  eachCell(nx, ny, 0, [&](int i, int j) {
    for (int s = 0; s < 4; ++s) mass[n(i + s % 2, j + s / 2)] += rho[c(i, j)] * volume[c(i, j)] / 4;
  });
}

void conduct(const int nx, const int ny, const double h, const double dt, const int substeps,
             const double *k, double *a, double *b) {
  nx_ = nx, ny_ = ny;
  std::vector<double> t(a, a + cells());
  for (int step = 0; step < substeps; ++step) {
    std::vector<double> next = t;
    auto link = [&](int p, int q) {
      if (k[p] + k[q] <= 0) return;
      const double heat = dt / substeps / h / h * 2 * k[p] * k[q] / (k[p] + k[q]) * (t[q] - t[p]);
      next[p] += heat;
      next[q] -= heat;
    };
    eachCell(nx, ny, 0, [&](int i, int j) {
      if (i + 1 < nx) link(c(i, j), c(i + 1, j));
      if (j + 1 < ny) link(c(i, j), c(i, j + 1));
    });
    t = next;
    // The field that a step writes to.
    double *to = step % 2 ? a : b;
    eachCell(nx, ny, 0, [&](int i, int j) { to[c(i, j)] = t[c(i, j)]; });
  }
  eachCell(nx, ny, 0, [&](int i, int j) { a[c(i, j)] = t[c(i, j)]; });
}

void burn(const int nx, const int ny, const double h, const double time, const double speed,
          const double width, const double x0, const double y0, const int explosive,
          const double heat, const double *fraction, double *burned, double *energy) {
  eachCell(nx, ny, 0, [&](int i, int j) {
    const double distance = std::hypot((i + 0.5) * h - x0, (j + 0.5) * h - y0);
    const double state = std::clamp((time * speed - distance) / (width * h), 0.0, 1.0);
    if (fraction[mc(explosive, i, j)] < trace || state <= burned[c(i, j)]) return;
    energy[mc(explosive, i, j)] += heat * (state - burned[c(i, j)]);
    burned[c(i, j)] = state;
  });
}

void moveMarkers(const int nx, const int ny, const int markers, const double h, const double dt,
                 const double *u, const double *v, double *place) {
  nx_ = nx, ny_ = ny;
  for (int k = 0; k < markers; ++k) {
    const double x = place[2 * k] / h, y = place[2 * k + 1] / h;
    const int i = (int)std::clamp(x, 0.0, nx - 1.0), j = (int)std::clamp(y, 0.0, ny - 1.0);
    double du = 0, dv = 0;
    for (int s = 0; s < 4; ++s) {
      const double w = (s % 2 ? x - i : 1 - x + i) * (s / 2 ? y - j : 1 - y + j);
      du += w * u[n(i + s % 2, j + s / 2)];
      dv += w * v[n(i + s % 2, j + s / 2)];
    }
    place[2 * k] = std::clamp(place[2 * k] + dt * du, 0.0, nx * h);
    place[2 * k + 1] = std::clamp(place[2 * k + 1] + dt * dv, 0.0, ny * h);
  }
}

void summary(const int nx, const int ny, const double h, const double *fraction,
             const double *density, const double *energy, const double *mass, const double *u,
             const double *v, double *perMaterial, double *kinetic, int *mixed) {
  eachCell(nx, ny, 0, [&](int i, int j) {
    int present = 0;
    for (int m = 0; m < p_M; ++m) {
      const int at = mc(m, i, j);
      present += fraction[at] > trace;
      perMaterial[3 * m] += fraction[at] * h * h;
      perMaterial[3 * m + 1] += fraction[at] * h * h * density[at];
      perMaterial[3 * m + 2] += fraction[at] * h * h * density[at] * energy[at];
    }
    *mixed += present > 1;
  });
  eachNode(nx, ny, [&](int i, int j) {
    *kinetic += mass[n(i, j)] * (sq(u[n(i, j)]) + sq(v[n(i, j)])) / 2;
  });
}

void flowStructure(const int nx, const int ny, const double h, const double *u, const double *v,
                   double *curl, double *divergence) {
  eachCell(nx, ny, 0, [&](int i, int j) {
    double cu = 0, di = 0;
    for (int s = 0; s < 2; ++s) {
      const int l = n(i, j + s), r = n(i + 1, j + s), b = n(i + s, j), t = n(i + s, j + 1);
      cu += (v[r] - v[l] - u[t] + u[b]) / 2 / h;
      di += (u[r] - u[l] + v[t] - v[b]) / 2 / h;
    }
    curl[c(i, j)] = cu;
    divergence[c(i, j)] = di;
  });
}
