// Tests simt.hpp itself:
//   g++ -std=c++17 -O2 -I emulation/include simt_selftest.cpp -o simt_selftest && ./simt_selftest
// Also meant to be built with -DBROOK_SIMT_HIP (64 lanes) and -DBROOK_WARP=8.

#include "simt.hpp"

#include <algorithm>
#include <chrono>
#include <string>

static int failures = 0;

#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      ++failures;                                                       \
      printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
    }                                                                   \
  } while (0)

static const simt::Order orders[] = {simt::Order::Forward, simt::Order::Reversed,
                                     simt::Order::Random};

template <class... P, class... A>
int start(void (*kernel)(P...), dim3 grid, dim3 block, A... values) {
  std::tuple<P...> storage(values...);
  return std::apply(
      [&](auto &...each) {
        void *arguments[] = {const_cast<void *>(static_cast<const void *>(&each))..., nullptr};
        return simt::launch(kernel, grid, block, arguments);
      },
      storage);
}

// --- barriers ---------------------------------------------------------------

extern "C" __global__ void __launch_bounds__(256)
    block_sums(const int n, const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float part[256];
  const int item = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + item;
  part[item] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int alive = 128; alive > 0; alive /= 2) {
    if (item < alive) part[item] += part[item + alive];
    __syncthreads();
  }
  if (item == 0) out[blockIdx.x] = part[0];
}

// The neighbour's element may be read before it is there.
template <bool correct>
__global__ void rotate(int *out) {
  __shared__ int shared[64];
  const int item = threadIdx.x;
  shared[item] = 0;
  __syncthreads();
  shared[item] = item;
  if (correct) __syncthreads();
  out[item] = shared[(item + 1) % 64];
}

__global__ void some_return_early(int *out) {
  if (threadIdx.x >= 40) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void all_or_none(int n, int *out) {
  // A whole block leaves before the barrier: legal.
  if (int(blockIdx.x * blockDim.x) >= n) return;
  __syncthreads();
  atomicAdd(out, 1);
}

__global__ void vote(int *out) {
  const int item = threadIdx.x;
  const int count = __syncthreads_count(item % 3 == 0);
  const int any = __syncthreads_or(item == 5);
  const int every = __syncthreads_and(item != 5);
  out[item] = count * 4 + any * 2 + every;
}

// 2D and 3D indices, values that live across a barrier, parameters by value.
struct Extent {
  int x, y, z;
};
__global__ void indices(Extent e, int *out) {
  int counter = 0;
  for (int round = 0; round < 3; ++round) {
    counter += int(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z);
    __syncthreads();
  }
  e.x += 1;  // a copy of this thread's own
  __syncthreads();
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * int(blockDim.x * blockDim.y * blockDim.z) + item] = counter * 1000 + e.x;
}

static void test_barriers() {
  const int n = 10000, blocks = (n + 255) / 256;
  std::vector<float> in(n), out(blocks), expected(blocks, 0.0f);
  for (int i = 0; i < n; ++i) {
    in[i] = float(i % 17);
    expected[i / 256] += in[i];
  }
  for (simt::Order order : orders) {
    for (unsigned seed = 0; seed < 3; ++seed) {
      simt::set_order(order, seed);
      std::fill(out.begin(), out.end(), -1.0f);
      CHECK(start(block_sums, blocks, 256, n, in.data(), out.data()) == 0);
      CHECK(out == expected);
      CHECK(std::string(simt::last_error()).empty());
    }
  }

  int wrong_orders = 0;
  for (simt::Order order : orders) {
    simt::set_order(order, 1);
    std::vector<int> right(64), wrong(64), want(64);
    for (int i = 0; i < 64; ++i) want[i] = (i + 1) % 64;
    CHECK(start(rotate<true>, 1, 64, right.data()) == 0);
    CHECK(right == want);
    CHECK(start(rotate<false>, 1, 64, wrong.data()) == 0);
    wrong_orders += wrong != want;
  }
  CHECK(wrong_orders >= 1);

  for (simt::Order order : orders) {
    simt::set_order(order, 2);
    std::vector<int> marks(64, 0);
    CHECK(start(some_return_early, 3, 64, marks.data()) == simt::divergence);
    CHECK(std::string(simt::last_error()).find("divergent barrier: 40 threads") == 0);
    // The emulation is as good as new afterwards.
    int count = 0;
    CHECK(start(all_or_none, 4, 64, 128, &count) == 0);
    CHECK(count == 128);

    std::vector<int> votes(70);
    CHECK(start(vote, 1, 70, votes.data()) == 0);
    CHECK(std::count(votes.begin(), votes.end(), 24 * 4 + 2) == 70);

    std::vector<int> out3(2 * 3 * 2 * 24, -1);
    CHECK(start(indices, dim3(2, 3, 2), dim3(4, 3, 2), Extent{6, 7, 8}, out3.data()) == 0);
    for (int i = 0; i < int(out3.size()); ++i) {
      const int item = i % 24;
      CHECK(out3[i] == 3 * (item % 4 + 10 * (item / 4 % 3) + 100 * (item / 12)) * 1000 + 7);
    }
  }
}

// --- warps --------------------------------------------------------------------

constexpr unsigned long long full = ~0ull;

__global__ void warp_sums(const int *in, int *out, long long *wide) {
  const int item = threadIdx.x, lane = item % warpSize;
  int sum = in[item];
  for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down_sync(full, sum, step);
  long long all = in[item];
  for (int step = warpSize / 2; step > 0; step /= 2) all += __shfl_xor_sync(full, all, step);
  int prefix = in[item];
  for (int step = 1; step < warpSize; step *= 2) {
    const int below = __shfl_up_sync(full, prefix, step);
    if (lane >= step) prefix += below;
  }
  if (lane == 0) CHECK(sum == all);
  CHECK(__shfl_sync(full, prefix, warpSize - 1) == all);
  CHECK(__shfl_sync(full, item, 1, 4) == item / 4 * 4 + 1);
  CHECK(__shfl_sync(full, item, 5, 4) == item / 4 * 4 + 1);
  CHECK(__shfl_down_sync(full, item, 3, 4) == (item % 4 == 0 ? item + 3 : item));
  CHECK(__popcll(__ballot_sync(full, lane % 2)) == warpSize / 2);
  CHECK(__any_sync(full, lane == 3) && !__all_sync(full, lane == 3));
  out[item] = prefix;
  wide[item] = all;
}

// Only the even lanes take part, the odd ones go straight on.
__global__ void half_warp(int *out) {
  const int lane = threadIdx.x % warpSize;
  unsigned long long even = 0;
  for (int i = 0; i < warpSize; i += 2) even |= 1ull << i;
  int value = -1;
  if (lane % 2 == 0) {
    value = __shfl_xor_sync(even, lane, 2);
    __syncwarp(even);
  }
  __syncthreads();
  out[threadIdx.x] = value;
}

// A missing __syncwarp, and the same with it.
template <bool correct>
__global__ void warp_rotate(int *out) {
  __shared__ int shared[BROOK_WARP];
  const int lane = threadIdx.x;
  shared[lane] = -1;
  __syncwarp();
  shared[lane] = lane;
  if (correct) __syncwarp();
  out[lane] = shared[(lane + 1) % BROOK_WARP] + shared[(lane + BROOK_WARP - 1) % BROOK_WARP];
}

__global__ void wait_for_each_other(int *out) {
  if (threadIdx.x == 0) {
    __syncthreads();
  } else {
    __syncwarp();
  }
  *out = 1;
}

__global__ void not_in_mask(int *out) { *out = __shfl_sync(1, *out, 0); }

#ifndef BROOK_SIMT_CUDA
__global__ void hip_warp(int *out) {
  const int lane = threadIdx.x % warpSize;
  int value = __shfl_xor(lane, 1);
  CHECK(value == (lane ^ 1));
  CHECK(__shfl(lane, 2) == 2);
  CHECK(__shfl_up(lane, 1) == (lane == 0 ? 0 : lane - 1));
  CHECK(__shfl_down(lane, 1) == (lane == warpSize - 1 ? lane : lane + 1));
  if (lane < warpSize / 2) {
    value = __shfl_xor(lane, 1);  // the other half does not take part
    CHECK(__ballot(1) == (1ull << (warpSize / 2)) - 1);
  }
  __syncthreads();
  CHECK(__any(lane == 1) && !__all(lane == 1));
  out[threadIdx.x] = value;
}
#endif

static void test_warps() {
  const int n = 4 * BROOK_WARP;
  for (simt::Order order : orders) {
    simt::set_order(order, 3);
    std::vector<int> in(n), out(n);
    std::vector<long long> wide(n);
    for (int i = 0; i < n; ++i) in[i] = i * i % 23;
    CHECK(start(warp_sums, 1, n, in.data(), out.data(), wide.data()) == 0);
    int prefix = 0;
    for (int i = 0; i < n; ++i) {
      prefix = i % BROOK_WARP == 0 ? in[i] : prefix + in[i];
      CHECK(out[i] == prefix);
      CHECK(wide[i] == out[i / BROOK_WARP * BROOK_WARP + BROOK_WARP - 1]);
    }

    CHECK(start(half_warp, 2, n, out.data()) == 0);
    for (int i = 0; i < n; ++i) {
      const int lane = i % BROOK_WARP;
      CHECK(out[i] == (lane % 2 == 0 ? (lane ^ 2) : -1));
    }

    // A warp that is not full, too.
    CHECK(start(half_warp, 2, 2 * BROOK_WARP - 2, out.data()) == 0);

    CHECK(start(wait_for_each_other, 1, BROOK_WARP, out.data()) == simt::divergence);
    CHECK(std::string(simt::last_error()).find("divergent warp function") == 0);
    CHECK(start(not_in_mask, 1, BROOK_WARP, out.data()) == simt::bad_mask);

#ifndef BROOK_SIMT_CUDA
    CHECK(start(hip_warp, 1, n, out.data()) == 0);
    for (int i = 0; i < n; ++i) CHECK(out[i] == (i % BROOK_WARP ^ 1));
#endif
  }

  int wrong_orders = 0;
  std::vector<int> want(BROOK_WARP);
  for (int i = 0; i < BROOK_WARP; ++i) {
    want[i] = (i + 1) % BROOK_WARP + (i + BROOK_WARP - 1) % BROOK_WARP;
  }
  for (simt::Order order : orders) {
    simt::set_order(order, 4);
    std::vector<int> out(BROOK_WARP);
    CHECK(start(warp_rotate<true>, 1, BROOK_WARP, out.data()) == 0);
    CHECK(out == want);
    CHECK(start(warp_rotate<false>, 1, BROOK_WARP, out.data()) == 0);
    wrong_orders += out != want;
  }
  CHECK(wrong_orders == 3);
}

// --- atomics and numbers --------------------------------------------------------

struct Totals {
  int i, least, most, bits;
  unsigned u, wrap, down;
  unsigned long long wide;
  float f;
  double d, by_cas;
};

__global__ void atomics(Totals *t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&t->i, i);
  atomicAdd(&t->u, 1);
  atomicSub(&t->i, 1);
  atomicMin(&t->least, -i);
  atomicMax(&t->most, i);
  atomicOr(&t->bits, 1 << i % 20);
  atomicInc(&t->wrap, 6);
  atomicDec(&t->down, 6);
  atomicAdd(&t->wide, 1ull << 32);
  atomicAdd(&t->f, 1);
  atomicAdd(&t->d, 0.5);
  unsigned long long *word = reinterpret_cast<unsigned long long *>(&t->by_cas);
  unsigned long long seen = *word, before;
  do {
    before = seen;
    seen = atomicCAS(word, before,
                     (unsigned long long)__double_as_longlong(
                         __longlong_as_double((long long)before) + 2.0));
  } while (seen != before);
}

__global__ void numbers(int *out) {
  *out = min(3, 4) == 3 && max(3u, 4) == 4u && min(1.5f, 2.5f) == 1.5f && max(1.5, 2.5f) == 2.5 &&
         rsqrtf(4.0f) == 0.5f && rsqrt(4.0) == 0.5 && __float_as_int(1.0f) == 0x3f800000 &&
         __int_as_float(0x40000000) == 2.0f && __popc(7) == 3 && __clz(1) == 31 && __ffs(8) == 4 &&
         __float2int_rz(-1.7f) == -1 && __float2int_rz(1e20f) == INT_MAX &&
         __float2int_rn(NAN) == 0 && __float2int_rn(2.5f) == 2 && __umulhi(1u << 31, 4) == 2;
}

__global__ void trap_at(int item) {
  if (int(threadIdx.x) == item) __trap();
  __syncthreads();
}

static void test_atomics() {
  for (simt::Order order : orders) {
    simt::set_order(order, 5);
    const int n = 300;
    Totals t{};
    CHECK(start(atomics, 3, 100, &t) == 0);
    CHECK(t.i == n * (n - 1) / 2 - n && t.u == unsigned(n));
    CHECK(t.least == -(n - 1) && t.most == n - 1 && t.bits == (1 << 20) - 1);
    CHECK(t.wrap == n % 7 && t.down == (7 - n % 7) % 7);
    CHECK(t.wide == (unsigned long long)n << 32 && t.f == float(n) && t.d == 0.5 * n);
    CHECK(t.by_cas == 2.0 * n);
    int fine = 0;
    CHECK(start(numbers, 1, 1, &fine) == 0);
    CHECK(fine == 1);
    CHECK(start(trap_at, 2, 64, 17) == simt::trapped);
  }
}

// --- launches -------------------------------------------------------------------

BROOK_SIMT_EXPORT(block_sums)

__global__ void order_of_blocks(int *next, int *when) { when[blockIdx.x] = (*next)++; }

static void test_launches() {
  int fine = 0;
  CHECK(start(numbers, dim3(0), 1, &fine) == simt::invalid_launch);
  CHECK(start(numbers, 1, dim3(32, 33), &fine) == simt::invalid_launch);
  CHECK(start(numbers, dim3(1, 65536), 1, &fine) == simt::invalid_launch);
  CHECK(start(numbers, 1, 1024, &fine) == 0);

  int n = 512;
  std::vector<float> in(n, 1.0f), out(2);
  const float *in_data = in.data();
  float *out_data = out.data();
  void *arguments[] = {&n, &in_data, &out_data};
  const unsigned long long grid[] = {2, 1, 1};
  const unsigned block[] = {256, 1, 1}, bad[] = {2048, 1, 1};
  const char *error = nullptr;
  CHECK(brook_simt_launch_block_sums(grid, block, arguments, 2, 7, &error) == 0);
  CHECK(out[0] == 256.0f && out[1] == 256.0f && *error == '\0');
  CHECK(brook_simt_launch_block_sums(grid, bad, arguments, 0, 0, &error) == simt::invalid_launch);
  CHECK(*error != '\0');

  std::vector<std::vector<int>> seen;
  for (simt::Order order : orders) {
    simt::set_order(order, 8);
    int next = 0;
    std::vector<int> when(100);
    CHECK(start(order_of_blocks, 100, 1, &next, when.data()) == 0);
    seen.push_back(when);
  }
  CHECK(seen[0][0] == 0 && seen[0][99] == 99);
  CHECK(seen[1][0] == 99 && seen[1][99] == 0);
  CHECK(seen[2] != seen[0] && seen[2] != seen[1]);
  std::sort(seen[2].begin(), seen[2].end());
  CHECK(seen[2] == seen[0]);
}

// 65536 threads with two barriers each should take about 0.1 s at most.
__global__ void two_barriers(float *data) {
  __shared__ float line[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  line[threadIdx.x] = data[i];
  __syncthreads();
  const float other = line[255 - threadIdx.x];
  __syncthreads();
  data[i] = other;
}

static void test_speed() {
  std::vector<float> data(65536, 1.0f);
  for (simt::Order order : orders) {
    simt::set_order(order, 9);
    const auto begin = std::chrono::steady_clock::now();
    CHECK(start(two_barriers, 256, 256, data.data()) == 0);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    printf("65536 threads, two barriers, order %d: %.1f ms\n", int(order), 1e3 * time.count());
  }
}

int main() {
  test_barriers();
  test_warps();
  test_atomics();
  test_launches();
  test_speed();
  printf(failures == 0 ? "simt: all tests passed\n" : "simt: %d checks FAILED\n", failures);
  return failures != 0;
}
