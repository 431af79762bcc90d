#include <vector>

static const int block_size = 16, each = 4;

void turn(const int n, const int *x, int *y) {
  for (int row = 0; row < n; row += block_size) {
    for (int j = 0; j < block_size; ++j) {
      for (int i = 0; i < block_size; ++i) y[(row + j) * block_size + i] = x[(row + i) * block_size + j];
    }
  }
}

void spread(const int n, const int *x, int *y, int *last) {
  for (int i = 0; i < n; ++i) {
    last[i] = x[i] * each - 1;
    for (int k = 0; k < each && x[i] * (k + 1) <= 40; ++k) y[i * each + k] = x[i] * (k + 1);
  }
}

void arrays(const int n, const int *x, int *y) {
  for (int item = 0; item < n; ++item) {
    int squares = 0;
    for (int i = 0; i < each; ++i) squares += (x[item] + i) * (x[item] + i);
    y[3 * item] = squares;

    std::vector<int> own(each);
    int total = 0;
    for (int i = 0; i < each; ++i) {
      own[i] = x[item] * i;
      total += own[i & x[item]];
      own[i] += total;
    }
    y[3 * item + 1] = total + own[item % block_size % each];
    y[3 * item + 2] = each * x[item] - 6;
  }
}

void counts(const int n, const int *x, int *y, int *total) {
  for (int i = 0; i < n / block_size * 8; ++i) y[i] = 0;
  for (int i = 0; i < n; ++i) {
    int *own = y + i / block_size * 8;
    own[(x[i] & 1) * 4 + x[i] / 2 % 4] += x[i];
    own[7] += 1;
    total[x[i] % 4] += 1;
  }
}
