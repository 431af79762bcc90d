void all(Stream<int> i, signed char a, uchar b, short c, ushort d, int e, uint f, float g, double h, Stream<int4> o,
         Stream<uint2> p, Stream<double2> q) {
  for (unsigned k = 0; k < i.size(); ++k) {
    o[k] = {a, b, c, d};
    p[k] = {uint(e) + k, f};
    q[k] = {g, h};
  }
}
