extern "C" __global__ __launch_bounds__(256) void
steps_same(const int n, const int most, const REAL left, const REAL top, const REAL pixel,
           int *__restrict__ image) {
  const int px = blockIdx.x * 32 + threadIdx.x, py = blockIdx.y * 8 + threadIdx.y;
  if (px >= n || py >= n) return;
  const REAL cx = left + pixel * px, cy = top + pixel * py;
  REAL x = 0, y = 0;
  int step = 0;
  while (step < most) {
    const REAL xx = x * x, yy = y * y;
    if (xx + yy > 4) break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
    ++step;
  }
  image[py * n + px] = step;
}
