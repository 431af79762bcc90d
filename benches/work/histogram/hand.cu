extern "C" __global__ void clear(int *bins) {
  bins[threadIdx.x] = 0;
}

// Every block counts in shared memory, then adds its counts to the result.
extern "C" __global__ __launch_bounds__(256) void
bins_shared(const int n, const unsigned int *__restrict__ values, int *__restrict__ bins) {
  __shared__ int s_bins[256];
  s_bins[threadIdx.x] = 0;
  __syncthreads();
  const int share = (n / (int) gridDim.x + 256) / 256 * 256;
  const int first = min((long) blockIdx.x * share, (long) n), last = min(first + share, n);
#pragma unroll 4
  for (int i = first + threadIdx.x; i < last; i += 256) atomicAdd(&s_bins[values[i] % 256], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], s_bins[threadIdx.x]);
}

// The same of bytes, 16 at once.
extern "C" __global__ __launch_bounds__(256) void
bytes_shared(const int count, const unsigned char *__restrict__ text, int *__restrict__ bins) {
  __shared__ int s_bins[256];
  s_bins[threadIdx.x] = 0;
  __syncthreads();
  const int wides = count / 16, share = (wides / (int) gridDim.x + 256) / 256 * 256;
  const int first = min((long) blockIdx.x * share, (long) wides), last = min(first + share, wides);
#pragma unroll 2
  for (int i = first + threadIdx.x; i < last; i += 256) {
    const uint4 v = ((const uint4 *) text)[i];
    const unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(&s_bins[words[k / 4] >> k % 4 * 8 & 255], 1);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], s_bins[threadIdx.x]);
  if (blockIdx.x == 0 && threadIdx.x < count % 16) atomicAdd(&bins[text[wides * 16 + threadIdx.x]], 1);
}

// A column of bins for each lane, in a bank of its own.
extern "C" __global__ __launch_bounds__(256) void
bytes_columns(const int count, const unsigned char *__restrict__ text, int *__restrict__ bins) {
  __shared__ int s_bins[256][32];
  for (int k = threadIdx.x; k < 256 * 32; k += 256) (&s_bins[0][0])[k] = 0;
  __syncthreads();
  const int wides = count / 16, share = (wides / (int) gridDim.x + 256) / 256 * 256;
  const int first = min((long) blockIdx.x * share, (long) wides), last = min(first + share, wides);
  const int lane = threadIdx.x % 32;
#pragma unroll 2
  for (int i = first + threadIdx.x; i < last; i += 256) {
    const uint4 v = ((const uint4 *) text)[i];
    const unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(&s_bins[words[k / 4] >> k % 4 * 8 & 255][lane], 1);
  }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 32; ++k) sum += s_bins[threadIdx.x][(threadIdx.x + k) % 32];
  atomicAdd(&bins[threadIdx.x], sum);
  if (blockIdx.x == 0 && threadIdx.x < count % 16) atomicAdd(&bins[text[wides * 16 + threadIdx.x]], 1);
}
