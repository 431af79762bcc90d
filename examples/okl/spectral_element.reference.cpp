// Sequential reference for spectral_element.okl: the operators applied to the
// whole element at once, without any of the kernels' layering.

#include <vector>

#ifndef p_Nq
#define p_Nq 8
#endif
#ifndef dfloat
#define dfloat double
#endif

static const int Nq = p_Nq;
static const int Np = Nq * Nq * Nq;

static int at(int i, int j, int k) { return (k * Nq + j) * Nq + i; }

void ellipticAx(const int Nelements, const dfloat lambda, const dfloat *ggeo, const dfloat *D,
                const dfloat *q, dfloat *Aq) {
  std::vector<dfloat> fr(Np), fs(Np), ft(Np);
  for (int e = 0; e < Nelements; ++e) {
    const dfloat *u = q + e * Np;
    const dfloat *g = ggeo + e * 7 * Np;
    dfloat *result = Aq + e * Np;

    for (int k = 0; k < Nq; ++k) {
      for (int j = 0; j < Nq; ++j) {
        for (int i = 0; i < Nq; ++i) {
          dfloat ur = 0, us = 0, ut = 0;
          for (int m = 0; m < Nq; ++m) {
            ur += D[i * Nq + m] * u[at(m, j, k)];
            us += D[j * Nq + m] * u[at(i, m, k)];
            ut += D[k * Nq + m] * u[at(i, j, m)];
          }
          const int n = at(i, j, k);
          fr[n] = g[n] * ur + g[n + Np] * us + g[n + 2 * Np] * ut;
          fs[n] = g[n + Np] * ur + g[n + 3 * Np] * us + g[n + 4 * Np] * ut;
          ft[n] = g[n + 2 * Np] * ur + g[n + 4 * Np] * us + g[n + 5 * Np] * ut;
        }
      }
    }

    for (int k = 0; k < Nq; ++k) {
      for (int j = 0; j < Nq; ++j) {
        for (int i = 0; i < Nq; ++i) {
          dfloat sum = 0;
          for (int m = 0; m < Nq; ++m) {
            sum += D[m * Nq + i] * fr[at(m, j, k)] + D[m * Nq + j] * fs[at(i, m, k)] +
                   D[m * Nq + k] * ft[at(i, j, m)];
          }
          const int n = at(i, j, k);
          result[n] = sum + lambda * g[n + 6 * Np] * u[n];
        }
      }
    }
  }
}

void interpolationDifference(const int Nelements, const dfloat *P, const dfloat *q,
                             dfloat *difference) {
  std::vector<dfloat> a(Np), b(Np);
  for (int e = 0; e < Nelements; ++e) {
    const dfloat *u = q + e * Np;
    for (int k = 0; k < Nq; ++k) {
      for (int j = 0; j < Nq; ++j) {
        for (int i = 0; i < Nq; ++i) {
          a[at(i, j, k)] = 0;
          for (int m = 0; m < Nq; ++m) a[at(i, j, k)] += P[i * Nq + m] * u[at(m, j, k)];
        }
      }
    }
    for (int k = 0; k < Nq; ++k) {
      for (int j = 0; j < Nq; ++j) {
        for (int i = 0; i < Nq; ++i) {
          b[at(i, j, k)] = 0;
          for (int m = 0; m < Nq; ++m) b[at(i, j, k)] += P[j * Nq + m] * a[at(i, m, k)];
        }
      }
    }
    for (int k = 0; k < Nq; ++k) {
      for (int j = 0; j < Nq; ++j) {
        for (int i = 0; i < Nq; ++i) {
          dfloat sum = 0;
          for (int m = 0; m < Nq; ++m) sum += P[k * Nq + m] * b[at(i, j, m)];
          difference[e * Np + at(i, j, k)] = u[at(i, j, k)] - sum;
        }
      }
    }
  }
}
