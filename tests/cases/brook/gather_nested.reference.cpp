void sparse(Stream<float> values, Stream<int> columns, Stream<int> starts, Stream<float> x, Stream<float> y) {
  for (unsigned row = 0; row < y.size(); ++row) {
    y[row] = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) y[row] += values[k] * x[columns[k]];
  }
}

void chain(Stream<int> next, int steps, Stream<int> o) {
  for (unsigned i = 0; i < o.size(); ++i) {
    o[i] = i;
    for (int s = 0; s < 2 * steps; ++s) o[i] = next[o[i]];
  }
}

void floats(Stream<float> a, Stream<float> order, Stream<float> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k) {
    unsigned next = unsigned(order[unsigned(i[k])]) + 1;
    o[k] = a[unsigned(order[next > 5 ? 5 : next])];
  }
}
