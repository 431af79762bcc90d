extern "C" __global__ __launch_bounds__(256) void
inside_same(const int side, const float *__restrict__ image, float *__restrict__ blurred) {
  const int x = blockIdx.x * 256 + threadIdx.x;
  if (x >= side) return;
  const int i = blockIdx.y * side + x;
  blurred[i] = image[i];
}

extern "C" __global__ __launch_bounds__(256) void
clamped_index_same(const int n, const int *__restrict__ where, const float *__restrict__ data,
                   float *__restrict__ out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = data[where[i]];
}

extern "C" __global__ __launch_bounds__(256) void
clamped_mirror_same(const int n, const float *__restrict__ data, float *__restrict__ out) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = data[n - 1 - i];
}

extern "C" __global__ __launch_bounds__(256) void
border_same(const int side, const float *__restrict__ image, float *__restrict__ blurred) {
  const int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  if (x >= side) return;
  const float *row = image + (long) y * side;
  const float *above = image + (long) max(y - 1, 0) * side;
  const float *below = image + (long) min(y + 1, side - 1) * side;
  blurred[(long) y * side + x] =
      0.2f * (row[x] + row[max(x - 1, 0)] + row[min(x + 1, side - 1)] + above[x] + below[x]);
}

extern "C" __global__ __launch_bounds__(256) void
bounded_same(const int edge, const float *__restrict__ volume, float *__restrict__ next) {
  const int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
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
