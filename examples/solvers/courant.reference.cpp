// Sequential reference for courant.okl.

#include <algorithm>
#include <cmath>
#include <vector>

namespace {
const int N1 = p_Nq;
const int Np = N1 * N1 * N1;
}  // namespace

void courantHex3D(const dlong Nelements, const dfloat dt, const dlong offset, const dfloat *vgeo,
                  const dfloat *idH, const dfloat *U, dfloat *cfl) {
  for (dlong e = 0; e < Nelements; ++e) {
    cfl[e] = 0;
    for (int n = 0; n < Np; ++n) {
      const int at[3] = {n % N1, n / N1 % N1, n / N1 / N1};
      dfloat sum = 0;
      for (int d = 0; d < 3; ++d) {
        dfloat contravariant = 0;
        for (int x = 0; x < 3; ++x) {
          contravariant += vgeo[(e * 9 + 3 * d + x) * Np + n] * U[e * Np + n + x * offset];
        }
        sum += dt * std::fabs(contravariant) * idH[at[d]];
      }
      cfl[e] = std::max(cfl[e], sum);
    }
  }
}

void maximumWithPlace(const dlong N, const int Nblocks, const dfloat *x, dfloat *partValues,
                      dlong *partPlaces, dfloat *value, dlong *place) {
  for (int b = 0; b < Nblocks; ++b) {
    partValues[b] = -1e300;
    partPlaces[b] = N;
  }
  for (dlong n = 0; n < N; ++n) {
    const int b = n / p_blockSize % Nblocks;
    if (x[n] > partValues[b]) {
      partValues[b] = x[n];
      partPlaces[b] = n;
    }
  }
  const dfloat *best = std::max_element(x, x + N);
  *value = N > 0 ? *best : -1e300;
  *place = best - x;
}

void stableStepDG(const dlong Nelements, const int Nnodes, const dfloat gamma, const dfloat mu,
                  const dfloat order, const dfloat *hmin, const dfloat *q, dfloat *dt,
                  dfloat *blockMin) {
  for (dlong e = 0; e < Nelements; ++e) {
    const dfloat h = hmin[e] / std::pow(order + 1, 2);
    dfloat speed = 0, nu = 0;
    for (int n = 0; n < Nnodes; ++n) {
      const dfloat *state = q + e * Nnodes * 5 + n;
      dfloat squares = 0;
      for (int d = 1; d < 4; ++d) squares += std::pow(state[d * Nnodes] / state[0], 2);
      const dfloat p = (gamma - 1) * (state[4 * Nnodes] - state[0] * squares / 2);
      const dfloat c = std::sqrt(gamma * std::max(p, dfloat(1e-12)) / state[0]);
      speed = std::max(speed, std::sqrt(squares) + c);
      nu = std::max(nu, mu / state[0]);
    }
    dt[e] = h * h / (speed * h + nu);
    dfloat &least = blockMin[e / 4];
    least = e % 4 == 0 ? dt[e] : std::min(least, dt[e]);
  }
}

void courantHistogram(const dlong Nelements, const dfloat binWidth, const dfloat *cfl,
                      unsigned int *bins) {
  for (dlong e = 0; e < Nelements; ++e) {
    const int bin = std::floor(cfl[e] / binWidth);
    ++bins[std::min(std::max(bin, 0), 9)];
  }
}

void volumeStatistics(const dlong N, const int Nblocks, const dfloat *JW, const dfloat *a,
                      const dfloat *b, dfloat *statistics) {
  (void)Nblocks;
  for (dlong n = 0; n < N; ++n) {
    const dfloat terms[5] = {a[n], a[n] * a[n], a[n] * b[n], b[n] * b[n], 1};
    for (int s = 0; s < 5; ++s) statistics[s] += JW[n] * terms[s];
  }
}

void extrapolateVariableStep(const dlong N, const int order, const dfloat dt0, const dfloat dt1,
                             const dfloat dt2, const dlong offset, const dfloat *history,
                             dfloat *q) {
  // Newton's divided differences.
  for (dlong n = 0; n < N; ++n) {
    const dfloat *h = history + n;
    q[n] = h[0];
    if (order < 2) continue;
    const dfloat first = (h[0] - h[offset]) / dt1;
    q[n] += dt0 * first;
    if (order < 3) continue;
    const dfloat before = (h[offset] - h[2 * offset]) / dt2;
    q[n] += dt0 * (dt0 + dt1) * (first - before) / (dt1 + dt2);
  }
}

void updateAverages(const dlong N, const int Nfields, const dlong offset, const dfloat elapsed,
                    const dfloat dt, const dfloat *q, dfloat *mean, dfloat *variance) {
  if (elapsed + dt <= 0) return;
  for (int f = 0; f < Nfields; ++f) {
    for (dlong id = f * offset; id < f * offset + N; ++id) {
      const dfloat old = mean[id];
      const dfloat updated = (elapsed * old + dt * q[id]) / (elapsed + dt);
      // Second moments about the means, before and after.
      const dfloat moment = elapsed * (variance[id] + old * old) + dt * q[id] * q[id];
      variance[id] = moment / (elapsed + dt) - updated * updated;
      mean[id] = updated;
    }
  }
}
