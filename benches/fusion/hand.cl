#define MAP(NAME, RESULT)                                                              \
  __kernel void NAME(__global const float4 *xs, __global float4 *ys, uint n) {         \
    const uint i = get_global_id(0);                                                   \
    if (i < n / 4) {                                                                   \
      const float4 x = xs[i];                                                          \
      ys[i] = RESULT;                                                                  \
    }                                                                                  \
  }
