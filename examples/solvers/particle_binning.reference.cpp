// Sequential reference for particle_binning.okl.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

struct Grid {
  int nx, ny, nz;
  float width;
  float origin[3];
};

static int bin(float v, float low, float high) {
  const int b = (int)std::floor((v - low) * (p_bins / (high - low)));
  return b < 0 ? p_bins : b >= p_bins ? p_bins + 1 : b;
}

void histogramGlobal(const int n, const float low, const float high, const float *value,
                     unsigned int *bins) {
  for (int i = 0; i < n; ++i) bins[bin(value[i], low, high)]++;
}
void histogramShared(const int n, const int, const float low, const float high, const float *value,
                     unsigned int *bins) {
  for (int i = 0; i < n; ++i) bins[bin(value[i], low, high)]++;
}

void massProfile(const int n, const float width, const float *radius, const double *mass,
                 double *total, float *smallest, float *largest) {
  for (int b = 0; b < p_bins; ++b)
    for (int i = 0; i < n; ++i) {
      if ((int)(radius[i] / width) != b) continue;
      total[b] += mass[i];
      smallest[b] = std::min(smallest[b], radius[i]);
      largest[b] = std::max(largest[b], radius[i]);
    }
}

void exclusiveScan(const int n, const int *in, int *out, int *blockSum) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i % (2 * p_B) == 0) blockSum[i / (2 * p_B)] = sum;
    out[i] = sum;
    sum += in[i];
  }
  if (n <= 2 * p_B && n > 0) blockSum[0] = sum;
}

void radixSort(const int n, const int passes, unsigned int *key, int *payload, unsigned int *otherKey,
               int *otherPayload, int *count) {
  const int blocks = (n + p_B - 1) / p_B, total = (passes + 1) / 2 * 2;
  for (int pass = 0; pass < total; ++pass) {
    const bool forth = pass % 2 == 0;
    unsigned int *from = forth ? key : otherKey, *to = forth ? otherKey : key;
    int *pfrom = forth ? payload : otherPayload, *pto = forth ? otherPayload : payload;
    auto digit = [&](int i) { return (from[i] >> (4 * pass)) % 16; };
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return digit(a) < digit(b); });
    for (int i = 0; i < n; ++i) to[i] = from[order[i]], pto[i] = pfrom[order[i]];
    // Where the pairs of a digit and a block begin.
    for (int d = 0; d < 16; ++d)
      for (int b = 0; b < blocks; ++b) {
        int before = 0;
        for (int i = 0; i < n; ++i)
          before += (int)digit(i) < d || ((int)digit(i) == d && i / p_B < b);
        count[d * blocks + b] = before;
      }
  }
}

static int cellAt(const Grid &g, const float *p) {
  int c[3];
  const int n[3] = {g.nx, g.ny, g.nz};
  for (int d = 0; d < 3; ++d) c[d] = ((int)std::floor((p[d] - g.origin[d]) / g.width) + n[d]) % n[d];
  return (c[2] * g.ny + c[1]) * g.nx + c[0];
}

void buildCellLists(const int n, const Grid grid, const float *position, int *cell, int *start,
                    int *fill, int *list) {
  const int cells = grid.nx * grid.ny * grid.nz;
  int at = 0;
  for (int i = 0; i < n; ++i) cell[i] = cellAt(grid, position + 3 * i);
  for (int c = 0; c < cells; ++c) {
    start[c] = at;
    for (int i = 0; i < n; ++i)
      if (cell[i] == c) list[at++] = i;
    fill[c] = at;
  }
  start[cells] = at;
}

// The offset from a to b, to the nearest image.
static void offset(const Grid &g, const float *a, const float *b, float d[3]) {
  const int n[3] = {g.nx, g.ny, g.nz};
  for (int c = 0; c < 3; ++c) {
    d[c] = b[c] - a[c];
    const float length = n[c] * g.width;
    d[c] += d[c] > 0.5f * length ? -length : d[c] < -0.5f * length ? length : 0.0f;
  }
}

void neighbourLists(const int n, const Grid grid, const float cutoff, const int most,
                    const float *position, const int *cell, const int *start, const int *list,
                    int *neighbours, int *found, int *overflow) {
  for (int i = 0; i < n; ++i) {
    int count = 0;
    const int cx = cell[i] % grid.nx, cy = cell[i] / grid.nx % grid.ny, cz = cell[i] / grid.nx / grid.ny;
    for (int z = cz + grid.nz - 1; z <= cz + grid.nz + 1; ++z)
      for (int y = cy + grid.ny - 1; y <= cy + grid.ny + 1; ++y)
        for (int x = cx + grid.nx - 1; x <= cx + grid.nx + 1; ++x) {
          const int c = (z % grid.nz * grid.ny + y % grid.ny) * grid.nx + x % grid.nx;
          for (int e = start[c]; e < start[c + 1]; ++e) {
            float d[3];
            offset(grid, position + 3 * i, position + 3 * list[e], d);
            if (list[e] != i && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < cutoff * cutoff) {
              if (count < most) neighbours[i * most + count] = list[e];
              ++count;
            }
          }
        }
    found[i] = std::min(count, most);
    if (count > most) overflow[0] |= 1;
  }
}

void repulsion(const int n, const Grid grid, const float cutoff, const float stiffness,
               const float *position, const int *, const int *, float *force) {
  for (int i = 0; i < n; ++i) {
    double f[3] = {0, 0, 0};
    for (int j = 0; j < n; ++j) {
      float d[3];
      offset(grid, position + 3 * j, position + 3 * i, d);
      const double r = std::sqrt((double)d[0] * d[0] + (double)d[1] * d[1] + (double)d[2] * d[2]);
      if (j != i && r < cutoff && r > 0)
        for (int c = 0; c < 3; ++c) f[c] += stiffness * (cutoff - r) / r * d[c];
    }
    for (int c = 0; c < 3; ++c) force[3 * i + c] = (float)f[c];
  }
}
