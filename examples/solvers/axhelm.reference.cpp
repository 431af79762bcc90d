// Sequential reference for axhelm.okl: operators are applied to a whole
// element as tensor products, one direction after another.

#include <array>
#include <vector>

namespace {

const int Nq = p_Nq;
const int Np = Nq * Nq * Nq;

using Field = std::vector<dfloat>;

// Applies the Nq x Nq matrix `M` (or its transpose) along direction `d`.
Field along(int d, const dfloat *M, const Field &u, bool transposed = false) {
  const int stride = d == 0 ? 1 : d == 1 ? Nq : Nq * Nq;
  Field out(Np, 0);
  for (int n = 0; n < Np; ++n) {
    const int a = n / stride % Nq;
    const int first = n - a * stride;
    for (int m = 0; m < Nq; ++m) {
      out[n] += (transposed ? M[m * Nq + a] : M[a * Nq + m]) * u[first + m * stride];
    }
  }
  return out;
}

Field element(const dfloat *u) { return Field(u, u + Np); }

// The metric tensor at node n, as a full matrix.
std::array<std::array<dfloat, 3>, 3> metric(const dfloat *ggeo, int e, int n) {
  const dfloat *g = ggeo + e * 7 * Np + n;
  return {{{g[0], g[Np], g[2 * Np]}, {g[Np], g[3 * Np], g[4 * Np]},
           {g[2 * Np], g[4 * Np], g[5 * Np]}}};
}

dfloat mass(const dfloat *ggeo, int e, int n) { return ggeo[e * 7 * Np + 6 * Np + n]; }

// One element of the scalar operator; coefficients are functions of the node.
template <class L0, class L1>
void helmholtz(int e, const dfloat *ggeo, const dfloat *D, L0 lambda0, L1 lambda1,
               const dfloat *q, dfloat *Aq) {
  const Field u = element(q + e * Np);
  std::array<Field, 3> gradient, flux;
  for (int d = 0; d < 3; ++d) {
    gradient[d] = along(d, D, u);
    flux[d].assign(Np, 0);
  }
  for (int n = 0; n < Np; ++n) {
    const auto G = metric(ggeo, e, n);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) flux[a][n] += lambda0(n) * G[a][b] * gradient[b][n];
    }
  }
  for (int n = 0; n < Np; ++n) Aq[e * Np + n] = lambda1(n) * mass(ggeo, e, n) * u[n];
  for (int d = 0; d < 3; ++d) {
    const Field part = along(d, D, flux[d], true);
    for (int n = 0; n < Np; ++n) Aq[e * Np + n] += part[n];
  }
}

// Inverse and determinant by Cramer's rule over cyclic indices.
dfloat inverse(const dfloat A[3][3], dfloat out[3][3]) {
  dfloat det = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      out[j][i] = A[i1][j1] * A[i2][j2] - A[i1][j2] * A[i2][j1];
    }
  }
  for (int j = 0; j < 3; ++j) det += A[0][j] * out[j][0];
  for (int i = 0; i < 9; ++i) out[i / 3][i % 3] /= det;
  return det;
}

}  // namespace

void axHelmScalar(const dlong Nelements, const dfloat lambda0, const dfloat lambda1,
                  const dfloat *ggeo, const dfloat *D, const dfloat *q, dfloat *Aq) {
  for (int e = 0; e < Nelements; ++e) {
    helmholtz(e, ggeo, D, [=](int) { return lambda0; }, [=](int) { return lambda1; }, q, Aq);
  }
}

void axHelmPartialVariable(const dlong Nelements, const dlong coefficientOffset,
                           const dlong *elementList, const dfloat *ggeo, const dfloat *D,
                           const dfloat *lambda, const dfloat *q, dfloat *Aq) {
  for (int l = 0; l < Nelements; ++l) {
    const int e = elementList[l];
    const dfloat *own = lambda + e * Np;
    helmholtz(e, ggeo, D, [=](int n) { return own[n]; },
              [=](int n) { return own[n + coefficientOffset]; }, q, Aq);
  }
}

void axHelmVector(const dlong Nelements, const dlong offset, const dlong coefficientOffset,
                  const dlong *elementList, const dfloat *ggeo, const dfloat *D,
                  const dfloat *lambda, const dfloat *q, dfloat *Aq) {
  for (int l = 0; l < Nelements; ++l) {
    const int e = elementList[l];
    for (int c = 0; c < 3; ++c) {
      const dfloat *own = lambda + e * Np + c * coefficientOffset;
      helmholtz(e, ggeo, D, [=](int n) { return own[n]; },
                [=](int n) { return own[n + 3 * coefficientOffset]; }, q + c * offset,
                Aq + c * offset);
    }
  }
}

void axHelmTrilinear(const dlong Nelements, const dfloat lambda0, const dfloat lambda1,
                     const dfloat *EXYZ, const dfloat *gllzw, const dfloat *D, const dfloat *q,
                     dfloat *Aq) {
  std::vector<dfloat> ggeo(7 * Np * Nelements);
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < Np; ++n) {
      const int at[3] = {n % Nq, n / Nq % Nq, n / Nq / Nq};
      dfloat J[3][3] = {}, inv[3][3];
      for (int d = 0; d < 3; ++d) {
        for (int v = 0; v < 8; ++v) {
          for (int a = 0; a < 3; ++a) {
            dfloat slope = EXYZ[e * 24 + d * 8 + v];
            for (int b = 0; b < 3; ++b) {
              const int side = v >> b & 1;
              const dfloat z = gllzw[at[b]];
              if (a == b) slope *= side ? 0.5 : -0.5;
              else slope *= side ? (1 + z) / 2 : (1 - z) / 2;
            }
            J[d][a] += slope;
          }
        }
      }
      dfloat JW = inverse(J, inv);
      for (int b = 0; b < 3; ++b) JW *= gllzw[Nq + at[b]];
      int id = 0;
      for (int a = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b, ++id) {
          dfloat sum = 0;
          for (int x = 0; x < 3; ++x) sum += inv[a][x] * inv[b][x];
          ggeo[(e * 7 + id) * Np + n] = JW * sum;
        }
      }
      ggeo[(e * 7 + 6) * Np + n] = JW;
    }
  }
  axHelmScalar(Nelements, lambda0, lambda1, ggeo.data(), D, q, Aq);
}

void stressHelm(const dlong Nelements, const dlong offset, const dfloat *vgeo, const dfloat *D,
                const dfloat *mu, const dfloat *rho, const dfloat *q, dfloat *Aq) {
  for (int e = 0; e < Nelements; ++e) {
    const dfloat *v = vgeo + e * 11 * Np;
    // Physical gradients of the three components.
    Field grad[3][3];
    for (int c = 0; c < 3; ++c) {
      const Field u = element(q + e * Np + c * offset);
      for (int x = 0; x < 3; ++x) grad[c][x].assign(Np, 0);
      for (int d = 0; d < 3; ++d) {
        const Field ud = along(d, D, u);
        for (int x = 0; x < 3; ++x) {
          for (int n = 0; n < Np; ++n) grad[c][x][n] += v[(3 * d + x) * Np + n] * ud[n];
        }
      }
    }
    for (int c = 0; c < 3; ++c) {
      dfloat *out = Aq + e * Np + c * offset;
      for (int n = 0; n < Np; ++n) {
        out[n] = rho[e * Np + n] * v[10 * Np + n] * q[e * Np + n + c * offset];
      }
      for (int d = 0; d < 3; ++d) {
        Field flux(Np, 0);
        for (int n = 0; n < Np; ++n) {
          for (int x = 0; x < 3; ++x) {
            flux[n] += mu[e * Np + n] * v[10 * Np + n] * v[(3 * d + x) * Np + n] *
                       (grad[c][x][n] + grad[x][c][n]);
          }
        }
        const Field part = along(d, D, flux, true);
        for (int n = 0; n < Np; ++n) out[n] += part[n];
      }
    }
  }
}

void assembleGeometricFactors(const dlong Nelements, const dfloat *D, const dfloat *gllw,
                              const dfloat *x, const dfloat *y, const dfloat *z, dfloat *ggeo,
                              dfloat *vgeo) {
  for (int e = 0; e < Nelements; ++e) {
    const dfloat *coordinates[3] = {x + e * Np, y + e * Np, z + e * Np};
    Field slopes[3][3];
    for (int c = 0; c < 3; ++c) {
      for (int d = 0; d < 3; ++d) slopes[c][d] = along(d, D, element(coordinates[c]));
    }
    for (int n = 0; n < Np; ++n) {
      dfloat J[3][3], inv[3][3];
      for (int c = 0; c < 3; ++c) {
        for (int d = 0; d < 3; ++d) J[c][d] = slopes[c][d][n];
      }
      const dfloat det = inverse(J, inv);
      const dfloat JW = det * gllw[n % Nq] * gllw[n / Nq % Nq] * gllw[n / Nq / Nq];
      for (int d = 0; d < 9; ++d) vgeo[(e * 11 + d) * Np + n] = inv[d / 3][d % 3];
      vgeo[(e * 11 + 9) * Np + n] = det;
      vgeo[(e * 11 + 10) * Np + n] = JW;
      int id = 0;
      for (int a = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b, ++id) {
          dfloat sum = 0;
          for (int c = 0; c < 3; ++c) sum += inv[a][c] * inv[b][c];
          ggeo[(e * 7 + id) * Np + n] = JW * sum;
        }
      }
      ggeo[(e * 7 + 6) * Np + n] = JW;
    }
  }
}

// The diagonal by its definition: the operator applied to unit vectors.
void axHelmDiagonal(const dlong Nelements, const dlong coefficientOffset, const dfloat *ggeo,
                    const dfloat *D, const dfloat *lambda, dfloat *diagonal) {
  std::vector<dfloat> unit(Np * Nelements), column(Np * Nelements);
  for (int e = 0; e < Nelements; ++e) {
    const dfloat *own = lambda + e * Np;
    for (int n = 0; n < Np; ++n) {
      unit[e * Np + n] = 1;
      helmholtz(e, ggeo, D, [=](int m) { return own[m]; },
                [=](int m) { return own[m + coefficientOffset]; }, unit.data(), column.data());
      unit[e * Np + n] = 0;
      diagonal[e * Np + n] = column[e * Np + n];
    }
  }
}
