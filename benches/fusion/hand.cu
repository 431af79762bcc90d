#define MAP(NAME, RESULT)                                                              \
  extern "C" __global__ void NAME(const float *xs, float *ys, unsigned int n) {        \
    const unsigned int i = blockIdx.x * 256 + threadIdx.x;                             \
    if (i < n / 4) {                                                                   \
      float4 v = ((const float4 *)xs)[i];                                              \
      { const float x = v.x; v.x = RESULT; }                                           \
      { const float x = v.y; v.y = RESULT; }                                           \
      { const float x = v.z; v.z = RESULT; }                                           \
      { const float x = v.w; v.w = RESULT; }                                           \
      ((float4 *)ys)[i] = v;                                                           \
    }                                                                                  \
  }
