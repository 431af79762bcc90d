typedef signed char byte;

void chars(Stream<char4> b, Stream<char4> less, Stream<char4> both) {
  for (unsigned i = 0; i < b.size(); ++i) {
    const byte v[4] = {(byte)b[i].x, (byte)b[i].y, (byte)b[i].z, (byte)b[i].w};
    less[i] = {(byte)((byte)(v[0] + 1) < v[0]), (byte)((byte)(v[1] + 1) < v[1]), 0, (byte)((byte)(v[3] + 126) < v[3])};
    both[i] = {(byte)(v[0] != 0 && (byte)(v[0] - 3) > v[0]), 0, (byte)(v[2] != 0 && (byte)(v[2] - 127) > v[2]),
               (byte)(v[3] != 0 && (byte)(v[3] - 1) > v[3])};
  }
}

typedef unsigned char ubyte;

void unsigned_chars(Stream<uchar4> b, Stream<uchar4> less, Stream<uchar4> product) {
  for (unsigned i = 0; i < b.size(); ++i) {
    const ubyte v[4] = {b[i].x, b[i].y, b[i].z, b[i].w};
    less[i] = {(ubyte)((ubyte)(v[0] + 1) < v[0]), (ubyte)((ubyte)(v[1] + 200) < v[1]), 0, (ubyte)((ubyte)(v[3] + 255) < v[3])};
    product[i] = {(ubyte)((ubyte)(v[0] * 3) < v[0]), (ubyte)((ubyte)(v[1] * 200) < v[1]), (ubyte)((ubyte)(v[2] * 16) < v[2]),
                  (ubyte)((ubyte)(v[3] * 255) < v[3])};
  }
}

void one_char(Stream<char> b, Stream<char> c, Stream<char> less, Stream<char> negative) {
  for (unsigned i = 0; i < b.size(); ++i) {
    const byte x = (byte)b[i], y = (byte)c[i];
    less[i] = (byte)(x + y) < x;
    negative[i] = (byte)-x > y;
  }
}

void greater(Stream<int> a, Stream<short> b, Stream<short> quotient, Stream<short> least, Stream<short4> components) {
  for (unsigned i = 0; i < a.size(); ++i) {
    const short s = (short)a[i], most = s > 0 ? s : 0, sum = (short)(b[i] + s);
    quotient[i] = most == 0 ? 0 : (short)(b[i] / most);
    least[i] = s < 0 ? 9 : 7;
    components[i] = {b[i] <= 0, s <= 0, sum <= 0, b[i] <= 0};
  }
}
