static int negative(int v) { return v == -32768 ? -32768 : -v; }
static int absolute(int v) { return v < 0 ? negative(v) : v; }
static int below(int v) { return v == 0 ? 0 : 65536 - v; }

void scalars(Stream<short> b, Stream<int4> o, Stream<int4> p) {
  for (unsigned i = 0; i < b.size(); ++i) {
    const int v = b[i], n = negative(v);
    const int half = n >= 0 ? n / 2 : -((1 - n) / 2);
    o[i] = {half, absolute(v), n, n};
    p[i] = {n, n, n >= 5 ? 1 : 0, n};
  }
}

void vectors(Stream<short3> b, Stream<int3> o, Stream<int3> p, Stream<int3> q) {
  for (unsigned i = 0; i < b.size(); ++i) {
    const short3 all = b[i];
    const int v[3] = {all.x, all.y, all.z};
    int first[3], second[3], third[3];
    for (int k = 0; k < 3; ++k) {
      const int n = negative(v[k]);
      first[k] = n;
      second[k] = absolute(v[k]) > 0 ? 1 : 0;
      third[k] = (n >= v[k] ? 3 : 0) + v[k] * 4;
    }
    o[i] = {first[0], first[1], first[2]};
    p[i] = {second[0], second[1], second[2]};
    q[i] = {third[0], third[1], third[2]};
  }
}

static int wrapped(long long v) { return (int)(((v + 32768) % 65536 + 65536) % 65536) - 32768; }

void nested(Stream<short3> b, Stream<short3> c, Stream<int3> o, Stream<int3> p, Stream<int3> q) {
  for (unsigned i = 0; i < b.size(); ++i) {
    const short3 all = b[i], others = c[i];
    const long long v[3] = {all.x, all.y, all.z}, u[3] = {others.x, others.y, others.z};
    int first[3], second[3], third[3];
    for (int k = 0; k < 3; ++k) {
      first[k] = (int)v[k] + wrapped(-(v[k] + u[k])) * 3;
      second[k] = wrapped(u[k] + v[k] * u[k]) + wrapped(v[k] * u[k]) * 5;
      third[k] = (wrapped(-(v[k] + u[k])) >= v[k] ? 1 : 0) + wrapped(-v[k]);
    }
    o[i] = {first[0], first[1], first[2]};
    p[i] = {second[0], second[1], second[2]};
    q[i] = {third[0], third[1], third[2]};
  }
}

void unsigned_ones(Stream<ushort> b, Stream<ushort2> c, Stream<int4> o, Stream<int2> p) {
  for (unsigned i = 0; i < b.size(); ++i) {
    const int n = below(b[i]), same = n == b[i] ? 1 : 0;
    o[i] = {same, n, n, same};
    const int x = below(c[i].x), y = below(c[i].y);
    p[i] = {(x == c[i].x ? 1 : 0) + 2 * x, (y == c[i].y ? 1 : 0) + 2 * y};
  }
}

void sums(Stream<short> b, Stream<short2> c, Stream<ushort> d, Stream<ushort2> e, Stream<int4> o, Stream<int2> p, Stream<int2> q) {
  for (unsigned i = 0; i < b.size(); ++i) {
    const int v = b[i], x = c[i].x, y = c[i].y, ux = e[i].x, uy = e[i].y;
    const bool none = (d[i] + uy) % 65536 == 0, both = wrapped(x + y) == 0;
    o[i] = {wrapped(v + x) == 0 ? 1 : 0, wrapped(v + y) != 0 ? 3 : 5, wrapped(2 * v) == 0 ? 1 : 0, none ? 3 : 0};
    p[i] = {(both ? 1 : 0) + (wrapped(2 * x) == 0 ? 2 : 0), (both ? 1 : 0) + (wrapped(2 * y) == 0 ? 2 : 0)};
    const int without = (ux + uy) % 65536 == 0 ? 1 : 0;
    q[i] = {without + 2, without + 2};
  }
}
