extern "C" __global__ __launch_bounds__(256) void
seven_points_same(const int n, const REAL weight, const REAL *__restrict__ u, REAL *__restrict__ next) {
  const int x = 1 + blockIdx.x * 64 + threadIdx.x;
  const int y = 1 + blockIdx.y * 4 + threadIdx.y;
  const int z = 1 + blockIdx.z;
  if (x >= n - 1 || y >= n - 1) return;
  const int i = (z * n + y) * n + x;
  const REAL around = u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - n * n] + u[i + n * n];
  next[i] = u[i] + weight * (around - 6 * u[i]);
}

// As much as a register file takes: an item has 16 bytes of each row, goes through 8 planes and keeps the last three.
// Rows that do not begin at such addresses are for others.
#define ELEMENTS (16 / sizeof(REAL))
#define PLANES 8
typedef union { REAL v[ELEMENTS]; uint4 raw; } piece;

__device__ __forceinline__ piece read(const REAL *from) {
  piece p;
  p.raw = *(const uint4 *)from;
  return p;
}

extern "C" __global__ __launch_bounds__(256) void
seven_points_marching(const int n, const REAL weight, const REAL *__restrict__ u, REAL *__restrict__ next) {
  const int x = (blockIdx.x * 64 + threadIdx.x) * ELEMENTS;
  const int y = 1 + blockIdx.y * 4 + threadIdx.y;
  const int first = 1 + blockIdx.z * PLANES;
  if (x >= n || y >= n - 1) return;
  if (n % ELEMENTS != 0) {
    for (int z = first; z < n - 1 && z < first + PLANES; ++z)
      for (int e = 0; e < ELEMENTS; ++e) {
        if (x + e == 0 || x + e >= n - 1) continue;
        const int i = (z * n + y) * n + x + e;
        const REAL around = u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - n * n] + u[i + n * n];
        next[i] = u[i] + weight * (around - 6 * u[i]);
      }
    return;
  }
  const bool begins = x == 0, ends = x + ELEMENTS == n;
  piece below = read(u + ((first - 1) * n + y) * n + x), here = read(u + (first * n + y) * n + x);
#pragma unroll
  for (int plane = 0; plane < PLANES; ++plane) {
    const int z = first + plane;
    if (z >= n - 1) return;
    const int i = (z * n + y) * n + x;
    const piece above = read(u + i + n * n), back = read(u + i - n), front = read(u + i + n);
    const REAL left = begins ? 0 : u[i - 1], right = ends ? 0 : u[i + ELEMENTS];
    piece out;
#pragma unroll
    for (int e = 0; e < ELEMENTS; ++e) {
      const REAL before = e == 0 ? left : here.v[e - 1], behind = e == ELEMENTS - 1 ? right : here.v[e + 1];
      const REAL around = before + behind + back.v[e] + front.v[e] + below.v[e] + above.v[e];
      out.v[e] = here.v[e] + weight * (around - 6 * here.v[e]);
    }
    if (begins || ends) {
#pragma unroll
      for (int e = 0; e < ELEMENTS; ++e)
        if (x + e > 0 && x + e < n - 1) next[i + e] = out.v[e];
    } else {
      *(uint4 *)(next + i) = out.raw;
    }
    below = here, here = above;
  }
}
