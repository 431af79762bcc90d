// Sequential reference for krylov.okl. What blocks sum is only fixed by how
// they stride over the vectors.

#include <algorithm>
#include <cmath>
#include <vector>

#if p_useDouble
typedef double dfloat;
#else
typedef float dfloat;
#endif
typedef float pfloat;
typedef int dlong;

#ifndef p_restart
#define p_restart 6
#endif

namespace {

// Calls f(block, n) for the entries of a vector that each block works on.
template <class F>
void blocks(int Nblocks, int N, F f) {
  for (int n = 0; n < N; ++n) f(n / p_blockSize % Nblocks, n);
}

void clear(dfloat *parts, int count) { std::fill(parts, parts + count, 0); }

int blockCount(int N) { return (N + p_blockSize - 1) / p_blockSize; }

}  // namespace

void axpby(const dlong N, const dfloat alpha, const dfloat *x, const dfloat beta, dfloat *y) {
  for (int n = 0; n < N; ++n) y[n] = alpha * x[n] + beta * y[n];
}

void axpbyzMany(const dlong N, const dlong Nfields, const dlong offset, const dfloat alpha,
                const dfloat *x, const dfloat beta, const dfloat *y, dfloat *z) {
  for (int f = 0; f < Nfields; ++f) {
    for (int n = f * offset; n < f * offset + N; ++n) z[n] = alpha * x[n] + beta * y[n];
  }
}

void maskCopyToSingle(const dlong Nmasked, const dlong N, const dlong *maskIds, dfloat *x,
                      pfloat *xSingle) {
  for (int n = 0; n < Nmasked; ++n) x[maskIds[n]] = 0;
  std::copy(x, x + N, xSingle);
}

void subtractMean(const dlong N, const dlong Nparts, const dfloat weight, const dfloat *parts,
                  dfloat *x) {
  dfloat sum = 0;
  for (int n = 0; n < Nparts; ++n) sum += parts[n];
  for (int n = 0; n < N; ++n) x[n] -= weight * sum;
}

void innerProduct(const dlong Nblocks, const dlong N, const dfloat *x, const dfloat *y,
                  dfloat *parts) {
  clear(parts, Nblocks);
  blocks(Nblocks, N, [&](int b, int n) { parts[b] += x[n] * y[n]; });
}

void weightedInnerProductMany(const dlong Nblocks, const dlong N, const dlong Nfields,
                              const dlong offset, const dfloat *w, const dfloat *x,
                              const dfloat *y, dfloat *parts) {
  clear(parts, Nblocks * Nfields);
  for (int f = 0; f < Nfields; ++f) {
    const int o = f * offset;
    blocks(Nblocks, N, [&](int b, int n) { parts[b + f * Nblocks] += w[n] * x[n + o] * y[n + o]; });
  }
}

void weightedNorms(const dlong N, const dfloat *w, const dfloat *x, dfloat *norm1, dfloat *norm2,
                   dfloat *normMax) {
  const int count = blockCount(N);
  clear(norm1, count);
  clear(norm2, count);
  clear(normMax, count);
  blocks(count, N, [&](int b, int n) {
    norm1[b] += std::fabs(w[n] * x[n]);
    norm2[b] += w[n] * x[n] * x[n];
    normMax[b] = std::fmax(normMax[b], std::fabs(x[n]));
  });
}

void normInfinity(const dlong N, const dlong Nblocks, const dfloat *x, dfloat *parts,
                  dfloat *norm) {
  clear(parts, Nblocks);
  norm[0] = 0;
  blocks(Nblocks, N, [&](int b, int n) {
    parts[b] = std::fmax(parts[b], std::fabs(x[n]));
    norm[0] = std::fmax(norm[0], std::fabs(x[n]));
  });
}

void innerProductMulti(const dlong Nblocks, const dlong N, const int Nvectors, const dlong offset,
                       const dfloat *w, const dfloat *V, const dfloat *x, dfloat *parts) {
  for (int v = 0; v < Nvectors; ++v) {
    clear(parts + v * Nblocks, Nblocks);
    blocks(Nblocks, N, [&](int b, int n) {
      parts[b + v * Nblocks] += w[n] * x[n] * V[n + v * offset];
    });
  }
}

void updateCG(const dlong Nblocks, const dlong N, const dfloat *invDegree, const dfloat *p,
              const dfloat *Ap, const dfloat alpha, dfloat *x, dfloat *r, dfloat *parts) {
  clear(parts, Nblocks);
  blocks(Nblocks, N, [&](int b, int n) {
    x[n] += alpha * p[n];
    r[n] -= alpha * Ap[n];
    parts[b] += invDegree[n] * r[n] * r[n];
  });
}

void updateFlexibleCG(const dlong Nblocks, const dlong N, const dfloat rdotzOld, const dfloat *w,
                      const dfloat *z, const dfloat *r, const dfloat *rOld, dfloat *parts,
                      dfloat *p) {
  clear(parts, 2 * Nblocks);
  dfloat beta = 0;
  blocks(Nblocks, N, [&](int b, int n) {
    parts[b] += w[n] * z[n] * r[n];
    parts[b + Nblocks] += w[n] * z[n] * (r[n] - rOld[n]);
    beta += w[n] * z[n] * (r[n] - rOld[n]) / rdotzOld;
  });
  for (int n = 0; n < N; ++n) p[n] = z[n] + beta * p[n];
}

void updatePipelinedCG(const dlong Nblocks, const dlong N, const dfloat alpha, const dfloat beta,
                       const dfloat *weight, const dfloat *n_, const dfloat *m_, dfloat *p,
                       dfloat *s, dfloat *q, dfloat *z, dfloat *x, dfloat *r, dfloat *u,
                       dfloat *w, dfloat *parts) {
  auto recur = [&](dfloat *y, const dfloat *add) {
    for (int i = 0; i < N; ++i) y[i] = add[i] + beta * y[i];
  };
  recur(z, n_);
  recur(q, m_);
  recur(s, w);
  recur(p, u);
  auto advance = [&](dfloat *y, dfloat factor, const dfloat *add) {
    for (int i = 0; i < N; ++i) y[i] += factor * add[i];
  };
  advance(x, alpha, p);
  advance(r, -alpha, s);
  advance(u, -alpha, q);
  advance(w, -alpha, z);
  clear(parts, 3 * Nblocks);
  blocks(Nblocks, N, [&](int b, int i) {
    parts[b] += weight[i] * u[i] * r[i];
    parts[b + Nblocks] += weight[i] * u[i] * w[i];
    parts[b + 2 * Nblocks] += weight[i] * r[i] * r[i];
  });
}

void gramSchmidtOrthogonalize(const dlong Nblocks, const dlong N, const int Nvectors,
                              const dlong offset, const dfloat *weight, const dfloat *h,
                              const dfloat *V, dfloat *w, dfloat *parts) {
  for (int v = 0; v < Nvectors; ++v) {
    for (int n = 0; n < N; ++n) w[n] -= h[v] * V[n + v * offset];
  }
  clear(parts, Nblocks);
  blocks(Nblocks, N, [&](int b, int n) { parts[b] += weight[n] * w[n] * w[n]; });
}

void applyGivens(const int j, dfloat *H, dfloat *cs, dfloat *sn, dfloat *s) {
  dfloat *h = H + j * (p_restart + 1);
  auto rotate = [](dfloat c, dfloat sine, dfloat &a, dfloat &b) {
    const dfloat a0 = a, b0 = b;
    a = c * a0 + sine * b0;
    b = c * b0 - sine * a0;
  };
  for (int k = 0; k < j; ++k) rotate(cs[k], sn[k], h[k], h[k + 1]);
  const dfloat length = std::hypot(h[j], h[j + 1]);
  cs[j] = h[j] / length;
  sn[j] = h[j + 1] / length;
  h[j] = length;
  h[j + 1] = 0;
  s[j + 1] = 0;
  rotate(cs[j], sn[j], s[j], s[j + 1]);
}

void updateGMRES(const dlong N, const int Nvectors, const dlong offset, const dfloat *H,
                 const dfloat *s, const dfloat *V, dfloat *x) {
  std::vector<dfloat> y(s, s + Nvectors);
  for (int r = Nvectors - 1; r >= 0; --r) {
    for (int c = r + 1; c < Nvectors; ++c) y[r] -= H[r + c * (p_restart + 1)] * y[c];
    y[r] /= H[r + r * (p_restart + 1)];
  }
  for (int v = 0; v < Nvectors; ++v) {
    for (int n = 0; n < N; ++n) x[n] += y[v] * V[n + v * offset];
  }
}

void projectionGuess(const dlong N, const dlong Nblocks, const int Nvectors, const dlong offset,
                     const dfloat *parts, const dfloat *X, const dfloat *AX, dfloat *x,
                     dfloat *r) {
  std::vector<dfloat> alpha(Nvectors);
  for (int v = 0; v < Nvectors; ++v) {
    for (int b = 0; b < Nblocks; ++b) alpha[v] += parts[b + v * Nblocks];
  }
  for (int n = 0; n < N; ++n) {
    x[n] = 0;
    for (int v = 0; v < Nvectors; ++v) {
      x[n] += alpha[v] * X[n + v * offset];
      r[n] -= alpha[v] * AX[n + v * offset];
    }
  }
}
