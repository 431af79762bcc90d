static void shortest_paths(const int side, const int node, const float *__restrict__ distance,
                           const float *__restrict__ path, float *__restrict__ shorter,
                           float *__restrict__ by) {
#pragma omp parallel for
  for (long y = 0; y < side; ++y) {
    for (long x = 0; x < side; ++x) {
      const float direct = distance[y * side + x];
      const float detour = distance[y * side + node] + distance[(long) node * side + x];
      if (detour < direct) {
        shorter[y * side + x] = detour;
        by[y * side + x] = node;
      } else {
        shorter[y * side + x] = direct;
        by[y * side + x] = path[y * side + x];
      }
    }
  }
}

static void product(const int square, const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c) {
#pragma omp parallel for
  for (long y = 0; y < square; ++y) {
    for (long x = 0; x < square; ++x) {
      float sum = 0;
      for (long k = 0; k < square; ++k) sum += a[y * square + k] * b[k * square + x];
      c[y * square + x] = sum;
    }
  }
}

LAUNCHER(shortest_paths_same, shortest_paths)
LAUNCHER(product_same, product)
