typedef signed char schar;
template <class T> static T quotient(T a, T b) { return b ? T(a / b) : T(0); }
template <class T> static T rest(T a, T b) { return b ? T(a % b) : T(0); }

void chars(Stream<schar> a, Stream<schar> b, Stream<char4> o, Stream<char4> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    schar x = a[i], y = b[i], sum = schar(x + y), product = schar(x * y), minus = schar(-x), d = schar(x - y);
    schar again = schar(-minus);
    o[i] = {char(sum / 2), char(quotient(product, y)), char(minus), char(quotient(x, y))};
    p[i] = {char(rest(x, y)), char(d % 10), char(x + 1), char(-again)};
  }
}

void uchars(Stream<uchar4> a, Stream<uchar4> b, Stream<uchar4> o, Stream<uchar4> p) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      uchar x = (&a[i].x)[k], y = (&b[i].x)[k];
      (&o[i].x)[k] = uchar(x + y) / 2;
      (&p[i].x)[k] = quotient(uchar(x - y), uchar(x + x));
    }
}

void shorts(Stream<short2> a, Stream<short2> b, Stream<ushort> c, Stream<short2> o, Stream<ushort> p) {
  for (unsigned i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 2; ++k) {
      short x = (&a[i].x)[k], y = (&b[i].x)[k];
      (&o[i].x)[k] = quotient(short(short(x * y) - y), x);
    }
    ushort sum = ushort(c[i] + 40000), square = ushort(uint(c[i]) * c[i]);
    p[i] = ushort(sum / 3 - square);
  }
}

void compared(Stream<uchar> a, Stream<uchar> b, Stream<short> c, Stream<int2> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = {uchar(a[i] + b[i]) > 200, c[i] == 32767};
}
