#include <algorithm>

void blur(Stream<uchar4> image, Stream<float> weights, Stream<uchar4> o) {
  int width = int(o.extents[0]), height = int(o.extents[1]);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int k = 0; k < 4; ++k) {
        float sum = 0;
        for (int n = 0; n < 9; ++n) {
          int i = std::clamp(x + n % 3 - 1, 0, width - 1), j = std::clamp(y + n / 3 - 1, 0, height - 1);
          sum += (&image.at(i, j).x)[k] * weights[n];
        }
        (&o.at(x, y).x)[k] = uchar(int(sum + 0.5f));
      }
}
