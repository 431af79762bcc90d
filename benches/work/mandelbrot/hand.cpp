// Rows take different times, so they are shared out as threads become free; sixteen points at a time go on
// together until the last of them has left.
static void steps(const int n, const int most, const REAL left, const REAL top, const REAL pixel,
                  int *__restrict__ image) {
  constexpr int lanes = 64 / sizeof(REAL);
#pragma omp parallel for schedule(dynamic, 4)
  for (int py = 0; py < n; ++py) {
    const REAL cy = top + pixel * py;
    for (int first = 0; first < n; first += lanes) {
      REAL cx[lanes], x[lanes] = {}, y[lanes] = {};
      int steps[lanes] = {};
      for (int i = 0; i < lanes; ++i) cx[i] = left + pixel * (first + i);
      int going = lanes;
      for (int step = 0; step < most && going > 0; ++step) {
        going = 0;
#pragma omp simd reduction(+ : going)
        for (int i = 0; i < lanes; ++i) {
          const REAL xx = x[i] * x[i], yy = y[i] * y[i];
          // Once it has left, a point stays where it is.
          const bool goes = xx + yy <= 4;
          const REAL next_y = 2 * x[i] * y[i] + cy, next_x = xx - yy + cx[i];
          x[i] = goes ? next_x : x[i];
          y[i] = goes ? next_y : y[i];
          steps[i] += goes;
          going += goes;
        }
      }
      for (int i = 0; i < lanes && first + i < n; ++i) image[(long) py * n + first + i] = steps[i];
    }
  }
}

// The same with twice as many points at a time, so that one vector's results come while others are computed, and with
// a mask of those that are still there.
static void masked(const int n, const int most, const REAL left, const REAL top, const REAL pixel,
                   int *__restrict__ image) {
  constexpr int lanes = 128 / sizeof(REAL);
#pragma omp parallel for schedule(dynamic, 4)
  for (int py = 0; py < n; ++py) {
    const REAL cy = top + pixel * py;
    for (int first = 0; first < n; first += lanes) {
      REAL cx[lanes], x[lanes] = {}, y[lanes] = {};
      int steps[lanes] = {}, there[lanes];
      for (int i = 0; i < lanes; ++i) cx[i] = left + pixel * (first + i), there[i] = first + i < n;
      int going = 1;
      for (int step = 0; step < most && going; ++step) {
        going = 0;
#pragma omp simd reduction(| : going)
        for (int i = 0; i < lanes; ++i) {
          const REAL xx = x[i] * x[i], yy = y[i] * y[i];
          const bool goes = (there[i] != 0) & (xx + yy <= 4);
          const REAL next_y = 2 * x[i] * y[i] + cy, next_x = xx - yy + cx[i];
          x[i] = goes ? next_x : x[i];
          y[i] = goes ? next_y : y[i];
          steps[i] += goes;
          there[i] = goes;
          going |= goes;
        }
      }
      for (int i = 0; i < lanes && first + i < n; ++i) image[(long) py * n + first + i] = steps[i];
    }
  }
}

LAUNCHER(steps_same, steps)
LAUNCHER(steps_masked, masked)
