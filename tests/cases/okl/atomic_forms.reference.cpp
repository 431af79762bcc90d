#include <algorithm>
#include <cmath>

void written(const int n, int *a, unsigned int *u, double *d) {
  for (int k = 0; k < n; ++k) {
    a[0] = a[0] + k;
    a[1] = k + a[1];
    a[2] = a[2] - 3;
    a[3] ^= k;
    a[4]++;
    a[5] += 2;
    a[6] += k;
    a[7] |= 1 << (k % 16);
    u[0] = 5u - u[0];
    d[0] = d[0] * 1.0;
    d[1] = 1.0 / d[1];
    a[8] += k % 2 == 0 ? 1 : -1;
    a[9] /= 2;
    --a[10];
    a[11] = 6;
  }
}

void extremes(const int n, const int *v, int *i, unsigned int *u, long *l, unsigned long *m, float *f, double *d) {
  for (int k = 0; k < n; ++k) {
    i[0] = std::max(i[0], v[k]);
    i[1] = std::min(v[k], i[1]);
    i[2] = std::max(i[2], v[k]);
    i[3] = std::min(i[3], v[k]);
    i[4] = std::max(i[4], v[k]);
    i[5] = std::min(i[5], v[k]);
    u[0] = std::max(u[0], (unsigned int)v[k]);
    u[1] = std::min(u[1], (unsigned int)v[k]);
    l[0] = std::max(l[0], (long)v[k] * 1000000000l);
    l[1] = std::min(l[1], (long)v[k] * 1000000000l);
    m[0] = std::max((unsigned long)v[k] << 33, m[0]);
    f[0] = std::fmax(f[0], 0.5f * v[k]);
    f[1] = std::fmin(0.5f * v[k], f[1]);
    f[2] = std::max(f[2], 0.25f * v[k]);
    d[0] = std::fmax(d[0], 0.5 * v[k]);
    d[1] = std::fmin(d[1], 0.5 * v[k]);
    d[2] = d[2] > v[k] ? v[k] : d[2];
    d[3] = std::fmax(d[3], 0.5 * v[k]);
  }
}

void tickets(const int n, int *counters, int *drawn, long *sums, double *halves) {
  for (int k = 0; k < n; ++k) {
    for (int way = 0; way < 9; ++way) drawn[way * n + k] = 1;
    counters[0]++;
    ++counters[1];
    counters[2]--;
    --counters[3];
    counters[4] += 2;
    counters[5]++;
    counters[6]++;
    counters[7]++;
    counters[8]++;
    sums[0] += 3;
    sums[1] += sums[0];
    halves[0] += 0.5;
    halves[1] += halves[0];
  }
}

void exchanged(const int n, int *box, long *wide, float *real, double *sums) {
  for (int k = 0; k < n; ++k) {
    int old = box[0];
    box[0] = k + 1;
    sums[0] += old;
    long other = wide[0];
    wide[0] = 2 * k;
    sums[1] += other;
    float f = real[0];
    real[0] = 0.5f * k;
    sums[2] += f;
    box[2] = box[1];
    sums[3] += box[1];
    box[3] = 8;
    sums[4] += 8;
  }
  sums[0] += box[0];
  sums[1] += wide[0];
  sums[2] += real[0];
  box[0] = wide[0] = real[0] = 0;
}

void mixed(const int n, int *i, unsigned int *u, long *l, float *f, double *d) {
  for (int k = 0; k < n; ++k) {
    i[0] += 1.75;
    i[1] -= 0.5f;
    i[2] *= 1.0f;
    i[3] += 3u;
    i[4] += 4000000000l;
    i[5] = i[5] / 1.0;
    u[0] -= 1;
    u[1] += 2.5;
    l[0] += k;
    l[1] -= 2u;
    l[2] += 0.75;
    f[0] += 0.1;
    f[1] += 1;
    f[2] -= 2.5;
    f[3] += 16777217;
    d[0] += 1;
    d[1] -= 0.5f;
    d[2] += 4294967296l;
    i[6] = std::max((unsigned int)i[6], 4000000000u);
    u[2] = std::min(u[2], (unsigned int)-1);
  }
}

void narrow(const int n, char *c, unsigned char *b, short *s, unsigned short *t) {
  for (int k = 0; k < n; ++k) {
    c[0]++;
    c[1] -= 3;
    c[2] = std::max(c[2], (char)(k % 100));
    b[k % 3] += 1;
    b[3] |= 1 << (k % 8);
    s[k % 5] += k;
    s[5] = std::min(s[5], (short)-k);
    t[0] ^= k;
    t[1]--;
    t[2] = 9;
    unsigned short old = t[3]++;
    t[4] += old;
  }
}

struct Cell { int count; float sum; long total; };

void places(const int n, Cell *cells, int *m, int *plain, int *out) {
  for (int g = 0; g < n; ++g) {
    int bins[8] = {}, which[8];
    float sums[2] = {};
    for (int &w : which) w = -1;
    for (int i = 0; i < 16; ++i) {
      cells[i % 3].count += i;
      cells[i % 3].sum += 0.5f;
      cells[i % 3].total = std::max(cells[i % 3].total, (long)i);
      cells[3].count++;
      cells[4].total -= i;
      m[i % 3 + 4 * (i % 5)] += 1;
      m[4 * plain[i % 2]]++;
      m[3 + 4 * plain[0]] = std::max(m[3 + 4 * plain[0]], i);
      int old = bins[i % 8]++;
      which[i % 8] = std::max(which[i % 8], old);
      sums[i % 2] += 0.25;
    }
    for (int i = 0; i < 8; ++i) out[32 * g + i] = bins[i];
    for (int i = 0; i < 8; ++i) out[32 * g + 8 + i] = which[i];
    for (int i = 0; i < 2; ++i) out[32 * g + 16 + i] = (int)(100 * sums[i]);
    out[32 * g + 18] = 100 + 15 * 16 / 2 - 16;
  }
}

void evaluatedOnce(const int n, int *calls, float *f, int *i) {
  for (int k = 0; k < n; ++k) {
    calls[0] += 4;
    i[0] = std::max(i[0], 2);
    i[2] += 2;
  }
}
