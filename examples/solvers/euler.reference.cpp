// Sequential reference for euler.okl.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

struct physics {
  dfloat gamma;
  dfloat gravity[3];
  int rotating;
  dfloat omega;
};

namespace {

const int N = p_Nq;
const int Np = N * N * N;
const int Nfp = N * N;

using State = std::array<double, 5>;
using Vec = std::array<double, 3>;

double dot(const Vec &a, const Vec &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct Gas {
  double rho, p, gamma;
  Vec u;

  Gas(const State &q, double g) : rho(q[0]), gamma(g) {
    for (int d = 0; d < 3; ++d) u[d] = q[1 + d] / rho;
    p = (g - 1) * (q[4] - rho * dot(u, u) / 2);
  }
  Gas(const double *W, double g) : rho(W[0]), p(W[4]), gamma(g), u{W[1], W[2], W[3]} {}
  double energy() const { return p / (gamma - 1) + rho * dot(u, u) / 2; }
  double sound() const { return std::sqrt(gamma * p / rho); }
  State conserved() const { return {rho, rho * u[0], rho * u[1], rho * u[2], energy()}; }
  State flux(const Vec &n) const {
    const double un = dot(u, n);
    State F = conserved();
    for (double &f : F) f *= un;
    for (int d = 0; d < 3; ++d) F[1 + d] += p * n[d];
    F[4] += p * un;
    return F;
  }
};

double logMean(double a, double b) { return a == b ? a : (a - b) / std::log1p((a - b) / b); }

State conserving(const Gas &L, const Gas &R, const Vec &n) {
  const double bL = L.rho / L.p / 2, bR = R.rho / R.p / 2;
  Vec u;
  for (int d = 0; d < 3; ++d) u[d] = (L.u[d] + R.u[d]) / 2;
  const double mass = logMean(L.rho, R.rho) * dot(u, n);
  const double p = (L.rho + R.rho) / 2 / (bL + bR);
  const double specific = 1 / (2 * (L.gamma - 1) * logMean(bL, bR));
  State F;
  F[0] = mass;
  for (int d = 0; d < 3; ++d) F[1 + d] = mass * u[d] + p * n[d];
  F[4] = mass * (specific - (dot(L.u, L.u) + dot(R.u, R.u)) / 4 + dot(u, u)) + p * dot(u, n);
  return F;
}

State laxFriedrichs(const Gas &L, const Gas &R, const Vec &n) {
  State F = conserving(L, R, n);
  const double speed = std::max(std::fabs(dot(L.u, n)) + L.sound(),
                                std::fabs(dot(R.u, n)) + R.sound());
  const State qL = L.conserved(), qR = R.conserved();
  for (int f = 0; f < 5; ++f) F[f] -= speed * (qR[f] - qL[f]) / 2;
  return F;
}

State hllc(const Gas &L, const Gas &R, const Vec &n) {
  const double uL = dot(L.u, n), uR = dot(R.u, n);
  const double SL = std::min(uL - L.sound(), uR - R.sound());
  const double SR = std::max(uL + L.sound(), uR + R.sound());
  if (SL >= 0) return L.flux(n);
  if (SR <= 0) return R.flux(n);
  const double SM = (R.p - L.p + L.rho * uL * (SL - uL) - R.rho * uR * (SR - uR)) /
                    (L.rho * (SL - uL) - R.rho * (SR - uR));
  const Gas &K = SM >= 0 ? L : R;
  const double S = SM >= 0 ? SL : SR, un = SM >= 0 ? uL : uR;
  // Fluxes from the star region's own pressure.
  const double pStar = K.p + K.rho * (S - un) * (SM - un);
  const State q = K.conserved(), F = K.flux(n);
  State out;
  for (int f = 0; f < 5; ++f) {
    // (S F* - SM F-type form): (SM (S q - F) + S pStar D) / (S - SM), D = (0, n, SM).
    const double D = f == 0 ? 0 : f == 4 ? SM : n[f - 1];
    out[f] = (SM * (S * q[f] - F[f]) + S * pStar * D) / (S - SM);
  }
  return out;
}

State state(const dfloat *q, int e, int n) {
  State s;
  for (int f = 0; f < 5; ++f) s[f] = q[(e * 5 + f) * Np + n];
  return s;
}

const int strides[3] = {1, N, N * N};

Vec metric(const dfloat *vgeo, int e, int d, int n) {
  Vec v;
  for (int x = 0; x < 3; ++x) v[x] = vgeo[(e * 10 + 3 * d + x) * Np + n];
  return v;
}

Vec mean(const Vec &a, const Vec &b) {
  return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
}

}  // namespace

void eulerVolumeLinesHex3D(const dlong Nelements, const dfloat gamma, const dfloat *vgeo,
                           const dfloat *D, const dfloat *q, dfloat *rhsq) {
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < Np; ++n) {
      State sum = {};
      for (int d = 0; d < 3; ++d) {
        const int a = n / strides[d] % N;
        for (int m = 0; m < N; ++m) {
          const int other = n + (m - a) * strides[d];
          const State F = conserving(Gas(state(q, e, n), gamma), Gas(state(q, e, other), gamma),
                                     mean(metric(vgeo, e, d, n), metric(vgeo, e, d, other)));
          for (int f = 0; f < 5; ++f) sum[f] += 2 * D[a * N + m] * F[f];
        }
      }
      for (int f = 0; f < 5; ++f) {
        rhsq[(e * 5 + f) * Np + n] = -sum[f] / vgeo[(e * 10 + 9) * Np + n];
      }
    }
  }
}

void eulerVolumeHex3D(const dlong Nelements, const physics phys, const dfloat *vgeo,
                      const dfloat *D, const dfloat *q, dfloat *rhsq) {
  eulerVolumeLinesHex3D(Nelements, phys.gamma, vgeo, D, q, rhsq);
}

void eulerSurfaceHex3D(const dlong Nelements, const dfloat gamma, const int riemann,
                       const dfloat *sgeo, const int *faceNodes, const dlong *mapP,
                       const int *EToB, const dfloat *farfield, const dfloat *q, dfloat *rhsq) {
  for (int e = 0; e < Nelements; ++e) {
    for (int m = 0; m < 6 * Nfp; ++m) {
      const int id = e * 6 * Nfp + m;
      const dfloat *s = sgeo + 5 * id;
      const Vec n = {s[0], s[1], s[2]};
      const Gas M(state(q, e, faceNodes[m]), gamma);
      Gas P = M;
      switch (EToB[6 * e + m / Nfp]) {
        case 0: P = Gas(state(q, mapP[id] / Np, mapP[id] % Np), gamma); break;
        case 1:
          for (int d = 0; d < 3; ++d) P.u[d] -= 2 * dot(M.u, n) * n[d];
          break;
        case 2: P = Gas(farfield, gamma); break;
      }
      const State F = riemann == 0 ? conserving(M, P, n) : riemann == 1 ? laxFriedrichs(M, P, n)
                                                                       : hllc(M, P, n);
      const State own = M.flux(n);
      for (int f = 0; f < 5; ++f) {
        rhsq[(e * 5 + f) * Np + faceNodes[m]] -= s[3] * s[4] * (F[f] - own[f]);
      }
    }
  }
}

void eulerSubcellBlend(const dlong Nelements, const dfloat gamma, const dfloat *alpha,
                       const dfloat *w, const dfloat *vgeo, const dfloat *q, dfloat *rhsq) {
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < Np; ++n) {
      State change = {};
      for (int d = 0; d < 3; ++d) {
        const int a = n / strides[d] % N;
        for (int side = -1; side <= 1; side += 2) {
          if (a + side < 0 || a + side >= N) continue;
          const int other = n + side * strides[d];
          Vec normal = mean(metric(vgeo, e, d, n), metric(vgeo, e, d, other));
          const double length = std::sqrt(dot(normal, normal));
          for (double &x : normal) x /= length;
          const Gas here(state(q, e, n), gamma), there(state(q, e, other), gamma);
          const State F = side > 0 ? laxFriedrichs(here, there, normal)
                                   : laxFriedrichs(there, here, normal);
          for (int f = 0; f < 5; ++f) change[f] -= side * length * F[f] / w[a];
        }
      }
      for (int f = 0; f < 5; ++f) {
        dfloat &rhs = rhsq[(e * 5 + f) * Np + n];
        const double fv = alpha[e] > 0 ? change[f] / vgeo[(e * 10 + 9) * Np + n] : 0;
        rhs = (1 - alpha[e]) * rhs + alpha[e] * fv;
      }
    }
  }
}

void eulerSources(const dlong Nelements, const physics phys, const dfloat *q, dfloat *rhsq) {
  const dfloat turn = phys.rotating ? 2 * phys.omega : 0;
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < Np; ++n) {
      const State s = state(q, e, n);
      dfloat *rhs = rhsq + e * 5 * Np + n;
      rhs[1 * Np] += s[0] * phys.gravity[0] + turn * s[2];
      rhs[2 * Np] += s[0] * phys.gravity[1] - turn * s[1];
      rhs[3 * Np] += s[0] * phys.gravity[2];
      for (int d = 0; d < 3; ++d) rhs[4 * Np] += s[1 + d] * phys.gravity[d];
    }
  }
}

void eulerPositivity(const dlong Nelements, const dfloat gamma, const dfloat *meanWeights,
                     dfloat *q, dfloat *theta) {
  const double small = 1e-2;
  for (int e = 0; e < Nelements; ++e) {
    State average = {};
    for (int n = 0; n < Np; ++n) {
      for (int f = 0; f < 5; ++f) average[f] += meanWeights[n] * q[(e * 5 + f) * Np + n];
    }
    double first = 1;
    for (int n = 0; n < Np; ++n) {
      const double rho = q[e * 5 * Np + n];
      if (rho < small) first = std::min(first, (average[0] - small) / (average[0] - rho));
    }
    for (int n = 0; n < Np; ++n) {
      dfloat &rho = q[e * 5 * Np + n];
      rho = average[0] + first * (rho - average[0]);
    }
    // Pressure is large enough where 2 rho (E - small / (gamma - 1)) - |m|^2 >= 0: a
    // quadratic in the factor.
    double second = 1;
    for (int n = 0; n < Np; ++n) {
      const State s = state(q, e, n);
      if (Gas(s, gamma).p >= small) continue;
      State d;
      for (int f = 0; f < 5; ++f) d[f] = s[f] - average[f];
      const double E0 = average[4] - small / (gamma - 1);
      double a = 2 * d[0] * d[4], b = 2 * (average[0] * d[4] + d[0] * E0);
      double c = 2 * average[0] * E0;
      for (int f = 1; f < 4; ++f) {
        a -= d[f] * d[f];
        b -= 2 * average[f] * d[f];
        c -= average[f] * average[f];
      }
      const double root = std::sqrt(b * b - 4 * a * c);
      double factor = 1;
      for (const double t : {(-b - root) / (2 * a), (-b + root) / (2 * a)}) {
        if (t >= 0 && t < factor) factor = t;
      }
      second = std::min(second, factor);
    }
    for (int n = 0; n < Np; ++n) {
      for (int f = 0; f < 5; ++f) {
        dfloat &value = q[(e * 5 + f) * Np + n];
        value = average[f] + second * (value - average[f]);
      }
    }
    theta[e] = first * second;
  }
}

void eulerEntropyBalance(const dlong Nelements, const dfloat gamma, const dfloat *JW,
                         const dfloat *q, const dfloat *rhsq, dfloat *entropy, dfloat *rate) {
  for (int e = 0; e < Nelements; ++e) {
    entropy[e] = rate[e] = 0;
    for (int n = 0; n < Np; ++n) {
      const Gas g(state(q, e, n), gamma);
      const double s = std::log(g.p / std::pow(g.rho, gamma));
      const State v = {(gamma - s) / (gamma - 1) - g.rho / g.p * dot(g.u, g.u) / 2,
                       g.rho / g.p * g.u[0], g.rho / g.p * g.u[1], g.rho / g.p * g.u[2],
                       -g.rho / g.p};
      entropy[e] -= JW[e * Np + n] * g.rho * s / (gamma - 1);
      for (int f = 0; f < 5; ++f) rate[e] += JW[e * Np + n] * v[f] * rhsq[(e * 5 + f) * Np + n];
    }
  }
}
