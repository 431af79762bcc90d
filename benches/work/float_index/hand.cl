__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void shortest_paths_same(const int side, const int node,
                                  __global const float *restrict distance,
                                  __global const float *restrict path,
                                  __global float *restrict shorter, __global float *restrict by) {
  const int x = get_global_id(0), y = get_group_id(1);
  if (x >= side) return;
  const float direct = distance[y * side + x];
  const float detour = distance[y * side + node] + distance[node * side + x];
  const bool better = detour < direct;
  shorter[y * side + x] = better ? detour : direct;
  by[y * side + x] = better ? node : path[y * side + x];
}

__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void product_same(const int square, __global const float *restrict a,
                           __global const float *restrict b, __global float *restrict c) {
  const int x = get_global_id(0), y = get_group_id(1);
  if (x >= square) return;
  float sum = 0;
  for (int k = 0; k < square; ++k) sum += a[y * square + k] * b[k * square + x];
  c[y * square + x] = sum;
}
