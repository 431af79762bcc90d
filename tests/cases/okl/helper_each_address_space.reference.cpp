#include <algorithm>
void medians(const int n, const float *in, float *out) {
  for (int g = 0; g < n; ++g, in += 8)
    for (int i = 0; i < 8; ++i) {
      float w[3] = {in[i], in[(i + 1) % 8], in[(i + 2) % 8]}, sum = 0;
      for (int k = 0; k < 8; ++k) sum += in[k];
      std::sort(w, w + 3);
      *out++ = w[1] + sum;
    }
}
