void own(const int n, const int most, const float low, const float *x, int *steps, float *rest, int *places) {
  for (int i = 0; i < (n + 19) / 20 * 20; ++i) {
    float value = x[i];
    int step = 0, place = 0;
    for (; step < most && value > low; ++step) {
      value /= 2;
      place += step % 2 * i;
    }
    steps[i] = step;
    rest[i] = value + x[i];
    places[i] = place;
  }
}

void two(const int n, const int *from, int *out, double *halves) {
  for (int i = 0; i < n; ++i) {
    int v = from[i], seen = 0;
    for (int k = 0; k < 500 && v > 1; ++k) {
      if (v % 2) {
        v = 3 * v + 1;
      } else {
        v /= 2;
        seen += k;
      }
    }
    out[i] = v + seen;
    double h = from[i] + (v > 1 ? 0.5 : 0.25);
    int k = 0;
    while (h > 1 || k < 2) {
      h = k % 2 ? h / 2 : h - 0.25;
      ++k;
    }
    halves[i] = h + k - 1 + i % 5;
  }
}

void kept(const int n, const int most, const int *in, const int *next, int *chains, int *divided, int *nested,
          int *uniform) {
  for (int i = 0; i < n; ++i) {
    chains[i] = 0;
    for (int at = i; at >= 0 && chains[i] < 50; at = next[at]) ++chains[i];
    int v = in[i] + 1000, d = 17 - in[i] % 17;
    for (; d > 0; --d) {
      v /= d;
      if (v < 3) break;
    }
    divided[i] = v * 100 + d;
    nested[i] = 0;
    for (int k = in[i] % 9; k > 0; --k) nested[i] += k * (k - 1) / 2;
    int sum = 0;
    for (int r = 0; r < most; ++r) sum = 3 * sum + i;
    uniform[i] = sum;
  }
}

void beyond(const int n, const int *in, int *product, long *wide, float *quotient) {
  for (int i = 0; i < n; ++i) {
    int p = in[i] + 2;
    long w = 1;
    float q = in[i];
    while (p < 40000) {
      p *= p;
      w = -w * 1000003 - p;
      q = 1 / (q - 3);
    }
    product[i] = p;
    wide[i] = w;
    quotient[i] = q > 0;
  }
}

void checked(const int n, const float *x, float *halves) {
  for (int i = 0; i < n; ++i) {
    halves[i] = x[i];
    while (halves[i] > 3) halves[i] /= 2;
  }
}

static int digits(unsigned of) {
  int count = 1;
  for (; of > 9; of /= 10) ++count;
  return count;
}

void guarded(const int n, const unsigned int *in, int *single, int *both, float *halves) {
  for (int i = 0; i < n; ++i) {
    single[i] = digits(in[i]);
    if (in[i] == 77) continue;
    both[i] = digits(in[i] + 5) * 100 + 2 * i;
    halves[i] = in[i];
    while (halves[i] > 3) halves[i] /= 2;
  }
}
