struct alignas(16) int4 { int x, y, z, w; };
struct alignas(16) float3 { float x, y, z; };
struct alignas(8) int2 { int x, y; };
struct alignas(16) double2 { double x, y; };
typedef struct { int n; float3 v; int2 size[2]; double2 d; } Shape;
static_assert(sizeof(Shape) == 64, "as on the device");

void vectors(const int4 dims, const Shape s, float *out) {
  for (int b = 0; b < dims.x + s.size[1].y; ++b)
    for (int i = 0; i < dims.w; ++i)
      if (s.d.y > 1.0) out[b * dims.w + i] = s.v.z * s.n + dims.z;
  if (s.v.x == 0.5f)
    for (int i = 0; i < s.size[0].x; ++i) out[i] += 1;
}
