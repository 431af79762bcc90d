// Sequential reference for flow_operators.okl.

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

const int N = p_Nq;
const int Np = N * N * N;
const int Nfp = N * N;

// Row n of the derivative matrix by physical coordinate x, applied to u: as a
// list of (node, entry) pairs, so that the transpose can be applied too.
template <class F>
void derivativeRow(const dfloat *vgeo, const dfloat *D, int x, int n, F f) {
  const int stride[3] = {1, N, N * N};
  for (int d = 0; d < 3; ++d) {
    const int a = n / stride[d] % N;
    for (int m = 0; m < N; ++m) {
      f(n + (m - a) * stride[d], vgeo[(3 * d + x) * Np + n] * D[a * N + m]);
    }
  }
}

dfloat derivative(const dfloat *vgeo, const dfloat *D, int x, int n, const dfloat *u) {
  dfloat sum = 0;
  derivativeRow(vgeo, D, x, n, [&](int m, dfloat entry) { sum += entry * u[m]; });
  return sum;
}

struct Node {
  const dfloat *vgeo;
  int n;
  dfloat factor(int id) const { return vgeo[id * Np + n]; }
  dfloat JW() const { return factor(10); }
};

// Calls f(element, node index, gradient of the velocity) for all nodes.
template <class F>
void forGradients(int Nelements, int offset, const dfloat *vgeo, const dfloat *D, const dfloat *U,
                  F f) {
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < Np; ++n) {
      dfloat g[3][3];
      for (int c = 0; c < 3; ++c) {
        for (int x = 0; x < 3; ++x) {
          g[c][x] = derivative(vgeo + e * 12 * Np, D, x, n, U + e * Np + c * offset);
        }
      }
      f(Node{vgeo + e * 12 * Np, n}, e * Np + n, g);
    }
  }
}

struct Velocity {
  dfloat u[3];
};

Velocity dirichlet(int type, int id, dfloat time, const dfloat *x, const dfloat *y,
                   const dfloat *z, const dfloat *usrwrk, const dfloat *normal, Velocity M) {
  if (type == 2) {
    return {{(1 - y[id] * y[id] - z[id] * z[id]) * (1 + usrwrk[id % 8]), 0,
             0.1 * std::cos(time) * x[id]}};
  }
  if (type == 4) {
    const dfloat un = normal[0] * M.u[0] + normal[1] * M.u[1] + normal[2] * M.u[2];
    for (int c = 0; c < 3; ++c) M.u[c] -= un * normal[c];
    return M;
  }
  return {{0, 0, 0}};
}

}  // namespace

void gradientVolumeHex3D(const dlong Nelements, const dlong offset, const int weighted,
                         const dfloat *vgeo, const dfloat *D, const dfloat *q, dfloat *gradq) {
  for (int e = 0; e < Nelements; ++e) {
    const dfloat *v = vgeo + e * 12 * Np;
    for (int n = 0; n < Np; ++n) {
      for (int x = 0; x < 3; ++x) {
        gradq[e * Np + n + x * offset] =
            (weighted ? v[10 * Np + n] : 1) * derivative(v, D, x, n, q + e * Np);
      }
    }
  }
}

void gradientWeakHex3D(const dlong Nelements, const dlong offset, const dfloat *vgeo,
                       const dfloat *D, const dfloat *p, dfloat *gradp) {
  for (int e = 0; e < Nelements; ++e) {
    const dfloat *v = vgeo + e * 12 * Np;
    for (int x = 0; x < 3; ++x) {
      dfloat *out = gradp + e * Np + x * offset;
      std::fill(out, out + Np, 0);
      for (int n = 0; n < Np; ++n) {
        const dfloat load = v[10 * Np + n] * p[e * Np + n];
        derivativeRow(v, D, x, n, [&](int m, dfloat entry) { out[m] += entry * load; });
      }
    }
  }
}

void divergenceVolumeHex3D(const dlong Nelements, const dlong offset, const dfloat *vgeo,
                           const dfloat *D, const dfloat *U, dfloat *divU) {
  forGradients(Nelements, offset, vgeo, D, U, [&](Node node, int id, const dfloat (*g)[3]) {
    divU[id] = node.JW() * (g[0][0] + g[1][1] + g[2][2]);
  });
}

void divergenceWeakHex3D(const dlong Nelements, const dlong offset, const dfloat *vgeo,
                         const dfloat *D, const dfloat *U, dfloat *divU) {
  for (int e = 0; e < Nelements; ++e) {
    const dfloat *v = vgeo + e * 12 * Np;
    std::fill(divU + e * Np, divU + (e + 1) * Np, 0);
    for (int x = 0; x < 3; ++x) {
      for (int n = 0; n < Np; ++n) {
        const dfloat load = v[10 * Np + n] * U[e * Np + n + x * offset];
        derivativeRow(v, D, x, n, [&](int m, dfloat entry) { divU[e * Np + m] -= entry * load; });
      }
    }
  }
}

void curlHex3D(const dlong Nelements, const dlong offset, const dfloat *vgeo, const dfloat *D,
               const dfloat *U, dfloat *out) {
  forGradients(Nelements, offset, vgeo, D, U, [&](Node node, int id, const dfloat (*g)[3]) {
    for (int x = 0; x < 3; ++x) {
      const int y = (x + 1) % 3, z = (x + 2) % 3;
      out[id + x * offset] = node.JW() * (g[z][y] - g[y][z]);
    }
  });
}

void qCriterionHex3D(const dlong Nelements, const dlong offset, const dfloat *vgeo,
                     const dfloat *D, const dfloat *U, dfloat *out) {
  forGradients(Nelements, offset, vgeo, D, U, [&](Node, int id, const dfloat (*g)[3]) {
    // Half of |rotation|^2 - |strain|^2.
    dfloat sum = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        const dfloat S = (g[a][b] + g[b][a]) / 2, W = (g[a][b] - g[b][a]) / 2;
        sum += W * W - S * S;
      }
    }
    out[id] = sum / 2;
  });
}

void smagorinskyHex3D(const dlong Nelements, const dlong offset, const dfloat *vgeo,
                      const dfloat *D, const dfloat *U, dfloat *out) {
  forGradients(Nelements, offset, vgeo, D, U, [&](Node node, int id, const dfloat (*g)[3]) {
    dfloat S2 = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) S2 += std::pow((g[a][b] + g[b][a]) / 2, 2);
    }
    const dfloat length = p_Cs * std::cbrt(std::fabs(node.factor(9)));
    out[id] = length * length * std::sqrt(2 * S2);
  });
}

void divergenceSurfaceHex3D(const dlong Nelements, const dlong offset, const dfloat time,
                            const dfloat *sgeo, const int *faceNodes, const int *EToB,
                            const dfloat *x, const dfloat *y, const dfloat *z,
                            const dfloat *usrwrk, const dfloat *U, dfloat *divU) {
  for (int e = 0; e < Nelements; ++e) {
    for (int m = 0; m < 6 * Nfp; ++m) {
      const int type = EToB[e * 6 + m / Nfp];
      if (type == 0) continue;
      const int id = e * Np + faceNodes[m];
      const dfloat *s = sgeo + 4 * (e * 6 * Nfp + m);
      Velocity value = {{U[id], U[id + offset], U[id + 2 * offset]}};
      if (type != 3) value = dirichlet(type, id, time, x, y, z, usrwrk, s, value);
      for (int c = 0; c < 3; ++c) divU[id] += s[3] * s[c] * value.u[c];
    }
  }
}

void dirichletValuesHex3D(const dlong Nelements, const dlong offset, const dfloat time,
                          const dfloat *sgeo, const int *faceNodes, const int *EToB,
                          const dfloat *x, const dfloat *y, const dfloat *z,
                          const dfloat *usrwrk, dfloat *U, dfloat *P) {
  for (int id = 0; id < Nelements * Np; ++id) {
    const int e = id / Np;
    int best = -1;
    for (int m = 0; m < 6 * Nfp; ++m) {
      const int type = EToB[6 * e + m / Nfp];
      if (faceNodes[m] != id % Np || type == 0) continue;
      if (best < 0 || type < EToB[6 * e + best / Nfp]) best = m;
    }
    if (best < 0) continue;
    const dfloat *s = sgeo + 4 * (e * 6 * Nfp + best);
    Velocity value = {{U[id], U[id + offset], U[id + 2 * offset]}};
    const int type = EToB[6 * e + best / Nfp];
    if (type == 3) {
      const dfloat un = s[0] * value.u[0] + s[1] * value.u[1] + s[2] * value.u[2];
      P[id] = un < 0 ? un * un / 2 : 0;
    } else {
      value = dirichlet(type, id, time, x, y, z, usrwrk, s, value);
      for (int c = 0; c < 3; ++c) U[id + c * offset] = value.u[c];
    }
  }
}

void sumMakef(const dlong Nnodes, const int order, const dlong offset, const dfloat idt,
              const dfloat *coefficientsB, const dfloat *coefficientsE, const dfloat *massMatrix,
              const dfloat *U, const dfloat *FU, dfloat *BF) {
  for (int c = 0; c < 3; ++c) {
    for (int n = 0; n < Nnodes; ++n) {
      dfloat sum = 0;
      for (int s = 0; s < order; ++s) {
        const int id = n + c * offset + s * 3 * offset;
        sum += idt * coefficientsB[s] * U[id] + coefficientsE[s] * FU[id];
      }
      BF[n + c * offset] = massMatrix[n] * sum;
    }
  }
}

void velocityRhs(const dlong Nnodes, const dlong offset, const dfloat *BF, const dfloat *gradP,
                 const dfloat *rho, dfloat *rhs) {
  for (int c = 0; c < 3; ++c) {
    for (int n = 0; n < Nnodes; ++n) {
      rhs[n + c * offset] = rho[n] * BF[n + c * offset] - gradP[n + c * offset];
    }
  }
}
