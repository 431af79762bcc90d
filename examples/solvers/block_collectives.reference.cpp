// Sequential reference for block_collectives.okl.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#ifndef p_rows
#define p_rows 10
#endif

void normsByBlock(const dlong N, const dlong Nblocks, const dfloat *w, const dfloat *x,
                  dfloat *sums, dfloat *largest, dfloat *smallest, dlong *counts) {
  for (int b = 0; b < Nblocks; ++b) {
    sums[b] = largest[b] = counts[b] = 0;
    smallest[b] = 1e30;
  }
  for (int n = 0; n < N; ++n) {
    const int b = n / p_blockSize % Nblocks;
    sums[b] += w[n] * x[n] * x[n];
    largest[b] = std::max(largest[b], std::fabs(x[n]));
    smallest[b] = std::min(smallest[b], std::fabs(x[n]));
    counts[b] += std::fabs(x[n]) > 0.5;
  }
}

void convergenceVotes(const dlong N, const dfloat tolerance, const dfloat limit,
                      const dfloat *residuals, int *converged, int *diverged) {
  for (int n = 0; n < N; ++n) {
    const int b = n / p_blockSize;
    if (n % p_blockSize == 0) {
      converged[b] = 1;
      diverged[b] = 0;
    }
    if (residuals[n] > tolerance) converged[b] = 0;
    if (residuals[n] > limit) diverged[b] = 1;
  }
}

void rowStarts(const dlong Nrows, const dlong *lengths, dlong *starts) {
  starts[0] = 0;
  std::partial_sum(lengths, lengths + Nrows, starts + 1);
}

void compactActive(const dlong N, const dlong Nblocks, const dfloat threshold,
                   const dfloat *indicator, dlong *blockCounts, dlong *active, dlong *total) {
  std::fill(blockCounts, blockCounts + Nblocks, 0);
  total[0] = 0;
  for (int n = 0; n < N; ++n) {
    if (!(indicator[n] > threshold)) continue;
    ++blockCounts[n / p_blockSize];
    active[total[0]++] = n;
  }
}

void segmentHeads(const dlong N, const int *segment, int *head) {
  for (int n = 0; n < N; ++n) head[n] = n > 0 && segment[n] == segment[n - 1] ? head[n - 1] : n;
}

void solveDense(const dlong Nsystems, const dfloat *A, const dfloat *b, dfloat *x, int *pivots) {
  const int R = p_rows;
  for (int s = 0; s < Nsystems; ++s) {
    std::vector<dfloat> M(A + s * R * R, A + (s + 1) * R * R);
    std::vector<dfloat> y(b + s * R, b + (s + 1) * R);
    std::vector<int> open(R);
    std::iota(open.begin(), open.end(), 0);
    // Forward elimination with rows in place.
    for (int c = 0; c < R; ++c) {
      auto best = std::max_element(open.begin(), open.end(), [&](int p, int q) {
        return std::fabs(M[p * R + c]) < std::fabs(M[q * R + c]);
      });
      const int pivot = *best;
      open.erase(best);
      pivots[s * R + c] = pivot;
      for (int r : open) {
        const dfloat factor = M[r * R + c] / M[pivot * R + c];
        for (int m = c; m < R; ++m) M[r * R + m] -= factor * M[pivot * R + m];
        y[r] -= factor * y[pivot];
      }
    }
    for (int c = R - 1; c >= 0; --c) {
      const int row = pivots[s * R + c];
      dfloat sum = y[row];
      for (int m = c + 1; m < R; ++m) sum -= M[row * R + m] * x[s * R + m];
      x[s * R + c] = sum / M[row * R + c];
    }
  }
}
