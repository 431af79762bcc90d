// As many multiply-adds as the device can do: eight independent chains a thread.
template <class T>
static __device__ void chains(const int rounds, T *result) {
  T x[8];
  const T m = T(0.999999), b = T(1e-6);
  for (int k = 0; k < 8; ++k) x[k] = T(threadIdx.x + k);
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int repeat = 0; repeat < 8; ++repeat) {
#pragma unroll
      for (int k = 0; k < 8; ++k) x[k] = x[k] * m + b;
    }
  }
  T sum = 0;
  for (int k = 0; k < 8; ++k) sum += x[k];
  result[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ __launch_bounds__(256) void fma_float(const int rounds, float *result) {
  chains(rounds, result);
}

extern "C" __global__ __launch_bounds__(256) void fma_double(const int rounds, double *result) {
  chains(rounds, result);
}
