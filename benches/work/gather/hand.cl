__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void inside_same(const int side, __global const float *restrict image,
                          __global float *restrict blurred) {
  const int x = get_global_id(0);
  if (x >= side) return;
  const int i = (int) get_group_id(1) * side + x;
  blurred[i] = image[i];
}

__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void clamped_index_same(const int n, __global const int *restrict where,
                                 __global const float *restrict data, __global float *restrict out) {
  const int i = get_global_id(0);
  if (i < n) out[i] = data[where[i]];
}

__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void clamped_mirror_same(const int n, __global const float *restrict data,
                                  __global float *restrict out) {
  const int i = get_global_id(0);
  if (i < n) out[i] = data[n - 1 - i];
}

__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void border_same(const int side, __global const float *restrict image,
                          __global float *restrict blurred) {
  const int x = get_global_id(0), y = (int) get_group_id(1);
  if (x >= side) return;
  __global const float *row = image + (long) y * side;
  __global const float *above = image + (long) max(y - 1, 0) * side;
  __global const float *below = image + (long) min(y + 1, side - 1) * side;
  blurred[(long) y * side + x] =
      0.2f * (row[x] + row[max(x - 1, 0)] + row[min(x + 1, side - 1)] + above[x] + below[x]);
}

__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void bounded_same(const int edge, __global const float *restrict volume, __global float *restrict next) {
  const int x = get_global_id(0), y = (int) get_group_id(1), z = (int) get_group_id(2);
  if (x >= edge) return;
  const int left = x > 0 ? x - 1 : 0, right = x < edge - 1 ? x + 1 : edge - 1;
  const int front = y > 0 ? y - 1 : 0, back = y < edge - 1 ? y + 1 : edge - 1;
  const int below = z > 0 ? z - 1 : 0, above = z < edge - 1 ? z + 1 : edge - 1;
  const int row = (z * edge + y) * edge;
  next[row + x] = 0.4f * volume[row + x] +
                  0.1f * (volume[row + left] + volume[row + right] + volume[(z * edge + front) * edge + x] +
                          volume[(z * edge + back) * edge + x] + volume[(below * edge + y) * edge + x] +
                          volume[(above * edge + y) * edge + x]);
}
