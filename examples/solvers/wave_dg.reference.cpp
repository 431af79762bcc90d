// Sequential reference for wave_dg.okl.

#include <array>
#include <cmath>
#include <vector>

namespace {

const int Np = (p_N + 1) * (p_N + 2) * (p_N + 3) / 6;
const int Nfp = (p_N + 1) * (p_N + 2) / 2;
const int Nface = 4 * Nfp;

using Vec3 = std::array<dfloat, 3>;

dfloat dot(const Vec3 &a, const Vec3 &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 cross(const Vec3 &a, const Vec3 &b) {
  Vec3 c;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = a[j] * b[k] - a[k] * b[j];
  }
  return c;
}

// The physical gradient, at node n, of one field of an element.
Vec3 gradient(const dfloat *vgeo, const dfloat *D, const dfloat *u, int n) {
  Vec3 g = {0, 0, 0};
  for (int d = 0; d < 3; ++d) {
    dfloat slope = 0;
    for (int m = 0; m < Np; ++m) slope += D[n + m * Np + d * Np * Np] * u[m];
    for (int x = 0; x < 3; ++x) g[x] += vgeo[3 * d + x] * slope;
  }
  return g;
}

}  // namespace

void acousticsVolumeTet3D(const dlong Nelements, const dfloat *vgeo, const dfloat *D,
                          const dfloat *medium, const dfloat *q, dfloat *rhsq) {
  for (int e = 0; e < Nelements; ++e) {
    const dfloat rho = medium[2 * e], c = medium[2 * e + 1];
    const dfloat *u = q + e * 4 * Np;
    for (int n = 0; n < Np; ++n) {
      const Vec3 gp = gradient(vgeo + 9 * e, D, u, n);
      dfloat div = 0;
      for (int x = 0; x < 3; ++x) {
        div += gradient(vgeo + 9 * e, D, u + (x + 1) * Np, n)[x];
        rhsq[(4 * e + 1 + x) * Np + n] = -gp[x] / rho;
      }
      rhsq[4 * e * Np + n] = -rho * c * c * div;
    }
  }
}

void acousticsSurfaceUpdateTet3D(const dlong Nelements, const dfloat *sgeo, const dfloat *LIFT,
                                 const dlong *EToE, const int *nodeM, const int *nodeP,
                                 const int *EToB, const dfloat *medium, const dfloat rka,
                                 const dfloat rkb, const dfloat dt, const dfloat *q,
                                 const dfloat *rhsq, dfloat *resq, dfloat *qNew) {
  for (int e = 0; e < Nelements; ++e) {
    std::vector<dfloat> rhs(rhsq + e * 4 * Np, rhsq + (e + 1) * 4 * Np);
    for (int m = 0; m < Nface; ++m) {
      const int f = m / Nfp, eP = EToE[4 * e + f];
      const dfloat *s = sgeo + 5 * (4 * e + f);
      const Vec3 normal = {s[0], s[1], s[2]};
      auto state = [&](int element, int node, dfloat &p, Vec3 &u) {
        p = q[4 * element * Np + node];
        for (int x = 0; x < 3; ++x) u[x] = q[(4 * element + 1 + x) * Np + node];
      };
      dfloat pM, pP;
      Vec3 uM, uP;
      state(e, nodeM[m], pM, uM);
      state(eP, nodeP[e * Nface + m], pP, uP);
      const int bc = EToB[4 * e + f];
      if (bc == 1) {
        pP = pM;
        for (int x = 0; x < 3; ++x) uP[x] = uM[x] - 2 * dot(normal, uM) * normal[x];
      } else if (bc == 2) {
        pP = -pM;
        uP = uM;
      } else if (bc == 3) {
        pP = 0;
        uP = {0, 0, 0};
      }
      const dfloat ZM = medium[2 * e] * medium[2 * e + 1];
      const dfloat ZP = medium[2 * eP] * medium[2 * eP + 1];
      // Along the characteristics p + ZM un = const from inside, p - ZP un from outside.
      const dfloat right = pM + ZM * dot(normal, uM), left = pP - ZP * dot(normal, uP);
      const dfloat unStar = (right - left) / (ZM + ZP);
      const dfloat pStar = right - ZM * unStar;
      const dfloat scale = s[3] * s[4];
      for (int n = 0; n < Np; ++n) {
        const dfloat L = LIFT[n + m * Np] * scale;
        rhs[n] -= L * ZM * medium[2 * e + 1] * (unStar - dot(normal, uM));
        for (int x = 0; x < 3; ++x) {
          rhs[(x + 1) * Np + n] -= L * normal[x] * (pStar - pM) / medium[2 * e];
        }
      }
    }
    for (int i = 0; i < 4 * Np; ++i) {
      const int id = e * 4 * Np + i;
      resq[id] = rka * resq[id] + dt * rhs[i];
      qNew[id] = q[id] + rkb * resq[id];
    }
  }
}

void maxwellVolumeTet3D(const dlong Nelements, const dfloat *vgeo, const dfloat *D,
                        const dfloat *q, dfloat *rhsq) {
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < Np; ++n) {
      Vec3 g[6];
      for (int f = 0; f < 6; ++f) g[f] = gradient(vgeo + 9 * e, D, q + (6 * e + f) * Np, n);
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        rhsq[(6 * e + i) * Np + n] = -(g[3 + k][j] - g[3 + j][k]);
        rhsq[(6 * e + 3 + i) * Np + n] = g[k][j] - g[j][k];
      }
    }
  }
}

void maxwellSurfaceTet3D(const dlong Nelements, const dfloat alpha, const dfloat *sgeo,
                         const dfloat *LIFT, const dlong *mapM, const dlong *mapP,
                         const int *EToB, const dfloat *q, dfloat *rhsq) {
  for (int e = 0; e < Nelements; ++e) {
    for (int m = 0; m < Nface; ++m) {
      const dfloat *s = sgeo + 5 * (4 * e + m / Nfp);
      const Vec3 normal = {s[0], s[1], s[2]};
      const int bc = EToB[4 * e + m / Nfp];
      const dfloat sH = bc == 2 ? -1 : bc == 3 ? 0 : 1, sE = bc == 1 ? -1 : bc == 3 ? 0 : 1;
      const dfloat *M = q + mapM[e * Nface + m], *P = q + mapP[e * Nface + m];
      Vec3 dH, dE;
      for (int i = 0; i < 3; ++i) {
        dH[i] = sH * P[i * Np] - M[i * Np];
        dE[i] = sE * P[(3 + i) * Np] - M[(3 + i) * Np];
      }
      // n x (alpha n x dH + dE) and n x (alpha n x dE - dH), both negated.
      const Vec3 nE = cross(normal, dE), nH = cross(normal, dH);
      const Vec3 fixH = dH, fixE = dE;
      for (int i = 0; i < 3; ++i) {
        const dfloat tH = fixH[i] - dot(normal, dH) * normal[i];
        const dfloat tE = fixE[i] - dot(normal, dE) * normal[i];
        for (int n = 0; n < Np; ++n) {
          const dfloat L = LIFT[n + m * Np] * s[3] * s[4] / 2;
          rhsq[(6 * e + i) * Np + n] += L * (alpha * tH - nE[i]);
          rhsq[(6 * e + 3 + i) * Np + n] += L * (alpha * tE + nH[i]);
        }
      }
    }
  }
}

void addPointSources(const int Nsources, const dfloat t, const dfloat t0, const dfloat frequency,
                     const dlong *element, const dfloat *amplitude, const dfloat *basis,
                     dfloat *rhsq) {
  const dfloat a = std::pow(std::acos(-1.0) * frequency * (t - t0), 2);
  for (int s = 0; s < Nsources; ++s) {
    for (int n = 0; n < Np; ++n) {
      rhsq[element[s] * 4 * Np + n] += amplitude[s] * (1 - 2 * a) * std::exp(-a) * basis[s * Np + n];
    }
  }
}

void rkStage(const dlong N, const int stage, const dfloat dt, const dfloat *rkA, const dfloat *q,
             const dfloat *rhs, dfloat *stages, dfloat *rkq) {
  for (int n = 0; n < N; ++n) {
    if (stage > 0) stages[n + (stage - 1) * N] = rhs[n];
    rkq[n] = q[n];
    for (int i = 0; i < stage; ++i) rkq[n] += dt * rkA[i + stage * 4] * stages[n + i * N];
  }
}

void rkErrorEstimate(const dlong N, const dfloat absoluteTolerance, const dfloat relativeTolerance,
                     const dfloat dt, const dfloat *rkE, const dfloat *q, const dfloat *rkq,
                     const dfloat *stages, dfloat *blockError) {
  for (int n = 0; n < N; ++n) {
    if (n % p_blockSize == 0) blockError[n / p_blockSize] = 0;
    dfloat error = 0;
    for (int i = 0; i < 4; ++i) error += rkE[i] * stages[n + i * N];
    error *= dt;
    const dfloat scale = absoluteTolerance +
                         relativeTolerance * std::fmax(std::fabs(q[n]), std::fabs(rkq[n]));
    blockError[n / p_blockSize] += error * error / (scale * scale);
  }
}
