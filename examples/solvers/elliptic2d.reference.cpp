// Sequential reference for elliptic2d.okl. Element matrices are formed where
// that is possible, then applied.

#include <vector>

namespace {

const int Nq = p_N + 1;
const int cubNq = p_N + 3;
const int NpQ = Nq * Nq;
const int NpT = (p_N + 1) * (p_N + 2) / 2;

using Vector = std::vector<dfloat>;

// y = M x for a matrix stored by columns.
Vector multiply(const dfloat *M, const Vector &x, int rows) {
  Vector y(rows, 0);
  for (int c = 0; c < (int)x.size(); ++c) {
    for (int r = 0; r < rows; ++r) y[r] += M[r + c * rows] * x[c];
  }
  return y;
}

}  // namespace

void massQuad2D(const dlong Nelements, const dfloat *ggeo, const dfloat *q, dfloat *Mq) {
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < NpQ; ++n) Mq[e * NpQ + n] = ggeo[(e * 4 + 3) * NpQ + n] * q[e * NpQ + n];
  }
}

void massCubatureQuad2D(const dlong Nelements, const dfloat *cubJW, const dfloat *cubInterp,
                        const dfloat *q, dfloat *Mq) {
  // The two-dimensional interpolation as one matrix.
  Vector B(cubNq * cubNq * NpQ);
  for (int c = 0; c < cubNq * cubNq; ++c) {
    for (int n = 0; n < NpQ; ++n) {
      B[c * NpQ + n] = cubInterp[c % cubNq * Nq + n % Nq] * cubInterp[c / cubNq * Nq + n / Nq];
    }
  }
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < NpQ; ++n) Mq[e * NpQ + n] = 0;
    for (int c = 0; c < cubNq * cubNq; ++c) {
      dfloat value = 0;
      for (int n = 0; n < NpQ; ++n) value += B[c * NpQ + n] * q[e * NpQ + n];
      value *= cubJW[e * cubNq * cubNq + c];
      for (int n = 0; n < NpQ; ++n) Mq[e * NpQ + n] += B[c * NpQ + n] * value;
    }
  }
}

void axQuad2D(const dlong Nelements, const dfloat lambda, const dfloat *ggeo, const dfloat *D,
              const dfloat *q, dfloat *Aq) {
  for (int e = 0; e < Nelements; ++e) {
    const dfloat *g = ggeo + e * 4 * NpQ;
    const dfloat *u = q + e * NpQ;
    dfloat *out = Aq + e * NpQ;
    for (int n = 0; n < NpQ; ++n) out[n] = lambda * g[3 * NpQ + n] * u[n];
    for (int n = 0; n < NpQ; ++n) {
      const int i = n % Nq, j = n / Nq;
      dfloat ur = 0, us = 0;
      for (int m = 0; m < Nq; ++m) {
        ur += D[i * Nq + m] * u[j * Nq + m];
        us += D[j * Nq + m] * u[m * Nq + i];
      }
      const dfloat fr = g[n] * ur + g[NpQ + n] * us;
      const dfloat fs = g[NpQ + n] * ur + g[2 * NpQ + n] * us;
      // Scatter to the nodes of this row and this column.
      for (int m = 0; m < Nq; ++m) {
        out[j * Nq + m] += D[i * Nq + m] * fr;
        out[m * Nq + i] += D[j * Nq + m] * fs;
      }
    }
  }
}

void axTri2D(const dlong Nelements, const dfloat lambda, const dlong *elementList,
             const dfloat *vgeo, const dfloat *S, const dfloat *q, dfloat *Aq) {
  Vector A(NpT * NpT);
  for (int l = 0; l < Nelements; ++l) {
    const int e = elementList[l];
    const dfloat *g = vgeo + 5 * e;
    for (int n = 0; n < NpT * NpT; ++n) {
      const dfloat *s = S + n;
      const int next = NpT * NpT;
      A[n] = g[4] * ((g[0] * g[0] + g[1] * g[1]) * s[0] + (g[0] * g[2] + g[1] * g[3]) * s[next] +
                     (g[2] * g[2] + g[3] * g[3]) * s[2 * next] + lambda * s[3 * next]);
    }
    const Vector y = multiply(A.data(), Vector(q + e * NpT, q + (e + 1) * NpT), NpT);
    for (int n = 0; n < NpT; ++n) Aq[e * NpT + n] = y[n];
  }
}

void rhsTri2D(const dlong Nelements, const int *mapB, const dfloat *vgeo, const dfloat *MM,
              const dfloat *x, const dfloat *y, const dfloat *f, dfloat *rhs) {
  for (int e = 0; e < Nelements; ++e) {
    Vector load(NpT);
    for (int n = 0; n < NpT; ++n) {
      const int id = e * NpT + n, b = mapB[id];
      load[n] = b == 1 ? 0 : b == 2 ? f[id] + x[id] : b == 3 ? 2 * (f[id] - y[id])
              : b == 4 ? 2 * f[id] : f[id];
    }
    load = multiply(MM, load, NpT);
    for (int n = 0; n < NpT; ++n) {
      rhs[e * NpT + n] = mapB[e * NpT + n] == 1 ? 0 : load[n] * vgeo[5 * e + 4];
    }
  }
}

void inverseMassTri2D(const dlong Nelements, const dfloat *J, const dfloat *Minv, const dfloat *f,
                      dfloat *q) {
  for (int e = 0; e < Nelements; ++e) {
    Vector load(NpT);
    for (int n = 0; n < NpT; ++n) load[n] = J[e * NpT + n] * f[e * NpT + n];
    load = multiply(Minv, load, NpT);
    for (int n = 0; n < NpT; ++n) q[e * NpT + n] = load[n] / J[e * NpT + n];
  }
}
