// Partial sums of blocks that walk over the array 16 bytes a thread, four accesses in flight; then one block
// adds up the blocks' sums.

#define WIDTH (16 / (int) sizeof(REAL))

struct alignas(16) Wide {
  REAL v[WIDTH];
};

static __device__ REAL of_block(REAL sum) {
  __shared__ REAL warps[8];
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < 8 ? warps[threadIdx.x] : REAL(0);
#pragma unroll
    for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  return sum;
}

struct Sum {
  static __device__ REAL term(REAL x, REAL) { return x; }
};

struct Dot {
  static __device__ REAL term(REAL x, REAL y) { return x * y; }
};

template <class Op>
static __device__ void partial_sums(const int n, const REAL *__restrict__ x,
                                    const REAL *__restrict__ y, REAL *__restrict__ partial) {
  const int thread = blockIdx.x * 256 + threadIdx.x, threads = gridDim.x * 256;
  const int count = n / WIDTH;
  const Wide *wide_x = (const Wide *) x, *wide_y = (const Wide *) y;
  REAL sums[4] = {};
  long i = thread;
  for (; i + 3l * threads < count; i += 4l * threads) {
    Wide a[4], b[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      a[k] = wide_x[i + (long) k * threads];
      b[k] = wide_y[i + (long) k * threads];
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int j = 0; j < WIDTH; ++j) sums[k] += Op::term(a[k].v[j], b[k].v[j]);
    }
  }
  for (; i < count; i += threads) {
    const Wide a = wide_x[i], b = wide_y[i];
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) sums[0] += Op::term(a.v[j], b.v[j]);
  }
  const int rest = count * WIDTH + thread;
  if (rest < n) sums[0] += Op::term(x[rest], y[rest]);
  const REAL sum = of_block((sums[0] + sums[1]) + (sums[2] + sums[3]));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

extern "C" __global__ __launch_bounds__(256) void
sum_partial(const int n, const REAL *__restrict__ x, REAL *__restrict__ partial) {
  partial_sums<Sum>(n, x, x, partial);
}

extern "C" __global__ __launch_bounds__(256) void
dot_partial(const int n, const REAL *__restrict__ x, const REAL *__restrict__ y,
            REAL *__restrict__ partial) {
  partial_sums<Dot>(n, x, y, partial);
}

extern "C" __global__ __launch_bounds__(256) void
final(const int groups, const REAL *__restrict__ partial, REAL *__restrict__ result) {
  REAL sum = 0;
  for (int i = threadIdx.x; i < groups; i += 256) sum += partial[i];
  sum = of_block(sum);
  if (threadIdx.x == 0) *result = sum;
}
