// Sequential reference for multigrid.okl. Where the kernels use pfloat, sums here
// are in double precision.

#include <cmath>
#include <utility>
#include <vector>

namespace {

const int N = p_Nq, C = p_NqCoarse, E = p_Nq + 2;
const int Np = N * N * N, Cp = C * C * C, Ep = E * E * E;

// (A x B x D) u, for square or rectangular matrices given as functions (row, column),
// from `from` to `to` nodes a direction; A acts on the fastest index.
template <class A, class B, class D, class U>
std::vector<double> tensor(int to, int from, A a, B b, D d, U u) {
  std::vector<double> out(to * to * to);
  for (int n = 0; n < to * to * to; ++n) {
    for (int m = 0; m < from * from * from; ++m) {
      out[n] += a(n % to, m % from) * b(n / to % to, m / from % from) *
                d(n / to / to, m / from / from) * u(m);
    }
  }
  return out;
}

}  // namespace

void chebyshevUpdate(const dlong Nnodes, const pfloat rhoOld, const pfloat rhoNew,
                     const pfloat delta, const int first, const pfloat *S, const pfloat *Ad,
                     pfloat *r, pfloat *d, pfloat *x) {
  for (int n = 0; n < Nnodes; ++n) {
    if (!first) r[n] -= Ad[n];
    d[n] = (first ? 0.0 : double(rhoNew) * rhoOld * d[n]) + 2.0 * rhoNew / delta * S[n] * r[n];
    x[n] += d[n];
  }
}

void chebyshevFourthKind(const dlong Nnodes, const int order, const int step,
                         const pfloat lambdaMax, const pfloat *S, const pfloat *Ad, pfloat *r,
                         pfloat *d, pfloat *x) {
  const double beta[] = {1.12500000, 1.02387287, 1.26408906, 1.00842544, 1.08867839,
                         1.33753283, 1.00391310, 1.04035811, 1.14863499, 1.38268869};
  const int row = order * (order - 1) / 2;
  for (int n = 0; n < Nnodes; ++n) {
    if (step > 0) r[n] -= Ad[n];
    const double scaled = double(S[n]) * r[n] / lambdaMax;
    // Steps are numbered from zero: (2 s - 1) / (2 s + 3) and (8 s + 4) / (2 s + 3).
    const double keep = step > 0 ? (2.0 * step - 1) / (2.0 * step + 3) : 0;
    d[n] = keep * d[n] + (8.0 * step + 4) / (2.0 * step + 3) * scaled;
    x[n] += beta[row + step] * d[n];
  }
}

void jacobiLineSweeps(const dlong Nnodes, const int sweeps, const pfloat omega, const pfloat *b,
                      pfloat *x, pfloat *work) {
  pfloat *from = x, *to = work;
  for (int sweep = 0; sweep < sweeps; ++sweep, std::swap(from, to)) {
    for (int n = 0; n < Nnodes; ++n) {
      const double neighbours = (n ? from[n - 1] : 0.0) + (n + 1 < Nnodes ? from[n + 1] : 0.0);
      to[n] = (1.0 - omega) * from[n] + omega * (b[n] + neighbours) / 2;
    }
  }
}

void coarsenHex3D(const dlong Nelements, const pfloat *R, const pfloat *invDegree,
                  const pfloat *qFine, pfloat *qCoarse) {
  auto RT = [=](int row, int column) { return double(R[column * C + row]); };
  for (int e = 0; e < Nelements; ++e) {
    const auto out = tensor(C, N, RT, RT, RT, [=](int n) {
      return double(qFine[e * Np + n]) * invDegree[e * Np + n];
    });
    for (int n = 0; n < Cp; ++n) qCoarse[e * Cp + n] = out[n];
  }
}

void prolongateHex3D(const dlong Nelements, const pfloat *R, const pfloat *qCoarse,
                     pfloat *qFine) {
  auto I = [=](int row, int column) { return double(R[row * C + column]); };
  for (int e = 0; e < Nelements; ++e) {
    const auto out = tensor(N, C, I, I, I, [=](int n) { return qCoarse[e * Cp + n]; });
    for (int n = 0; n < Np; ++n) qFine[e * Np + n] += out[n];
  }
}

void schwarzExtend(const dlong Nelements, const pfloat *r, const pfloat *faceValues,
                   pfloat *rExtended) {
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < Ep; ++n) rExtended[e * Ep + n] = 0;
    auto place = [&](int i, int j, int k) -> pfloat & {
      return rExtended[e * Ep + (k * E + j) * E + i];
    };
    for (int n = 0; n < Np; ++n) {
      place(n % N + 1, n / N % N + 1, n / N / N + 1) = r[e * Np + n];
    }
    for (int b = 0; b < N; ++b) {
      for (int a = 0; a < N; ++a) {
        const pfloat *face = faceValues + e * 6 * N * N + b * N + a;
        place(a + 1, b + 1, 0) = face[0];
        place(a + 1, 0, b + 1) = face[N * N];
        place(E - 1, a + 1, b + 1) = face[2 * N * N];
        place(a + 1, E - 1, b + 1) = face[3 * N * N];
        place(0, a + 1, b + 1) = face[4 * N * N];
        place(a + 1, b + 1, E - 1) = face[5 * N * N];
      }
    }
  }
}

void schwarzSolve(const dlong Nelements, const int restricted, const pfloat *S, const pfloat *L,
                  const pfloat *weight, const pfloat *rExtended, pfloat *x, pfloat *xExtended) {
  for (int e = 0; e < Nelements; ++e) {
    auto matrix = [=](int d) {
      return [=](int r, int c) { return double(S[((e * 3 + d) * E + r) * E + c]); };
    };
    auto transpose = [=](int d) {
      return [=](int r, int c) { return double(S[((e * 3 + d) * E + c) * E + r]); };
    };
    auto modes = tensor(E, E, transpose(0), transpose(1), transpose(2),
                        [=](int n) { return rExtended[e * Ep + n]; });
    for (int n = 0; n < Ep; ++n) modes[n] *= L[e * Ep + n];
    const auto out = tensor(E, E, matrix(0), matrix(1), matrix(2), [&](int n) { return modes[n]; });
    if (restricted) {
      for (int n = 0; n < Np; ++n) {
        const int at = ((n / N / N + 1) * E + n / N % N + 1) * E + n % N + 1;
        x[e * Np + n] = weight[e * Np + n] * out[at];
      }
    } else {
      for (int n = 0; n < Ep; ++n) xExtended[e * Ep + n] = out[n];
    }
  }
}

void patchSolve(const dlong Npatches, const dlong *patchStarts, const dlong *patchIds,
                const dlong *matrixStarts, const pfloat *inverses, const dfloat *r, dfloat *z) {
  for (int p = 0; p < Npatches; ++p) {
    const dlong *ids = patchIds + patchStarts[p];
    const int size = patchStarts[p + 1] - patchStarts[p];
    for (int a = 0; a < size; ++a) {
      for (int b = 0; b < size; ++b) {
        z[ids[a]] += dfloat(inverses[matrixStarts[p] + a * size + b]) * pfloat(r[ids[b]]);
      }
    }
  }
}

// Gauss elimination: no square roots.
void choleskySolve(const dlong Nblocks, const dfloat *A, const dfloat *b, dfloat *x) {
  const int R = p_blockRows;
  for (int block = 0; block < Nblocks; ++block) {
    std::vector<dfloat> M(A + block * R * R, A + (block + 1) * R * R);
    std::vector<dfloat> y(b + block * R, b + (block + 1) * R);
    // Only the lower triangle is given.
    for (int r = 0; r < R; ++r) {
      for (int c = r + 1; c < R; ++c) M[r * R + c] = M[c * R + r];
    }
    for (int c = 0; c < R; ++c) {
      for (int r = c + 1; r < R; ++r) {
        const dfloat factor = M[r * R + c] / M[c * R + c];
        for (int m = c; m < R; ++m) M[r * R + m] -= factor * M[c * R + m];
        y[r] -= factor * y[c];
      }
    }
    for (int r = R - 1; r >= 0; --r) {
      for (int c = r + 1; c < R; ++c) y[r] -= M[r * R + c] * y[c];
      y[r] /= M[r * R + r];
      x[block * R + r] = y[r];
    }
  }
}

void spmvCSR(const dlong Nrows, const dfloat alpha, const dfloat beta, const dlong *rowStarts,
             const dlong *columns, const dfloat *values, const dfloat *x, dfloat *y) {
  for (int row = 0; row < Nrows; ++row) {
    dfloat sum = 0;
    for (int n = rowStarts[row]; n < rowStarts[row + 1]; ++n) sum += values[n] * x[columns[n]];
    y[row] = alpha * sum + beta * y[row];
  }
}

void smoothL1Jacobi(const dlong Nrows, const dlong *rowStarts, const dlong *columns,
                    const dfloat *values, const dfloat *b, const dfloat *x, dfloat *xNew) {
  for (int row = 0; row < Nrows; ++row) {
    dfloat sum = 0, norm = 0;
    for (int n = rowStarts[row]; n < rowStarts[row + 1]; ++n) {
      sum += values[n] * x[columns[n]];
      norm += std::fabs(values[n]);
    }
    xNew[row] = norm > 0 ? x[row] + (b[row] - sum) / norm : x[row];
  }
}

void aggregateRestrict(const dlong Nfine, const dlong *aggregate, const dfloat *P,
                       const dfloat *fine, dfloat *coarse) {
  for (int n = 0; n < Nfine; ++n) {
    if (aggregate[n] >= 0) coarse[aggregate[n]] += P[n] * fine[n];
  }
}
