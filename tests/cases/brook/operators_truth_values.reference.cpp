typedef uint32_t u32;
typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;

void unsigned_ones(Stream<uint> x, Stream<uint> y, Stream<uint4> o, Stream<double2> p) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const u32 a = x[i], b = y[i];
    const u32 lt = a < b ? 1 : 0, gt = a > b ? 1 : 0, ne = a != b ? 1 : 0;
    const u32 difference = lt - gt, nots = u32(a == 0) - u32(b == 0);
    o[i] = {u32(difference < ne), difference, nots / 2u, u32(a && b) - 2u};
    p[i] = {double(difference), double(lt)};
  }
}

void floats(Stream<float> x, Stream<float> y, Stream<float4> o, Stream<float2> p) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const float a = x[i], b = y[i];
    const float gt = a > b ? 1.0f : 0.0f, lt = a < b ? 1.0f : 0.0f;
    o[i] = {gt / lt, gt, gt > 0.5f ? gt : 0.5f, (a != 0 && b != 0) ? 0.25f : 0.0f};
    p[i] = {a == 0 ? 0.5f : 0.0f, (a < b || b < a) ? 0.5f : 0.0f};
  }
}

void ints(Stream<int> x, Stream<int> y, Stream<int> a, Stream<int4> o, Stream<int4> p) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const int u = x[i], v = y[i];
    const int gt = u > v ? 1 : 0, lt = u < v ? 1 : 0;
    o[i] = {int(u > 0) << int(v > 0), gt * 8, gt, gt};
    int z = gt + (gt == lt ? 4 : 0);
    z *= (u || v) ? 2 : 1;
    p[i] = {z, gt ? int(u > 0) : int(v > 0), a[gt], u != v ? 1 : 0};
  }
}

void narrow(Stream<signed char> x, Stream<signed char> y, Stream<unsigned char> c, Stream<unsigned char> d, Stream<short> s, Stream<char4> o, Stream<uchar2> p, Stream<short> q) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const int a = x[i], b = y[i], e = c[i], f = d[i], g = s[i];
    o[i] = {i8((a < b) - (a > b)), i8((a < b) << (a != b)), i8(a == b ? -1 : 0), i8(a == 0 ? -2 : -1)};
    p[i] = {u8((e < f) - (e > f)), u8(e == f ? 254 : 255)};
    const int flag = g == 0 ? 1 : 0, most = flag > g ? flag : g;
    q[i] = i16(most - (g != 0 ? 1 : 0));
  }
}

void truths(Stream<int> a, Stream<int> b, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[i] = (a[i] && b[i]) || a[i] != b[i] ? 1 : 0;
}

void steps(Stream<float> x, Stream<float> n, Stream<float> m) {
  for (unsigned i = 0; i < x.size(); ++i) {
    float v = x[i], count = 0, sum = 0;
    while (v < 40.0f && count < 30.0f) {
      count += (v < 20.0f ? 1.0f : 0.0f) + 0.5f;
      sum += (v < 10.0f && count > 1.0f ? 0.25f : 0.0f) - (sum == 0 ? 1.0f : 0.0f);
      v = v * 1.5f + 1.0f;
    }
    n[i] = count;
    m[i] = sum;
  }
}

void promoted(Stream<char> x, Stream<char> y, Stream<ushort> u, Stream<char4> o, Stream<ushort> p) {
  for (unsigned i = 0; i < x.size(); ++i) {
    const i8 a = x[i], b = y[i], larger = a > b ? a : b;
    o[i] = {larger > a ? larger : a, b == 0 ? i8(0) : i8(larger / b), a < b ? a : b, i8((a != 0 ? a : b) * 2)};
    p[i] = u[i] == 0 || u[i] > 40000 ? 0 : 7 % u[i];
  }
}
