// Sequential reference for mandelbrot.okl.

static int escape(float x, float y, float cx, float cy, int maxSteps) {
  for (int step = 0; step < maxSteps; ++step) {
    const float xx = x * x;
    const float yy = y * y;
    if (xx + yy > 4.0f) return step;
    y = 2.0f * x * y + cy;
    x = xx - yy + cx;
  }
  return maxSteps;
}

void mandelbrot(const int width, const int height, const int maxSteps, const float left,
                const float top, const float pixel, int *steps) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      steps[y * width + x] =
          escape(0.0f, 0.0f, left + pixel * (float)x, top + pixel * (float)y, maxSteps);
    }
  }
}

void juliaSet(const int width, const int height, const int maxSteps, const float left,
              const float top, const float pixel, int *steps) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      steps[y * width + x] =
          escape(left + pixel * (float)x, top + pixel * (float)y, -0.8f, 0.156f, maxSteps);
    }
  }
}
