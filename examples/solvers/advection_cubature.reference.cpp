// Sequential reference for advection_cubature.okl: interpolation as one sum over
// all nodes of the element.

#include <cstdlib>
#include <vector>

namespace {

const int N = p_Nq, C = p_cubNq;
const int Np = N * N * N, Cp = C * C * C;

// The basis function of node n at cubature point c.
dfloat phi(const dfloat *I, int c, int n) {
  return I[c % C * N + n % N] * I[c / C % C * N + n / N % N] * I[c / C / C * N + n / N / N];
}

std::vector<dfloat> interpolate(const dfloat *I, const dfloat *q) {
  std::vector<dfloat> out(Cp);
  for (int c = 0; c < Cp; ++c) {
    for (int n = 0; n < Np; ++n) out[c] += phi(I, c, n) * q[n];
  }
  return out;
}

// Entry (a, b) of the derivative along direction d, as a matrix on all points.
dfloat derivative(const dfloat *D, int d, int a, int b) {
  const int stride = d == 0 ? 1 : d == 1 ? C : C * C;
  const int difference = (b / stride % C - a / stride % C) * stride;
  return a + difference == b ? D[a / stride % C * C + b / stride % C] : 0;
}

}  // namespace

void cubatureVelocity3D(const dlong Nelements, const dlong offset, const dfloat *cubvgeo,
                        const dfloat *cubInterp, const dfloat *U, dfloat *cubU) {
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < 3 * Cp; ++n) cubU[3 * e * Cp + n] = 0;
    for (int x = 0; x < 3; ++x) {
      const auto u = interpolate(cubInterp, U + e * Np + x * offset);
      for (int d = 0; d < 3; ++d) {
        for (int c = 0; c < Cp; ++c) {
          cubU[(3 * e + d) * Cp + c] += cubvgeo[(9 * e + 3 * d + x) * Cp + c] * u[c];
        }
      }
    }
  }
}

void advectionStrongCubature3D(const dlong Nelements, const int Nfields, const dlong offset,
                               const dlong *elementList, const dfloat *cubD,
                               const dfloat *cubInterp, const dfloat *cubU, const dfloat *q,
                               dfloat *NU) {
  for (int l = 0; l < Nelements; ++l) {
    const int e = elementList[l];
    for (int f = 0; f < Nfields; ++f) {
      const auto u = interpolate(cubInterp, q + e * Np + f * offset);
      std::vector<dfloat> out(Np);
      for (int a = 0; a < Cp; ++a) {
        dfloat term = 0;
        for (int d = 0; d < 3; ++d) {
          dfloat slope = 0;
          for (int b = 0; b < Cp; ++b) slope += derivative(cubD, d, a, b) * u[b];
          term += cubU[(3 * e + d) * Cp + a] * slope;
        }
        for (int n = 0; n < Np; ++n) out[n] -= phi(cubInterp, a, n) * term;
      }
      for (int n = 0; n < Np; ++n) NU[e * Np + n + f * offset] = out[n];
    }
  }
}

void advectionWeakCubature3D(const dlong Nelements, const dfloat *cubD, const dfloat *cubInterp,
                             const dfloat *cubU, const dfloat *q, dfloat *NU) {
  for (int e = 0; e < Nelements; ++e) {
    const auto u = interpolate(cubInterp, q + e * Np);
    std::vector<dfloat> tested(Cp);
    for (int a = 0; a < Cp; ++a) {
      for (int d = 0; d < 3; ++d) {
        const dfloat flux = cubU[(3 * e + d) * Cp + a] * u[a];
        for (int b = 0; b < Cp; ++b) tested[b] += derivative(cubD, d, a, b) * flux;
      }
    }
    for (int n = 0; n < Np; ++n) {
      dfloat sum = 0;
      for (int c = 0; c < Cp; ++c) sum += phi(cubInterp, c, n) * tested[c];
      NU[e * Np + n] = sum;
    }
  }
}

void subCycleExtrapolate3D(const dlong Nelements, const int order, const dlong stateOffset,
                           const dfloat c0, const dfloat c1, const dfloat c2, const dfloat *cubU,
                           dfloat *cubUe) {
  const dfloat c[3] = {c0, c1, c2};
  for (int n = 0; n < 3 * Cp * Nelements; ++n) {
    cubUe[n] = 0;
    for (int s = 0; s < order; ++s) cubUe[n] += c[s] * cubU[n + s * stateOffset];
  }
}

void subCycleRungeKutta(const dlong N, const int Nfields, const int stage, const dlong offset,
                        const dfloat dt, const dfloat *invMass, const dfloat *rhs, dfloat *r1,
                        dfloat *r2, dfloat *r3, const dfloat *q, dfloat *qNext) {
  dfloat *residuals[3] = {r1, r2, r3};
  for (int f = 0; f < Nfields; ++f) {
    for (int n = 0; n < N; ++n) {
      const int id = n + f * offset;
      const dfloat k = invMass[n] * rhs[id];
      if (stage < 3) {
        residuals[stage][id] = k;
        qNext[id] = q[id] + (stage == 2 ? 1 : 0.5) * dt * k;
      } else {
        qNext[id] = q[id] + dt * (r1[id] / 6 + r2[id] / 3 + r3[id] / 3 + k / 6);
      }
    }
  }
}
