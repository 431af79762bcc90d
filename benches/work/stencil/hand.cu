extern "C" __global__ __launch_bounds__(256) void
seven_points_same(const int n, const REAL weight, const REAL *__restrict__ u, REAL *__restrict__ next) {
  const int x = 1 + blockIdx.x * 64 + threadIdx.x;
  const int y = 1 + blockIdx.y * 4 + threadIdx.y;
  const int z = 1 + blockIdx.z;
  if (x >= n - 1 || y >= n - 1) return;
  const int i = (z * n + y) * n + x;
  const REAL around = u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - n * n] + u[i + n * n];
  next[i] = u[i] + weight * (around - 6 * u[i]);
}
