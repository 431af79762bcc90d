// Sequential reference for advection_tet.okl.

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

const int Np = (p_N + 1) * (p_N + 2) * (p_N + 3) / 6;
const int Nfp = (p_N + 1) * (p_N + 2) / 2;
const int Nface = 4 * Nfp;

struct Velocity {
  double component[3];
};

Velocity velocity(double x, double y, double z, double t) {
  return {{-y - 0.1, x - 0.2, 0.5 / (1 + t) + 0.1 * z}};
}

}  // namespace

void advectionVolumeTet3D(const dlong Nelements, const dfloat *vgeo, const dfloat *DT,
                          const dfloat t, const dfloat *x, const dfloat *y, const dfloat *z,
                          const dfloat *q, dfloat *rhsq) {
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < Np; ++n) {
      // Physical derivatives of the three physical fluxes.
      double div = 0;
      for (int m = 0; m < Np; ++m) {
        const int id = e * Np + m;
        const Velocity a = velocity(x[id], y[id], z[id], t);
        for (int d = 0; d < 3; ++d) {
          for (int c = 0; c < 3; ++c) {
            div += double(vgeo[10 * e + 3 * d + c]) * DT[n + m * Np + d * Np * Np] *
                   a.component[c] * q[id];
          }
        }
      }
      rhsq[e * Np + n] = -div;
    }
  }
}

void advectionCubatureVolumeTet3D(const dlong Nelements, const dfloat *vgeo,
                                  const dfloat *cubInterpT, const dfloat *cubPDT, const dfloat t,
                                  const dfloat *x, const dfloat *y, const dfloat *z,
                                  const dfloat *q, dfloat *rhsq) {
  for (int e = 0; e < Nelements; ++e) {
    std::vector<double> rhs(Np);
    for (int c = 0; c < p_cubNp; ++c) {
      double at[4] = {};
      const dfloat *fields[4] = {x, y, z, q};
      for (int f = 0; f < 4; ++f) {
        for (int m = 0; m < Np; ++m) {
          at[f] += double(cubInterpT[c + m * p_cubNp]) * fields[f][e * Np + m];
        }
      }
      const Velocity a = velocity(at[0], at[1], at[2], t);
      for (int d = 0; d < 3; ++d) {
        double flux = 0;
        for (int b = 0; b < 3; ++b) flux += vgeo[10 * e + 3 * d + b] * a.component[b] * at[3];
        for (int n = 0; n < Np; ++n) rhs[n] += cubPDT[n + c * Np + d * Np * p_cubNp] * flux;
      }
    }
    for (int n = 0; n < Np; ++n) rhsq[e * Np + n] = rhs[n];
  }
}

void advectionSurfaceTet3D(const dlong Nelements, const dfloat *sgeo, const dfloat *LIFTT,
                           const dlong *vmapM, const dlong *vmapP, const int *EToB,
                           const dfloat t, const dfloat *x, const dfloat *y, const dfloat *z,
                           const dfloat *q, dfloat *rhsq) {
  for (int e = 0; e < Nelements; ++e) {
    for (int m = 0; m < Nface; ++m) {
      const dfloat *s = sgeo + 5 * (4 * e + m / Nfp);
      const int M = vmapM[e * Nface + m];
      const double inside = q[M];
      double outside = q[vmapP[e * Nface + m]];
      switch (EToB[4 * e + m / Nfp]) {
        case 1: outside = x[M] - 0.3 * t; break;
        case 2: outside = inside; break;
        case 3: outside = -inside; break;
      }
      const Velocity a = velocity(x[M], y[M], z[M], t);
      const double an = s[0] * a.component[0] + s[1] * a.component[1] + s[2] * a.component[2];
      // Only inflow changes anything.
      const double flux = an < 0 ? an * (inside - outside) * s[3] * s[4] : 0;
      for (int n = 0; n < Np; ++n) rhsq[e * Np + n] += LIFTT[n + m * Np] * flux;
    }
  }
}

void advectionLserkUpdate(const dlong N, const dfloat dt, const int stage, const dfloat *rhsq,
                          dfloat *resq, dfloat *q) {
  const double a[5] = {0, -0.41789047449985195, -1.1921516946426769, -1.6977846924715279,
                       -1.5141834442571558};
  const double b[5] = {0.14965902199922912, 0.37921031299962726, 0.82295502938698172,
                       0.69945045594912210, 0.15305724796815198};
  for (int n = 0; n < N; ++n) {
    resq[n] = a[stage] * resq[n] + dt * rhsq[n];
    q[n] += b[stage] * resq[n];
  }
}

void advectionSspDamping(const dlong N, const int steps, const dfloat dt, const dfloat *sigma,
                         dfloat *q, dfloat *q0) {
  for (int step = 0; step < steps; ++step) {
    for (int n = 0; n < N; ++n) {
      // The scheme's polynomial for a linear problem is exp's to order 3.
      const double h = dt * sigma[n];
      q0[n] = q[n];
      q[n] *= 1 - h + h * h / 2 - h * h * h / 6;
    }
  }
}

void advectionElementMeans(const dlong Nelements, const dfloat *meanWeights, const dfloat *q,
                           dfloat *means) {
  for (int e = 0; e < Nelements; ++e) {
    double sum = 0;
    for (int n = 0; n < Np; ++n) sum += double(meanWeights[n]) * q[e * Np + n];
    means[e] = sum;
  }
}

void advectionLimiter(const dlong Nelements, const dlong *EToE, const dfloat *means, dfloat *q,
                      dfloat *factors) {
  for (int e = 0; e < Nelements; ++e) {
    std::vector<double> bounds(1, means[e]);
    for (int f = 0; f < 4; ++f) {
      if (EToE[4 * e + f] >= 0) bounds.push_back(means[EToE[4 * e + f]]);
    }
    const double low = *std::min_element(bounds.begin(), bounds.end()) - means[e];
    const double high = *std::max_element(bounds.begin(), bounds.end()) - means[e];
    double factor = 1;
    for (int n = 0; n < Np; ++n) {
      const double deviation = double(q[e * Np + n]) - means[e];
      if (deviation > high) factor = std::min(factor, high / deviation);
      if (deviation < low) factor = std::min(factor, low / deviation);
    }
    for (int n = 0; n < Np; ++n) q[e * Np + n] = means[e] + factor * (q[e * Np + n] - means[e]);
    factors[e] = factor;
  }
}
