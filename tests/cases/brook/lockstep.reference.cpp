void collatz(Stream<int> from, int most, Stream<int> steps, Stream<int> last) {
  for (unsigned i = 0; i < steps.size(); ++i) {
    int v = from[i], step = 0;
    for (; v != 1 && step < most; ++step) v = v % 2 ? int(3u * unsigned(v) + 1u) : v >> 1;
    steps[i] = step;
    last[i] = v;
  }
}

void halvings(Stream<float> x, Stream<float> table, int rounds, Stream<float> halved, Stream<double> sum) {
  for (unsigned i = 0; i < halved.size(); ++i) {
    const unsigned column = i % 37, row = i / 37;
    float value = x[i];
    double all = column;
    int k = 0;
    for (; k < rounds && value > table[row]; ++k) {
      if (k == 2) {
        all += 0.25;
      } else {
        value /= 2;
        all += k > 3 || value > 8 ? 2 : -1;
      }
    }
    halved[i] = value + table[row + 1] + k;
    sum[i] = all;
  }
}

void returns(Stream<double> of, Stream<unsigned> seed, Stream<double> kept, Stream<unsigned> mixed) {
  for (unsigned i = 0; i < mixed.size(); ++i) {
    double sum = 0.5;
    unsigned state = seed[i];
    mixed[i] = 7;
    if (seed[i] == 5) {
      kept[i] = 1;
      continue;
    }
    for (int round = 1;; ++round) {
      state = state * 1664525u + 1013904223u;
      if (round % 2) {
        sum += of[i];
      } else if (sum > 40) {
        break;
      } else {
        sum += 1.5;
      }
      if (state % 8 == 3) {
        kept[i] = sum;
        break;
      }
    }
  }
}

void apart(Stream<int> from, Stream<int> next, Stream<int> length, Stream<int> divided) {
  for (unsigned i = 0; i < length.size(); ++i) {
    length[i] = 0;
    for (int at = from[i]; at >= 0 && length[i] < 50; at = next[at]) ++length[i];
    int v = from[i] + 1000, by = 17 - from[i];
    for (; by > 0; --by) {
      v /= by;
      if (v < 3) break;
    }
    divided[i] = v * 100 + by;
  }
}
