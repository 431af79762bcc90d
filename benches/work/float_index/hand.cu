extern "C" __global__ __launch_bounds__(256) void
shortest_paths_same(const int side, const int node, const float *__restrict__ distance,
                    const float *__restrict__ path, float *__restrict__ shorter,
                    float *__restrict__ by) {
  const int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  if (x >= side) return;
  const float direct = distance[y * side + x];
  const float detour = distance[y * side + node] + distance[node * side + x];
  const bool better = detour < direct;
  shorter[y * side + x] = better ? detour : direct;
  by[y * side + x] = better ? node : path[y * side + x];
}

extern "C" __global__ __launch_bounds__(256) void
product_same(const int square, const float *__restrict__ a, const float *__restrict__ b,
             float *__restrict__ c) {
  const int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  if (x >= square) return;
  float sum = 0;
  for (int k = 0; k < square; ++k) sum += a[y * square + k] * b[k * square + x];
  c[y * square + x] = sum;
}
