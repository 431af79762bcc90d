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

extern "C" __global__ void total(const float *xs, float *ys, unsigned int n) {
  __shared__ float all[256];
  const unsigned int t = threadIdx.x;
  float sum = 0.0f;
  for (unsigned int i = blockIdx.x * 256 + t; i < n / 4; i += gridDim.x * 256) {
    const float4 x = ((const float4 *)xs)[i];
    sum += (x.x + x.y) + (x.z + x.w);
  }
  all[t] = sum;
  for (unsigned int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) all[t] += all[t + step];
  }
  if (t == 0) ys[blockIdx.x] = all[0];
}
