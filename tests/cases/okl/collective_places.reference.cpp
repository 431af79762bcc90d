#include <algorithm>
#include <climits>
#include <numeric>
#include <vector>

void tiles(const int n, const int *x, int *upto, int *before, int *total) {
  for (int t = 0; t < n; t += 48) {
    const int end = std::min(t + 48, n);
    int sum = 0, least = INT_MAX, most = INT_MIN;
    for (int i = t; i < end; ++i) {
      before[i] = most;
      sum += x[i] + 1;
      upto[i] = sum;
      least = std::min(least, x[i] + 1);
      most = std::max(most, x[i] + 1);
    }
    for (int i = t; i < end; ++i) total[i] = sum - least * 2;
  }
}

void rounds(const int groups, const int n, const float *x, float *sums) {
  for (int g = 0; g < groups; ++g) {
    float most = 0;
    for (int r = 0; r < n; ++r) {
      const float *row = x + (g * n + r) * 40;
      most = std::max(most, std::accumulate(row, row + 40, 0.0f));
      for (int i = 0; i < 40; ++i) sums[(g * n + r) * 40 + i] = most + row[r];
    }
  }
}

void until_all_are_done(const int *x, int *steps) {
  for (int g = 0; g < 2; ++g) {
    int longest = 0;
    for (int i = 0; i < 37; ++i) {
      int own = 0;
      for (int value = x[g * 37 + i]; value > 1; ++own) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
      steps[g * 37 + i] = own * 1000;
      longest = std::max(longest, own);
    }
    for (int i = 0; i < 37; ++i) steps[g * 37 + i] += longest;
  }
}

void nested(const int *x, int *y) {
  for (int g = 0; g < 2; ++g) {
    const int *in = x + g * 65;
    int sum = 0, most = INT_MIN;
    for (int i = 0; i < 65; ++i) {
      sum += in[i];
      most = std::max(most, sum % 7 + i % 3);
    }
    const int least = *std::min_element(in, in + 65);
    for (int i = 0; i < 65; ++i) y[g * 65 + i] = most + in[least + 2];
  }
}

void plane(const int *x, int *upto, int *corner) {
  for (int g = 0; g < 2; ++g) {
    int sum = 0;
    for (int k = g * 35; k < g * 35 + 35; ++k) {
      sum += x[k];
      upto[k] = sum;
      corner[k] = x[g * 35 + 34] * 100 + x[g * 35 + 2];
    }
  }
}

void room(const int nx, const int ny, const int nz, const long *x, long *before, long *least) {
  const int n = nx * ny * nz;
  for (int g = 0; g < 2; ++g) {
    const long *in = x + g * n;
    for (int i = 0; i < n; ++i) {
      before[g * n + i] = std::accumulate(in, in + i, 0l);
      least[g * n + i] = *std::min_element(in, in + n) + in[n - 1];
    }
  }
}

void siblings(const int *x, int *a, int *b, int *c) {
  const int total = std::accumulate(x, x + 54, 0);
  const int last = std::accumulate(x, x + 19, 0);
  for (int g = 0; g < 2; ++g) {
    for (int i = 0; i < 54; ++i) a[g * 54 + i] = total;
    for (int i = 0; i < 20; ++i) b[g * 20 + i] = std::accumulate(x, x + i, 0) + 10000 * last + total;
    for (int i = 0; i < 9; ++i) c[g * 9 + i] = *std::max_element(x, x + i + 1) + last;
  }
}

void uniform_condition(const int n, const int *x, int *y) {
  for (int g = 0; g < 3; ++g)
    for (int i = 0; i < 50; ++i)
      y[g * 50 + i] = g < n ? std::accumulate(x, x + 50, 0) + std::accumulate(x, x + g, 0) : x[i];
}

void among_references(int *x, int *y) {
  for (int g = 0; g < 2; ++g) {
    const std::vector<int> old(x + g * 21, x + g * 21 + 21);
    const int sum = std::accumulate(old.begin(), old.end(), 0);
    int least = INT_MAX;
    for (int i = 0; i < 21; ++i) {
      x[g * 21 + i] = sum - old[i];
      y[g * 21 + i] = least < old[i];
      least = std::min(least, old[i]);
    }
  }
}

void split_by_bit(const int bits, const int *x, int *y) {
  for (int g = 0; g < 2; ++g) {
    std::copy(x + g * 90, x + g * 90 + 90, y + g * 90);
    const int mask = (1 << bits) - 1;
    std::stable_sort(y + g * 90, y + g * 90 + 90, [=](int a, int b) { return (a & mask) < (b & mask); });
  }
}
