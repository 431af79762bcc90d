// Sequential reference for interpolation.okl. Three-dimensional operators are
// applied as one sum over all nodes of the source.

#include <cmath>
#include <vector>

namespace {

const int N = p_Nq, M = p_NqOther;

// (A x A x A) u for a rows x columns matrix A stored by rows.
std::vector<dfloat> cube(const dfloat *A, int rows, int columns, const dfloat *u) {
  std::vector<dfloat> out(rows * rows * rows);
  for (int t = 0; t < rows; ++t) {
    for (int s = 0; s < rows; ++s) {
      for (int r = 0; r < rows; ++r) {
        dfloat sum = 0;
        for (int k = 0; k < columns; ++k) {
          for (int j = 0; j < columns; ++j) {
            for (int i = 0; i < columns; ++i) {
              sum += A[t * columns + k] * A[s * columns + j] * A[r * columns + i] *
                     u[(k * columns + j) * columns + i];
            }
          }
        }
        out[(t * rows + s) * rows + r] = sum;
      }
    }
  }
  return out;
}

std::vector<dfloat> transposed(const dfloat *A, int rows, int columns) {
  std::vector<dfloat> T(rows * columns);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) T[c * rows + r] = A[r * columns + c];
  }
  return T;
}

// Lagrange polynomial i at x as a product. The weights are taken as given:
// they scale the polynomials, and their sum normalises.
std::vector<dfloat> basis(const dfloat *nodes, const dfloat *weights, dfloat x) {
  std::vector<dfloat> phi(N);
  dfloat total = 0;
  for (int i = 0; i < N; ++i) {
    phi[i] = weights[i];
    for (int m = 0; m < N; ++m) {
      if (m != i) phi[i] *= x - nodes[m];
    }
    total += phi[i];
  }
  for (dfloat &p : phi) p /= total;
  return phi;
}

dfloat evaluate(const dfloat *nodes, const dfloat *weights, const dfloat *rst, const dfloat *u) {
  const auto r = basis(nodes, weights, rst[0]), s = basis(nodes, weights, rst[1]);
  const auto t = basis(nodes, weights, rst[2]);
  dfloat sum = 0;
  for (int n = 0; n < N * N * N; ++n) sum += r[n % N] * s[n / N % N] * t[n / N / N] * u[n];
  return sum;
}

}  // namespace

void filterRelaxation3D(const dlong Nelements, const int Nfields, const dlong fieldOffset,
                        const dfloat strength, const dfloat *filterT, const dfloat *U,
                        dfloat *NU) {
  const auto F = transposed(filterT, N, N);
  for (int f = 0; f < Nfields; ++f) {
    for (int e = 0; e < Nelements; ++e) {
      const int at = f * fieldOffset + e * N * N * N;
      const auto FU = cube(F.data(), N, N, U + at);
      for (int n = 0; n < N * N * N; ++n) NU[at + n] -= strength * (U[at + n] - FU[n]);
    }
  }
}

void interpolateHex3D(const dlong Nelements, const dfloat *I, const dfloat *q, dfloat *Iq) {
  for (int e = 0; e < Nelements; ++e) {
    const auto out = cube(I, M, N, q + e * N * N * N);
    for (int n = 0; n < M * M * M; ++n) Iq[e * M * M * M + n] = out[n];
  }
}

void interpolateTransposeHex3D(const dlong Nelements, const dfloat *I, const dfloat *weight,
                               const dfloat *Iq, dfloat *q) {
  const auto T = transposed(I, M, N);
  std::vector<dfloat> in(M * M * M);
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < M * M * M; ++n) in[n] = weight[e * M * M * M + n] * Iq[e * M * M * M + n];
    const auto out = cube(T.data(), N, M, in.data());
    for (int n = 0; n < N * N * N; ++n) q[e * N * N * N + n] += out[n];
  }
}

void interpolatePoints3D(const dlong Npoints, const int Nfields, const dlong fieldOffset,
                         const dlong pointOffset, const dlong *element, const dfloat *rst,
                         const dfloat *nodes, const dfloat *weights, const dfloat *U,
                         dfloat *values) {
  for (int p = 0; p < Npoints; ++p) {
    if (element[p] < 0) continue;
    for (int f = 0; f < Nfields; ++f) {
      values[p + f * pointOffset] = evaluate(nodes, weights, rst + 3 * p,
                                             U + element[p] * N * N * N + f * fieldOffset);
    }
  }
}

void interpolatePointsBlock3D(const dlong Npoints, const dlong *element, const dfloat *rst,
                              const dfloat *nodes, const dfloat *weights, const dfloat *U,
                              dfloat *values) {
  interpolatePoints3D(Npoints, 1, 0, 0, element, rst, nodes, weights, U, values);
}

void spectralIndicator3D(const dlong Nelements, const dfloat threshold, const dfloat *invV,
                         const dfloat *q, dfloat *modes, dfloat *indicator, int *flag) {
  for (int e = 0; e < Nelements; ++e) {
    const auto m = cube(invV, N, N, q + e * N * N * N);
    dfloat total = 0, high = 0;
    for (int n = 0; n < N * N * N; ++n) {
      modes[e * N * N * N + n] = m[n];
      total += m[n] * m[n];
      const bool highest = n % N == N - 1 || n / N % N == N - 1 || n / N / N == N - 1;
      if (highest) high += m[n] * m[n];
    }
    indicator[e] = total > 0 ? high / total : 0;
    flag[e] = indicator[e] > threshold;
  }
}

void buildFilter(const int Nmodes, const dfloat alpha, const dfloat *nodes,
                 const dfloat *quadrature, dfloat *F) {
  // V and its inverse by Gauss-Jordan elimination.
  std::vector<dfloat> V(N * N), A(N * 2 * N);
  for (int n = 0; n < N; ++n) {
    for (int m = 0; m < N; ++m) {
      V[n * N + m] = A[n * 2 * N + m] = std::legendre(m, nodes[n]) * std::sqrt(m + 0.5);
    }
    A[n * 2 * N + N + n] = 1;
  }
  for (int c = 0; c < N; ++c) {
    int pivot = c;
    for (int r = c; r < N; ++r) {
      if (std::fabs(A[r * 2 * N + c]) > std::fabs(A[pivot * 2 * N + c])) pivot = r;
    }
    for (int m = 0; m < 2 * N; ++m) std::swap(A[c * 2 * N + m], A[pivot * 2 * N + m]);
    const dfloat scale = 1 / A[c * 2 * N + c];
    for (int m = 0; m < 2 * N; ++m) A[c * 2 * N + m] *= scale;
    for (int r = 0; r < N; ++r) {
      if (r == c) continue;
      const dfloat factor = A[r * 2 * N + c];
      for (int m = 0; m < 2 * N; ++m) A[r * 2 * N + m] -= factor * A[c * 2 * N + m];
    }
  }
  for (int r = 0; r < N; ++r) {
    for (int c = 0; c < N; ++c) {
      dfloat sum = 0;
      for (int m = 0; m < N; ++m) {
        const dfloat x = std::fmax(0.0, dfloat(m - (N - 1 - Nmodes)) / Nmodes);
        sum += V[r * N + m] * (1 - alpha * x * x) * A[m * 2 * N + N + c];
      }
      F[r * N + c] = sum;
    }
  }
}
