static unsigned place(unsigned i, unsigned m, unsigned n) { return (unsigned long long)i * m / n; }

void copy(Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = a[place(i, a.size(), o.size())];
}

void both(Stream<int> a, Stream<int> b, Stream<int> c, Stream<int> o) {
  unsigned n = o.size();
  for (unsigned i = 0; i < n; ++i)
    o[i] = a[place(i, a.size(), n)] * 1000000 + b[place(i, b.size(), n)] * 1000 + c[place(i, c.size(), n)];
}
