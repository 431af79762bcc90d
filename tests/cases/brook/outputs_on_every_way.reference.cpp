void both(Stream<int> a, Stream<int> o, Stream<float> p, Stream<int> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const int x = a[i];
    o[i] = x % 3 == 0 ? x : -x;
    p[i] = x % 3 != 0 ? (float)-x : x > 4 ? 1.5f : x > 2 ? 2.5f : 3.5f;
    if (x % 3 == 0 && x <= 2) q[i] = x - 1;
  }
}

void leaves(Stream<int> a, Stream<int> o, Stream<int> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const int x = a[i];
    o[i] = x < 3 ? 1 : x < 5 ? 2 : 3;
    if (x >= 3) p[i] = x < 5 ? 7 : 3 + x;
  }
}

void looks(Stream<int> a, Stream<int> o, Stream<int> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    if (a[i] < 3) {
      o[i] = 1;
      p[i] = p[i] + 1;
    } else {
      p[i] = o[i] + 2;
      o[i] = 2;
    }
  }
}

void loops(Stream<int> a, Stream<int> o, Stream<int> p, Stream<int> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const int x = a[i];
    if (x > 0) {
      o[i] = x > 5 ? 5 : x - 1;
      q[i] = x > 5 ? 4 : x - 1;
    }
    p[i] = x > 6 ? x : -x;
  }
}

void calls(Stream<int> a, Stream<int> o, Stream<int> p, Stream<int> q) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const int x = a[i];
    o[i] = x + 1;
    if (x > 2) p[i] = x + 1;
    q[i] = x > 5 ? x + 1 : x + 2;
  }
}
