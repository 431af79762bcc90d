#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__attribute__((reqd_work_group_size(32, 8, 1)))
__kernel void steps_same(const int n, const int most, const REAL left, const REAL top, const REAL pixel,
                         __global int *restrict image) {
  const int px = get_global_id(0), py = get_global_id(1);
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
