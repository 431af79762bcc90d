// Sequential reference for image_graph.okl.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <queue>
#include <vector>

typedef unsigned char uchar;

static int inside(int v, int n) { return std::clamp(v, 0, n - 1); }

void bilateral(const int nx, const int ny, const float sigmaPlace, const float sigmaValue,
               const uchar *in, uchar *out) {
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      float sum = 0, total = 0;
      for (int b = y - p_radius; b <= y + p_radius; ++b)
        for (int a = x - p_radius; a <= x + p_radius; ++a) {
          const int value = in[inside(b, ny) * nx + inside(a, nx)], d = value - in[y * nx + x];
          const int r = (a - x) * (a - x) + (b - y) * (b - y);
          const float w = std::exp(-0.5f * r / (sigmaPlace * sigmaPlace)) *
                          std::exp(-0.5f * d * d / (sigmaValue * sigmaValue));
          sum += w * value;
          total += w;
        }
      out[y * nx + x] = (uchar)std::floor(sum / total + 0.5f);
    }
}

void median3x3(const int nx, const int ny, const uchar *in, uchar *out) {
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      std::vector<uchar> v;
      for (int b = -1; b <= 1; ++b)
        for (int a = -1; a <= 1; ++a) v.push_back(in[inside(y + b, ny) * nx + inside(x + a, nx)]);
      std::sort(v.begin(), v.end());
      out[y * nx + x] = v[4];
    }
}

void ridges(const int nx, const int ny, const int weak, const int strong, const uchar *in,
            int *strength, uchar *way, uchar *edge) {
  static const int kernel[3] = {1, 2, 1};
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      int gx = 0, gy = 0;
      for (int k = -1; k <= 1; ++k)
        for (int s = -1; s <= 1; s += 2) {
          gx += s * kernel[k + 1] * in[inside(y + k, ny) * nx + inside(x + s, nx)];
          gy += s * kernel[k + 1] * in[inside(y + s, ny) * nx + inside(x + k, nx)];
        }
      const int ax = std::abs(gx), ay = std::abs(gy);
      strength[y * nx + x] = ax + ay;
      way[y * nx + x] = 5 * ay < 2 * ax ? 0 : 5 * ax < 2 * ay ? 2 : (gx < 0) == (gy < 0) ? 1 : 3;
    }
  static const int dx[4] = {1, 1, 0, 1}, dy[4] = {0, 1, 1, -1};
  for (int i = 0; i < nx * ny; ++i) {
    bool most = true;
    for (int s = -1; s <= 1; s += 2) {
      const int x = i % nx + s * dx[way[i]], y = i / nx + s * dy[way[i]];
      if (x >= 0 && y >= 0 && x < nx && y < ny && strength[y * nx + x] > strength[i]) most = false;
    }
    edge[i] = !most ? 0 : strength[i] >= strong ? 2 : strength[i] >= weak ? 1 : 0;
  }
}

void otsu(const int n, const uchar *in, int *histogram, int *threshold) {
  for (int i = 0; i < n; ++i) histogram[in[i]]++;
  double best = -1;
  threshold[0] = 255;
  for (int b = 0; b < 256; ++b) {
    double count[2] = {0, 0}, sum[2] = {0, 0};
    for (int k = 0; k < 256; ++k) {
      count[k > b] += histogram[k];
      sum[k > b] += (double)histogram[k] * k;
    }
    if (count[0] == 0 || count[1] == 0) continue;
    const double d = sum[0] / count[0] - sum[1] / count[1], v = count[0] * count[1] * d * d;
    if (v > best) best = v, threshold[0] = b;
  }
}

void integralImage(const int nx, const int ny, const uchar *in, unsigned int *sum) {
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x)
      sum[y * nx + x] = in[y * nx + x] + (x ? sum[y * nx + x - 1] : 0) +
                        (y ? sum[(y - 1) * nx + x] : 0) - (x && y ? sum[(y - 1) * nx + x - 1] : 0);
}

static void neighbours(int i, int nx, int ny, int out[4]) {
  const int x = i % nx, y = i / nx;
  out[0] = x > 0 ? i - 1 : i;
  out[1] = x < nx - 1 ? i + 1 : i;
  out[2] = y > 0 ? i - nx : i;
  out[3] = y < ny - 1 ? i + nx : i;
}

void labelRounds(const int nx, const int ny, const int rounds, const uchar *set, int *label,
                 int *other, int *changed) {
  const int n = nx * ny;
  std::vector<int> l(n);
  for (int i = 0; i < n; ++i) l[i] = set[i] ? i : -1;
  for (int r = 0; r <= rounds; ++r) {
    // Even rounds end in one buffer, odd ones in the other.
    for (int i = 0; i < n; ++i) (r % 2 ? other : label)[i] = l[i];
    if (r == rounds) break;
    const std::vector<int> old = l;
    for (int i = 0; i < n; ++i) {
      int around[4];
      neighbours(i, nx, ny, around);
      for (int j : around)
        if (old[i] >= 0 && old[j] >= 0 && old[j] < l[i]) l[i] = old[j], changed[r] = 1;
    }
  }
  for (int i = 0; i < n; ++i) label[i] = l[i];
}

void labelTrees(const int nx, const int ny, const int, const uchar *set, int *parent) {
  const int n = nx * ny;
  for (int i = 0; i < n; ++i) parent[i] = -1;
  for (int seed = 0; seed < n; ++seed) {
    if (!set[seed] || parent[seed] >= 0) continue;
    std::vector<int> stack{seed};
    parent[seed] = seed;
    while (!stack.empty()) {
      int around[4];
      neighbours(stack.back(), nx, ny, around);
      stack.pop_back();
      for (int j : around)
        if (set[j] && parent[j] < 0) parent[j] = seed, stack.push_back(j);
    }
  }
}

void breadthFirst(const int n, const int source, const int levels, const int *start,
                  const int *target, int *depth, int *parent, int *visits, int *queue, int *sizes) {
  for (int v = 0; v < n; ++v) depth[v] = -1, parent[v] = n, visits[v] = 0, queue[v] = queue[n + v] = -1;
  for (int l = 0; l <= levels && l < n; ++l) sizes[l] = 0;
  depth[source] = 0;
  parent[source] = source;
  visits[source] = 1;
  std::queue<int> todo;
  todo.push(source);
  while (!todo.empty()) {
    const int v = todo.front();
    todo.pop();
    sizes[depth[v]]++;
    for (int e = start[v]; e < start[v + 1]; ++e) {
      const int w = target[e];
      if (depth[v] < levels) {
        visits[w]++;
        if (depth[w] < 0) depth[w] = depth[v] + 1, todo.push(w);
      }
      if (depth[w] == depth[v] + 1) parent[w] = std::min(parent[w], v);
    }
  }
}

void relaxEdges(const int n, const int edges, const int source, const int rounds, const int *from,
                const int *to, const double *length, double *distance) {
  for (int v = 0; v < n; ++v) distance[v] = v == source ? 0 : 1e30;
  for (int r = 0; r < rounds; ++r)
    for (int e = 0; e < edges; ++e)
      if (distance[from[e]] < 1e30)
        distance[to[e]] = std::min(distance[to[e]], distance[from[e]] + length[e]);
}

void floydWarshall(const int n, int *distance, int *via) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (distance[i * n + k] + distance[k * n + j] < distance[i * n + j]) {
          distance[i * n + j] = distance[i * n + k] + distance[k * n + j];
          via[i * n + j] = k;
        }
}

void floydWarshallBlocks(const int n, int *distance) {
  std::vector<int> via(n * n);
  floydWarshall(n, distance, via.data());
}

void rankStep(const int n, const double damping, const int *start, const int *target,
              const double *rank, double *next, double *lost) {
  lost[0] = 0;
  for (int v = 0; v < n; ++v)
    if (start[v] == start[v + 1]) lost[0] += rank[v];
  for (int v = 0; v < n; ++v) next[v] = (1 - damping) / n + damping * lost[0] / n;
  for (int v = 0; v < n; ++v)
    for (int e = start[v]; e < start[v + 1]; ++e)
      next[target[e]] += damping * rank[v] / (start[v + 1] - start[v]);
}
