// SIMT emulation: compiles CUDA and HIP device source with an ordinary C++17
// compiler and runs it on the CPU, one fiber a thread of the block.
//
//   g++ -std=c++17 -include simt.hpp generated.cu.cpp ...
//
// It exists to test generated code without a device: barriers, shared memory,
// warp functions and atomics behave as on a GPU, and the order in which the
// threads of a block run between two barriers can be chosen. Code that lacks a
// barrier gives a different result in at least one order.
//
// How it works. The blocks of a grid run one after another, which is why
// `static` storage is right for __shared__. Within a block, threads are
// fibers: __syncthreads() suspends one and goes on to the next. A thread that
// never waits never needs a stack of its own, so code without barriers runs at
// the speed of a loop.
//
// What is reported as an error, and ends the launch:
//   - a barrier that some threads of the block wait at while others have ended;
//   - a block barrier and a warp function that wait for each other;
//   - a thread missing from its own mask, and __trap();
//   - launch dimensions that a device would refuse (zero, more than 1024
//     threads a block, more than 65535 blocks along y or z).
// Not reported: races as such, and accesses outside of arrays.
//
// Macros that may be set before inclusion:
//   BROOK_SIMT_CUDA            only what CUDA has (no unmasked __shfl ...)
//   BROOK_SIMT_HIP             HIP: a warp has 64 lanes unless BROOK_WARP says
//                              otherwise
//   BROOK_WARP                 lanes of a warp, a power of two, at most 64
//   BROOK_SIMT_STACK           bytes of stack a fiber (64 KiB)
//   BROOK_SIMT_NO_VECTORS      leave out float2 ... ulonglong4 and make_*
//   BROOK_SIMT_DYNAMIC_SHARED  the name that the source uses in
//                              `extern __shared__ unsigned char NAME[];`
//
// Put tests/support/hip_shim on the include path for sources that include
// <hip/hip_runtime.h>, and tests/support/cuda_shim for <cuda_runtime.h>.

#ifndef BROOK_SIMT
#define BROOK_SIMT 1

// Fortified longjmp refuses to change stacks, which is what fibers are about.
#undef _FORTIFY_SOURCE

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if !defined(BROOK_SIMT_HIP) && defined(__HIP_PLATFORM_AMD__)
#define BROOK_SIMT_HIP 1
#endif
#ifndef BROOK_WARP
#ifdef BROOK_SIMT_HIP
#define BROOK_WARP 64
#else
#define BROOK_WARP 32
#endif
#endif
#ifndef BROOK_SIMT_STACK
#define BROOK_SIMT_STACK (64 * 1024)
#endif

// ---------------------------------------------------------------------------
// Qualifiers

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

#ifdef BROOK_SIMT_DYNAMIC_SHARED
// `extern static` is not C++, but `extern thread_local` is, and a thread_local
// variable of block scope is static just as well.
#define __shared__ thread_local
alignas(128) inline thread_local unsigned char BROOK_SIMT_DYNAMIC_SHARED[227 * 1024];
#else
#define __shared__ static
#endif

// Every shared library gets a scheduler of its own.
#pragma GCC visibility push(hidden)

// ---------------------------------------------------------------------------
// Vector types: CUDA's names, members, alignment and constructors

#define BROOK_SIMT_VECTOR(name, scalar, align2, align4)                              \
  struct name##1 { scalar x; };                                                      \
  struct alignas(align2) name##2 { scalar x, y; };                                   \
  struct name##3 { scalar x, y, z; };                                                \
  struct alignas(align4) name##4 { scalar x, y, z, w; };                             \
  inline name##1 make_##name##1(scalar x) { return {x}; }                            \
  inline name##2 make_##name##2(scalar x, scalar y) { return {x, y}; }               \
  inline name##3 make_##name##3(scalar x, scalar y, scalar z) { return {x, y, z}; }  \
  inline name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) {            \
    return {x, y, z, w};                                                             \
  }

#ifndef BROOK_SIMT_NO_VECTORS
BROOK_SIMT_VECTOR(char, signed char, 2, 4)
BROOK_SIMT_VECTOR(uchar, unsigned char, 2, 4)
BROOK_SIMT_VECTOR(short, short, 4, 8)
BROOK_SIMT_VECTOR(ushort, unsigned short, 4, 8)
BROOK_SIMT_VECTOR(int, int, 8, 16)
BROOK_SIMT_VECTOR(uint, unsigned int, 8, 16)
BROOK_SIMT_VECTOR(long, long, 16, 16)
BROOK_SIMT_VECTOR(ulong, unsigned long, 16, 16)
BROOK_SIMT_VECTOR(longlong, long long, 16, 16)
BROOK_SIMT_VECTOR(ulonglong, unsigned long long, 16, 16)
BROOK_SIMT_VECTOR(float, float, 8, 16)
BROOK_SIMT_VECTOR(double, double, 16, 16)
#endif
#undef BROOK_SIMT_VECTOR

#if defined(BROOK_SIMT_HIP) && !defined(BROOK_SIMT_NO_VECTORS)
#include "hip_vectors.hpp"
#endif

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace simt {
#ifndef BROOK_SIMT_NO_VECTORS
using Index = uint3;
#else
struct Index {
  unsigned x, y, z;
};
#endif
}  // namespace simt

// These change whenever another fiber runs.
inline simt::Index threadIdx{}, blockIdx{};
inline dim3 blockDim, gridDim;
inline constexpr int warpSize = BROOK_WARP;

// ---------------------------------------------------------------------------
// The scheduler

namespace simt {

static_assert(BROOK_WARP >= 1 && BROOK_WARP <= 64 && (BROOK_WARP & (BROOK_WARP - 1)) == 0,
              "BROOK_WARP must be a power of two, at most 64");

enum class Order { Forward, Reversed, Random };

enum Error { ok = 0, invalid_launch = 1, divergence = 2, bad_mask = 3, trapped = 4, no_memory = 5 };

namespace detail {

using Mask = unsigned long long;

constexpr unsigned max_threads = 1024;
// The mask of functions that have none: whichever lanes take part.
constexpr Mask active_lanes = 0;

enum class State : unsigned char { Runnable, AtBlock, AtWarp, Finished };

struct Fiber {
  jmp_buf resume;
  ucontext_t entry;
  void *memory = MAP_FAILED;
  bool entered = false;

  static constexpr size_t guard = 4096;

  // Fails only for lack of memory. The lowest page stays inaccessible, so that
  // an overflow is a crash and not a wrong result.
  bool prepare(void (*function)()) {
    if (memory == MAP_FAILED) {
      memory = mmap(nullptr, guard + BROOK_SIMT_STACK, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED) return false;
      mprotect(memory, guard, PROT_NONE);
    }
    getcontext(&entry);
    entry.uc_stack.ss_sp = static_cast<char *>(memory) + guard;
    entry.uc_stack.ss_size = BROOK_SIMT_STACK;
    entry.uc_link = nullptr;
    makecontext(&entry, function, 0);
    entered = false;
    return true;
  }

  Fiber() = default;
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;
  ~Fiber() {
    if (memory != MAP_FAILED) munmap(memory, guard + BROOK_SIMT_STACK);
  }
};

struct Item {
  State state;
  Fiber *fiber;       // null until it runs for the first time
  Mask mask;          // while AtWarp
  const void *offer;  // what it shows to the other lanes during an exchange
};

struct Scheduler {
  std::mutex busy;
  Order order = Order::Forward;
  unsigned seed = 0;
  uint64_t random = 1;
  char message[256] = "";
  int error = ok;

  void (*call)(void *) = nullptr;
  void *call_context = nullptr;

  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Fiber *> idle;
  jmp_buf caller;

  // The block that is running
  unsigned threads = 0;
  unsigned unfinished = 0;
  unsigned current = 0;   // item
  unsigned position = 0;  // in `sequence`
  int assigned = -1;      // the item that a fiber is woken up for
  int votes = 0;          // counted up to the next block barrier
  int last_votes = 0;     // counted up to the last one
  Item items[max_threads];
  unsigned sequence[max_threads];
  Index places[max_threads];

  uint64_t draw(uint64_t below) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return (random >> 16) % below;
  }

  void restart_random() {
    random = (seed + 1) * 0x9e3779b97f4a7c15ull;
    if (random == 0) random = 1;
    for (int i = 0; i < 8; ++i) draw(1);
  }

  void shuffle(unsigned *values, unsigned count) {
    for (unsigned i = count; i > 1; --i) std::swap(values[i - 1], values[draw(i)]);
  }

  template <class... V>
  void fail(int code, const char *format, V... values) {
    if (error != ok) return;
    error = code;
    const int used = snprintf(message, sizeof message, format, values...);
    if (used > 0 && used < int(sizeof message) && threads != 0) {
      snprintf(message + used, sizeof message - used, " (block %u,%u,%u)", blockIdx.x, blockIdx.y,
               blockIdx.z);
    }
  }

  void enter(unsigned item) {
    current = item;
    threadIdx = places[item];
  }
};

inline Scheduler &scheduler() {
  static Scheduler instance;
  return instance;
}

// Leaves `from` where it is and continues `to` where it left off.
__attribute__((noinline)) inline void change(Fiber &from, Fiber &to) {
  if (_setjmp(from.resume) == 0) {
    if (to.entered) _longjmp(to.resume, 1);
    to.entered = true;
    setcontext(&to.entry);
  }
}

[[noreturn]] inline void leave_block(Scheduler &s) { _longjmp(s.caller, 1); }

inline const char *plural(unsigned count) { return count == 1 ? "" : "s"; }

// Lets go of the threads of one warp that wait for each other and are complete.
inline bool release_warp(Scheduler &s, unsigned first, bool incomplete_too) {
  const unsigned lanes = s.threads - first < BROOK_WARP ? s.threads - first : BROOK_WARP;
  Item *warp = s.items + first;
  bool released = false;
  for (unsigned leader = 0; leader < lanes; ++leader) {
    if (warp[leader].state != State::AtWarp) continue;
    const Mask mask = warp[leader].mask;
    bool complete = true;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const bool expected = mask == active_lanes || (mask >> lane & 1);
      if (!expected || warp[lane].state == State::Finished) continue;
      complete &= warp[lane].state == State::AtWarp && warp[lane].mask == mask;
    }
    // A function without a mask is about the lanes that take part, so it may
    // go ahead without the others once nothing else can.
    if (!complete && !(incomplete_too && mask == active_lanes)) continue;
    for (unsigned lane = leader; lane < lanes; ++lane) {
      if (warp[lane].state == State::AtWarp && warp[lane].mask == mask) {
        warp[lane].state = State::Runnable;
      }
    }
    released = true;
  }
  return released;
}

inline bool release_warps(Scheduler &s, bool incomplete_too) {
  bool released = false;
  for (unsigned first = 0; first < s.threads; first += BROOK_WARP) {
    released |= release_warp(s, first, incomplete_too);
    if (released && incomplete_too) break;
  }
  return released;
}

// Called when no thread can go on: decides which ones may.
inline bool release(Scheduler &s) {
  unsigned at_block = 0, at_warp = 0;
  for (unsigned i = 0; i < s.threads; ++i) {
    at_block += s.items[i].state == State::AtBlock;
    at_warp += s.items[i].state == State::AtWarp;
  }
  if (at_warp == 0) {
    if (at_block < s.threads) {
      s.fail(divergence, "divergent barrier: %u thread%s of the block wait%s, %u ended without it",
             at_block, plural(at_block), at_block == 1 ? "s" : "", s.threads - at_block);
      return false;
    }
    for (unsigned i = 0; i < s.threads; ++i) s.items[i].state = State::Runnable;
    s.last_votes = s.votes;
    s.votes = 0;
    return true;
  }
  if (release_warps(s, false) || release_warps(s, true)) return true;
  s.fail(divergence,
         "divergent warp function: %u thread%s wait%s for lanes that ended or wait elsewhere "
         "(%u at a block barrier)",
         at_warp, plural(at_warp), at_warp == 1 ? "s" : "", at_block);
  return false;
}

// The next thread to run, or -1 when the block has ended or failed.
inline int next_item(Scheduler &s) {
  for (;;) {
    while (s.position < s.threads) {
      const unsigned item = s.sequence[s.position++];
      if (s.items[item].state == State::Runnable) return int(item);
    }
    if (s.unfinished == 0 || !release(s)) return -1;
    if (s.order == Order::Random) s.shuffle(s.sequence, s.threads);
    s.position = 0;
  }
}

// What a fiber does: it runs threads from their start to their end, and steps
// aside for those that wait in the middle.
inline void fiber_main() {
  Scheduler &s = scheduler();
  Fiber *self = nullptr;
  for (;;) {
    int item = s.assigned;
    s.assigned = -1;
    if (self == nullptr) self = s.items[item].fiber;
    if (item < 0) item = next_item(s);
    if (item < 0) {
      s.idle.push_back(self);
      if (_setjmp(self->resume) == 0) leave_block(s);
      continue;
    }
    Item &entry = s.items[item];
    if (entry.fiber == nullptr || entry.fiber == self) {
      entry.fiber = self;
      s.enter(unsigned(item));
      s.call(s.call_context);
      s.items[s.current].state = State::Finished;
      --s.unfinished;
    } else {
      s.idle.push_back(self);
      change(*self, *entry.fiber);
    }
  }
}

inline Fiber *take_fiber(Scheduler &s) {
  if (s.idle.empty()) {
    auto fresh = std::make_unique<Fiber>();
    if (!fresh->prepare(fiber_main)) {
      s.fail(no_memory, "no memory for the stack of another fiber");
      return nullptr;
    }
    s.idle.push_back(fresh.get());
    s.fibers.push_back(std::move(fresh));
  }
  Fiber *fiber = s.idle.back();
  s.idle.pop_back();
  return fiber;
}

// Suspends the running thread.
__attribute__((noinline)) inline void wait_here(State state, Mask mask) {
  Scheduler &s = scheduler();
  const unsigned me = s.current;
  s.items[me].state = state;
  s.items[me].mask = mask;
  const int next = next_item(s);
  if (next < 0) leave_block(s);
  if (unsigned(next) != me) {
    Fiber *other = s.items[next].fiber;
    if (other == nullptr) {
      other = take_fiber(s);
      if (other == nullptr) leave_block(s);
      s.items[next].fiber = other;
      s.assigned = next;
    }
    change(*s.items[me].fiber, *other);
  }
  s.enter(me);
}

// The compiler must not know what happens here: otherwise it might keep shared
// variables in registers across a barrier.
inline void (*volatile wait_opaquely)(State, Mask) = wait_here;

inline void wait(State state, Mask mask) {
  __asm__ volatile("" ::: "memory");
  wait_opaquely(state, mask);
  __asm__ volatile("" ::: "memory");
}

[[noreturn]] inline void give_up(int code, const char *why) {
  Scheduler &s = scheduler();
  s.fail(code, "%s", why);
  leave_block(s);
}

// Runs one block; the indices are set.
inline bool run_block(Scheduler &s) {
  s.unfinished = s.threads;
  s.position = 0;
  s.votes = 0;
  for (unsigned i = 0; i < s.threads; ++i) s.items[i] = {State::Runnable, nullptr, 0, nullptr};
  if (s.order == Order::Random) s.shuffle(s.sequence, s.threads);

  Fiber *first = take_fiber(s);
  if (first == nullptr) return false;
  s.assigned = next_item(s);
  s.items[s.assigned].fiber = first;
  if (_setjmp(s.caller) == 0) {
    if (first->entered) _longjmp(first->resume, 1);
    first->entered = true;
    setcontext(&first->entry);
  }
  if (s.error == ok) return true;

  // Suspended threads are abandoned: all fibers start anew.
  s.idle.clear();
  for (auto &fiber : s.fibers) {
    fiber->prepare(fiber_main);
    s.idle.push_back(fiber.get());
  }
  return false;
}

inline int run_grid(Scheduler &s, dim3 grid, dim3 block) {
  s.error = ok;
  s.message[0] = '\0';
  s.threads = 0;
  const uint64_t size = uint64_t(block.x) * block.y * block.z;
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  if (size == 0 || blocks == 0) {
    s.fail(invalid_launch, "launch of grid %ux%ux%u, block %ux%ux%u: an extent is zero", grid.x,
           grid.y, grid.z, block.x, block.y, block.z);
  } else if (size > max_threads || block.z > 64) {
    s.fail(invalid_launch, "a block of %ux%ux%u threads: the limit is %u in all and 64 along z",
           block.x, block.y, block.z, max_threads);
  } else if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535) {
    s.fail(invalid_launch, "a grid of %ux%ux%u blocks: the limits are 2147483647, 65535 and 65535",
           grid.x, grid.y, grid.z);
  }
  if (s.error != ok) return s.error;

  blockDim = block;
  gridDim = grid;
  s.threads = unsigned(size);
  s.restart_random();
  for (unsigned i = 0; i < s.threads; ++i) {
    s.places[i] = {i % block.x, i / block.x % block.y, i / block.x / block.y};
    s.sequence[i] = s.order == Order::Reversed ? s.threads - 1 - i : i;
  }
  // Blocks in random order: a list of them, unless that would be huge.
  std::vector<uint64_t> list;
  if (s.order == Order::Random && blocks <= (1u << 22)) {
    list.resize(blocks);
    for (uint64_t i = 0; i < blocks; ++i) list[i] = i;
    for (uint64_t i = blocks; i > 1; --i) std::swap(list[i - 1], list[s.draw(i)]);
  }
  for (uint64_t n = 0; n < blocks; ++n) {
    const uint64_t i = !list.empty() ? list[n] : s.order == Order::Reversed ? blocks - 1 - n : n;
    blockIdx = {unsigned(i % grid.x), unsigned(i / grid.x % grid.y),
                unsigned(i / grid.x / grid.y)};
    if (!run_block(s)) break;
  }
  s.threads = 0;
  return s.error;
}

template <class... P>
struct Call {
  void (*kernel)(P...);
  std::tuple<const std::remove_cv_t<std::remove_reference_t<P>> *...> values;

  static void run(void *self) {
    Call &call = *static_cast<Call *>(self);
    std::apply(
        [&](auto *...value) {
          // Every thread gets copies of its own, as parameters on a device are.
          std::tuple<std::remove_cv_t<std::remove_reference_t<P>>...> copies(*value...);
          std::apply([&](auto &...copy) { call.kernel(copy...); }, copies);
        },
        call.values);
  }
};

template <class... P, size_t... I>
Call<P...> make_call(void (*kernel)(P...), void **arguments, std::index_sequence<I...>) {
  (void)arguments;
  return {kernel,
          {static_cast<const std::remove_cv_t<std::remove_reference_t<P>> *>(arguments[I])...}};
}

}  // namespace detail

// The order of blocks, and of threads between two barriers, from now on. The
// seed matters for Random only, which draws a new order at every barrier.
inline void set_order(Order order, unsigned seed) {
  detail::Scheduler &s = detail::scheduler();
  const std::lock_guard<std::mutex> lock(s.busy);
  s.order = order;
  s.seed = seed;
}

namespace detail {
inline thread_local char last_message[sizeof Scheduler::message] = "";
}

// Why the last launch from this host thread failed; empty if it did not.
inline const char *last_error() { return detail::last_message; }

namespace detail {

template <class... P>
int launch_locked(Scheduler &s, void (*kernel)(P...), dim3 grid, dim3 block, void **arguments) {
  auto call = make_call(kernel, arguments, std::index_sequence_for<P...>());
  s.call = &decltype(call)::run;
  s.call_context = &call;
  const int code = run_grid(s, grid, block);
  memcpy(last_message, s.message, sizeof last_message);
  return code;
}

}  // namespace detail

// Runs a kernel to its end. `arguments[i]` points to the value of parameter i.
// Returns 0 or one of Error. Launches from several host threads take turns.
template <class... P>
int launch(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments) {
  detail::Scheduler &s = detail::scheduler();
  const std::lock_guard<std::mutex> lock(s.busy);
  return detail::launch_locked(s, kernel, grid, block, arguments);
}

namespace detail {

template <class... P>
int launch_export(void (*kernel)(P...), const unsigned long long *grid, const unsigned *block,
                  void **arguments, int order, unsigned seed, const char **error) {
  // What does not fit becomes the largest number, which is refused as too large.
  const auto extent = [](unsigned long long n) { return n > UINT_MAX ? UINT_MAX : unsigned(n); };
  Scheduler &s = scheduler();
  const std::lock_guard<std::mutex> lock(s.busy);
  s.order = order == 1 ? Order::Reversed : order == 2 ? Order::Random : Order::Forward;
  s.seed = seed;
  const int code =
      launch_locked(s, kernel, dim3(extent(grid[0]), extent(grid[1]), extent(grid[2])),
                    dim3(block[0], block[1], block[2]), arguments);
  if (error != nullptr) *error = last_error();
  // A process may load hundreds of libraries, each with a scheduler, and a process has a limited number
  // of mappings: two for each stack.
  if (s.idle.size() == s.fibers.size()) {
    s.idle.clear();
    s.fibers.clear();
  }
  return code;
}

// ---------------------------------------------------------------------------
// Warps

inline unsigned lane_of(unsigned item) { return item % BROOK_WARP; }

inline void check_mask(Mask mask) {
  if (mask != active_lanes && !(mask >> lane_of(scheduler().current) & 1)) {
    give_up(bad_mask, "a thread called a warp function with a mask that it is not in");
  }
}

inline Mask canonical(Mask mask) {
  constexpr Mask all = BROOK_WARP == 64 ? ~Mask(0) : (Mask(1) << (BROOK_WARP % 64)) - 1;
  mask &= all;
  // An empty mask would read as "active lanes".
  if (mask == 0) give_up(bad_mask, "a thread called a warp function with an empty mask");
  return mask;
}

// Every lane shows a value, all meet, every lane looks at what it wants, and
// all meet again before the values go out of scope.
template <class T, class Look>
auto exchange(Mask mask, const T &value, Look look) {
  Scheduler &s = scheduler();
  const unsigned me = s.current;
  check_mask(mask);
  s.items[me].offer = &value;
  wait(State::AtWarp, mask);
  const unsigned first = me - lane_of(me);
  // The value of a lane, or null if that lane takes no part.
  const auto at = [&](unsigned lane) -> const T * {
    if (first + lane >= s.threads) return nullptr;
    return static_cast<const T *>(s.items[first + lane].offer);
  };
  auto result = look(at);
  wait(State::AtWarp, mask);
  s.items[me].offer = nullptr;
  return result;
}

template <class T>
T shuffle_from(Mask mask, T value, int source) {
  return exchange(mask, value, [&](auto at) {
    const T *other = at(unsigned(source));
    return other != nullptr ? *other : value;
  });
}

inline int my_lane() { return int(lane_of(scheduler().current)); }

template <class T>
T shuffle(Mask mask, T value, int source, int width) {
  const int segment = my_lane() & ~(width - 1);
  return shuffle_from(mask, value, segment + (source & (width - 1)));
}

template <class T>
T shuffle_up(Mask mask, T value, unsigned delta, int width) {
  const int lane = my_lane(), segment = lane & ~(width - 1);
  const int source = lane - int(delta);
  return shuffle_from(mask, value, source < segment ? lane : source);
}

template <class T>
T shuffle_down(Mask mask, T value, unsigned delta, int width) {
  const int lane = my_lane(), segment = lane & ~(width - 1);
  const int source = lane + int(delta);
  return shuffle_from(mask, value, source >= segment + width ? lane : source);
}

template <class T>
T shuffle_xor(Mask mask, T value, int lanes, int width) {
  const int lane = my_lane(), segment = lane & ~(width - 1);
  const int source = lane ^ lanes;
  return shuffle_from(mask, value, source >= segment + width ? lane : source);
}

inline Mask ballot(Mask mask, int predicate) {
  return exchange(mask, predicate, [&](auto at) {
    Mask votes = 0;
    for (unsigned lane = 0; lane < BROOK_WARP; ++lane) {
      if (mask != active_lanes && !(mask >> lane & 1)) continue;
      const int *other = at(lane);
      if (other != nullptr && *other != 0) votes |= Mask(1) << lane;
    }
    return votes;
  });
}

inline bool all(Mask mask, int predicate) { return ballot(mask, !predicate) == 0; }

template <class T, class Operation>
T reduce(Mask mask, T value, Operation operation) {
  return exchange(mask, value, [&](auto at) {
    T result{};
    bool first = true;
    for (unsigned lane = 0; lane < BROOK_WARP; ++lane) {
      const T *other = (mask >> lane & 1) ? at(lane) : nullptr;
      if (other == nullptr) continue;
      result = first ? *other : T(operation(result, *other));
      first = false;
    }
    return result;
  });
}

template <class To, class From>
To bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

template <class T>
T replace(T *address, T value) {
  T old = *address;
  *address = value;
  return old;
}

// Float to integer: saturates, and NaN becomes 0.
template <class To, class From>
To to_integer(From x) {
  if (x != x) return 0;
  if (x <= From(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (x >= From(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return To(x);
}

}  // namespace detail
}  // namespace simt

// Defines the entry of one kernel for a caller that loads the library.
#define BROOK_SIMT_EXPORT(name)                                                         \
  extern "C" __attribute__((visibility("default"))) int brook_simt_launch_##name(       \
      const unsigned long long *grid, const unsigned *block, void **arguments, int order, \
      unsigned seed, const char **error) {                                              \
    return simt::detail::launch_export(name, grid, block, arguments, order, seed, error); \
  }

// ---------------------------------------------------------------------------
// Barriers and fences

inline void __syncthreads() { simt::detail::wait(simt::detail::State::AtBlock, 0); }

inline int __syncthreads_count(int predicate) {
  simt::detail::scheduler().votes += predicate != 0;
  __syncthreads();
  return simt::detail::scheduler().last_votes;
}
inline int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
inline int __syncthreads_and(int predicate) { return __syncthreads_count(!predicate) == 0; }

inline void __syncwarp(unsigned long long mask = ~0ull) {
  mask = simt::detail::canonical(mask);
  simt::detail::check_mask(mask);
  simt::detail::wait(simt::detail::State::AtWarp, mask);
}

inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

[[noreturn]] inline void __trap() { simt::detail::give_up(simt::trapped, "__trap() was called"); }

// ---------------------------------------------------------------------------
// Warp functions

#define BROOK_SIMT_MASKED unsigned long long mask
#define BROOK_SIMT_ALL simt::detail::canonical(mask)

template <class T>
T __shfl_sync(BROOK_SIMT_MASKED, T value, int lane, int width = warpSize) {
  return simt::detail::shuffle(BROOK_SIMT_ALL, value, lane, width);
}
template <class T>
T __shfl_up_sync(BROOK_SIMT_MASKED, T value, unsigned delta, int width = warpSize) {
  return simt::detail::shuffle_up(BROOK_SIMT_ALL, value, delta, width);
}
template <class T>
T __shfl_down_sync(BROOK_SIMT_MASKED, T value, unsigned delta, int width = warpSize) {
  return simt::detail::shuffle_down(BROOK_SIMT_ALL, value, delta, width);
}
template <class T>
T __shfl_xor_sync(BROOK_SIMT_MASKED, T value, int lanes, int width = warpSize) {
  return simt::detail::shuffle_xor(BROOK_SIMT_ALL, value, lanes, width);
}

#ifdef BROOK_SIMT_HIP
using brook_simt_lanes = unsigned long long;
#else
using brook_simt_lanes = unsigned;
#endif

inline brook_simt_lanes __ballot_sync(BROOK_SIMT_MASKED, int predicate) {
  return brook_simt_lanes(simt::detail::ballot(BROOK_SIMT_ALL, predicate));
}
inline int __any_sync(BROOK_SIMT_MASKED, int predicate) {
  return simt::detail::ballot(BROOK_SIMT_ALL, predicate) != 0;
}
inline int __all_sync(BROOK_SIMT_MASKED, int predicate) {
  return simt::detail::all(BROOK_SIMT_ALL, predicate);
}

// The lanes that have not ended. A device may report fewer.
inline brook_simt_lanes __activemask() {
  simt::detail::Scheduler &s = simt::detail::scheduler();
  const unsigned first = s.current - simt::detail::lane_of(s.current);
  unsigned long long lanes = 0;
  for (unsigned lane = 0; lane < BROOK_WARP && first + lane < s.threads; ++lane) {
    if (s.items[first + lane].state != simt::detail::State::Finished) lanes |= 1ull << lane;
  }
  return brook_simt_lanes(lanes);
}

#define BROOK_SIMT_REDUCE(name, type, expression)                                   \
  inline type name(BROOK_SIMT_MASKED, type value) {                                 \
    return simt::detail::reduce(BROOK_SIMT_ALL, value, [](type a, type b) { return expression; }); \
  }
BROOK_SIMT_REDUCE(__reduce_add_sync, unsigned, a + b)
BROOK_SIMT_REDUCE(__reduce_add_sync, int, int(unsigned(a) + unsigned(b)))
BROOK_SIMT_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
BROOK_SIMT_REDUCE(__reduce_min_sync, int, a < b ? a : b)
BROOK_SIMT_REDUCE(__reduce_max_sync, unsigned, a > b ? a : b)
BROOK_SIMT_REDUCE(__reduce_max_sync, int, a > b ? a : b)
BROOK_SIMT_REDUCE(__reduce_and_sync, unsigned, a &b)
BROOK_SIMT_REDUCE(__reduce_or_sync, unsigned, a | b)
BROOK_SIMT_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef BROOK_SIMT_REDUCE
#undef BROOK_SIMT_MASKED
#undef BROOK_SIMT_ALL

#ifndef BROOK_SIMT_CUDA
// HIP's functions without a mask: the lanes that get there take part.
template <class T>
T __shfl(T value, int lane, int width = warpSize) {
  return simt::detail::shuffle(simt::detail::active_lanes, value, lane, width);
}
template <class T>
T __shfl_up(T value, unsigned delta, int width = warpSize) {
  return simt::detail::shuffle_up(simt::detail::active_lanes, value, delta, width);
}
template <class T>
T __shfl_down(T value, unsigned delta, int width = warpSize) {
  return simt::detail::shuffle_down(simt::detail::active_lanes, value, delta, width);
}
template <class T>
T __shfl_xor(T value, int lanes, int width = warpSize) {
  return simt::detail::shuffle_xor(simt::detail::active_lanes, value, lanes, width);
}
inline unsigned long long __ballot(int predicate) {
  return simt::detail::ballot(simt::detail::active_lanes, predicate);
}
inline int __any(int predicate) { return __ballot(predicate) != 0; }
inline int __all(int predicate) { return __ballot(!predicate) == 0; }
inline unsigned __lane_id() { return unsigned(simt::detail::my_lane()); }
// Built-in names of the AMD compiler that generated code may use.
inline void __builtin_amdgcn_s_barrier() { __syncthreads(); }
inline void __builtin_amdgcn_wave_barrier() {
  simt::detail::wait(simt::detail::State::AtWarp, simt::detail::active_lanes);
}
#if BROOK_WARP == 64 && defined(__FLT16_MAX__)
// The matrix instructions of CDNA 2, as AMD's manual lays their operands out: 16 lanes have a row of the left factor, or a column
// of the right one and of the sums, and the four groups of lanes the elements along the other axis. Of the sums each lane has
// four: of rows side by side in float, and of every fourth row in double.
#define __gfx90a__ 1
namespace simt {
namespace detail {
typedef double sums_double __attribute__((vector_size(32)));
typedef float sums_float __attribute__((vector_size(16)));
typedef _Float16 halves __attribute__((vector_size(8)));
typedef short shorts __attribute__((vector_size(8)));
inline float bfloat16(short bits) {
  const unsigned word = unsigned(bits & 0xffff) << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}
// 'depth' elements of a row lie in the same number of groups of lanes, `depth / 4` in each lane.
template <class V, class F>
V products(V sums, bool apart, int depth, F &&element) {
  const int lane = my_lane(), own = depth / 4;
  for (int e = 0; e < 4; ++e) {
    const int row = apart ? lane / 16 + 4 * e : lane / 16 * 4 + e;
    for (int k = 0; k < depth; ++k) {
      const auto left = __shfl(element(true, k % own), row + 16 * (k / own));
      const auto right = __shfl(element(false, k % own), lane % 16 + 16 * (k / own));
      sums[e] += left * right;
    }
  }
  return sums;
}
} // namespace detail
} // namespace simt
inline simt::detail::sums_double __builtin_amdgcn_mfma_f64_16x16x4f64(double a, double b, simt::detail::sums_double c, int, int, int) {
  return simt::detail::products(c, true, 4, [&](bool left, int) { return left ? a : b; });
}
inline simt::detail::sums_float __builtin_amdgcn_mfma_f32_16x16x4f32(float a, float b, simt::detail::sums_float c, int, int, int) {
  return simt::detail::products(c, false, 4, [&](bool left, int) { return left ? a : b; });
}
inline simt::detail::sums_float __builtin_amdgcn_mfma_f32_16x16x16f16(simt::detail::halves a, simt::detail::halves b, simt::detail::sums_float c, int, int, int) {
  return simt::detail::products(c, false, 16, [&](bool left, int at) { return float(left ? a[at] : b[at]); });
}
inline simt::detail::sums_float __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(simt::detail::shorts a, simt::detail::shorts b, simt::detail::sums_float c, int, int, int) {
  return simt::detail::products(c, false, 16, [&](bool left, int at) { return simt::detail::bfloat16(left ? a[at] : b[at]); });
}
#endif
#define __builtin_amdgcn_fence(...) ((void)0)
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#endif

// ---------------------------------------------------------------------------
// Atomics. Fibers change places at barriers only, so plain operations will do.
// The overloads are those of the vendors, so that a call that they would
// refuse, or convert, is refused or converted here as well.

#define BROOK_SIMT_ATOMIC(name, type, expression)   \
  inline type name(type *address, type value) {     \
    const type old = *address;                      \
    *address = (type)(expression);                  \
    return old;                                     \
  }
#define BROOK_SIMT_ATOMICS(suffix)                                                       \
  BROOK_SIMT_ATOMIC(atomicAdd##suffix, int, unsigned(old) + unsigned(value))             \
  BROOK_SIMT_ATOMIC(atomicAdd##suffix, unsigned, old + value)                            \
  BROOK_SIMT_ATOMIC(atomicAdd##suffix, unsigned long long, old + value)                  \
  BROOK_SIMT_ATOMIC(atomicAdd##suffix, float, old + value)                               \
  BROOK_SIMT_ATOMIC(atomicAdd##suffix, double, old + value)                              \
  BROOK_SIMT_ATOMIC(atomicSub##suffix, int, unsigned(old) - unsigned(value))             \
  BROOK_SIMT_ATOMIC(atomicSub##suffix, unsigned, old - value)                            \
  BROOK_SIMT_ATOMIC(atomicExch##suffix, int, value)                                      \
  BROOK_SIMT_ATOMIC(atomicExch##suffix, unsigned, value)                                 \
  BROOK_SIMT_ATOMIC(atomicExch##suffix, unsigned long long, value)                       \
  BROOK_SIMT_ATOMIC(atomicExch##suffix, float, value)                                    \
  BROOK_SIMT_ATOMIC(atomicMin##suffix, int, value < old ? value : old)                   \
  BROOK_SIMT_ATOMIC(atomicMin##suffix, unsigned, value < old ? value : old)              \
  BROOK_SIMT_ATOMIC(atomicMin##suffix, long long, value < old ? value : old)             \
  BROOK_SIMT_ATOMIC(atomicMin##suffix, unsigned long long, value < old ? value : old)    \
  BROOK_SIMT_ATOMIC(atomicMax##suffix, int, value > old ? value : old)                   \
  BROOK_SIMT_ATOMIC(atomicMax##suffix, unsigned, value > old ? value : old)              \
  BROOK_SIMT_ATOMIC(atomicMax##suffix, long long, value > old ? value : old)             \
  BROOK_SIMT_ATOMIC(atomicMax##suffix, unsigned long long, value > old ? value : old)    \
  BROOK_SIMT_ATOMIC(atomicInc##suffix, unsigned, old >= value ? 0 : old + 1)             \
  BROOK_SIMT_ATOMIC(atomicDec##suffix, unsigned, old == 0 || old > value ? value : old - 1) \
  BROOK_SIMT_ATOMIC(atomicAnd##suffix, int, old &value)                                  \
  BROOK_SIMT_ATOMIC(atomicAnd##suffix, unsigned, old &value)                             \
  BROOK_SIMT_ATOMIC(atomicAnd##suffix, unsigned long long, old &value)                   \
  BROOK_SIMT_ATOMIC(atomicOr##suffix, int, old | value)                                  \
  BROOK_SIMT_ATOMIC(atomicOr##suffix, unsigned, old | value)                             \
  BROOK_SIMT_ATOMIC(atomicOr##suffix, unsigned long long, old | value)                   \
  BROOK_SIMT_ATOMIC(atomicXor##suffix, int, old ^ value)                                 \
  BROOK_SIMT_ATOMIC(atomicXor##suffix, unsigned, old ^ value)                            \
  BROOK_SIMT_ATOMIC(atomicXor##suffix, unsigned long long, old ^ value)

BROOK_SIMT_ATOMICS()
BROOK_SIMT_ATOMICS(_block)
BROOK_SIMT_ATOMICS(_system)

#ifndef BROOK_SIMT_CUDA
BROOK_SIMT_ATOMIC(atomicAdd, unsigned long, old + value)
BROOK_SIMT_ATOMIC(atomicSub, unsigned long, old - value)
BROOK_SIMT_ATOMIC(atomicSub, unsigned long long, old - value)
BROOK_SIMT_ATOMIC(atomicSub, float, old - value)
BROOK_SIMT_ATOMIC(atomicSub, double, old - value)
BROOK_SIMT_ATOMIC(atomicExch, unsigned long, value)
BROOK_SIMT_ATOMIC(atomicExch, double, value)
BROOK_SIMT_ATOMIC(atomicMin, float, value < old ? value : old)
BROOK_SIMT_ATOMIC(atomicMin, double, value < old ? value : old)
BROOK_SIMT_ATOMIC(atomicMax, float, value > old ? value : old)
BROOK_SIMT_ATOMIC(atomicMax, double, value > old ? value : old)
BROOK_SIMT_ATOMIC(unsafeAtomicAdd, float, old + value)
BROOK_SIMT_ATOMIC(unsafeAtomicAdd, double, old + value)
#endif
#undef BROOK_SIMT_ATOMICS
#undef BROOK_SIMT_ATOMIC

#define BROOK_SIMT_CAS(name, type)                              \
  inline type name(type *address, type compare, type value) {   \
    const type old = *address;                                  \
    if (old == compare) *address = value;                       \
    return old;                                                 \
  }
#define BROOK_SIMT_CASES(suffix)                         \
  BROOK_SIMT_CAS(atomicCAS##suffix, int)                 \
  BROOK_SIMT_CAS(atomicCAS##suffix, unsigned)            \
  BROOK_SIMT_CAS(atomicCAS##suffix, unsigned short)      \
  BROOK_SIMT_CAS(atomicCAS##suffix, unsigned long long)
BROOK_SIMT_CASES()
BROOK_SIMT_CASES(_block)
BROOK_SIMT_CASES(_system)
#ifndef BROOK_SIMT_CUDA
BROOK_SIMT_CAS(atomicCAS, unsigned long)
BROOK_SIMT_CAS(atomicCAS, float)
BROOK_SIMT_CAS(atomicCAS, double)
#endif
#undef BROOK_SIMT_CASES
#undef BROOK_SIMT_CAS

// ---------------------------------------------------------------------------
// Numbers

#define BROOK_SIMT_MINMAX(type, a_type, b_type)                                     \
  inline type min(a_type a, b_type b) { return (type)a < (type)b ? (type)a : (type)b; } \
  inline type max(a_type a, b_type b) { return (type)a > (type)b ? (type)a : (type)b; }
BROOK_SIMT_MINMAX(int, int, int)
BROOK_SIMT_MINMAX(unsigned, unsigned, unsigned)
BROOK_SIMT_MINMAX(unsigned, int, unsigned)
BROOK_SIMT_MINMAX(unsigned, unsigned, int)
BROOK_SIMT_MINMAX(long, long, long)
BROOK_SIMT_MINMAX(unsigned long, unsigned long, unsigned long)
BROOK_SIMT_MINMAX(unsigned long, long, unsigned long)
BROOK_SIMT_MINMAX(unsigned long, unsigned long, long)
BROOK_SIMT_MINMAX(long long, long long, long long)
BROOK_SIMT_MINMAX(unsigned long long, unsigned long long, unsigned long long)
BROOK_SIMT_MINMAX(unsigned long long, long long, unsigned long long)
BROOK_SIMT_MINMAX(unsigned long long, unsigned long long, long long)
#undef BROOK_SIMT_MINMAX
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(a, b); }
inline double min(double a, float b) { return fmin(a, b); }
inline double max(float a, double b) { return fmax(a, b); }
inline double max(double a, float b) { return fmax(a, b); }

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return 1.0f / sqrtf(x); }
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// Never contracted, which a plain compiler's `-ffp-contract=off` ensures; the
// volatile does in any case.
#define BROOK_SIMT_ROUNDED(name, type, operation) \
  inline type name(type a, type b) {              \
    volatile type result = a operation b;         \
    return result;                                \
  }
BROOK_SIMT_ROUNDED(__fadd_rn, float, +)
BROOK_SIMT_ROUNDED(__fsub_rn, float, -)
BROOK_SIMT_ROUNDED(__fmul_rn, float, *)
BROOK_SIMT_ROUNDED(__fdiv_rn, float, /)
BROOK_SIMT_ROUNDED(__dadd_rn, double, +)
BROOK_SIMT_ROUNDED(__dsub_rn, double, -)
BROOK_SIMT_ROUNDED(__dmul_rn, double, *)
BROOK_SIMT_ROUNDED(__ddiv_rn, double, /)
#undef BROOK_SIMT_ROUNDED
inline float __fadd_rd(float a, float b) {
  const float sum = a + b, other = sum - a;
  const float error = (a - (sum - other)) + (b - other);
  return error < 0 ? nextafterf(sum, -INFINITY) : sum;
}
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline double __dsqrt_rn(double x) { return sqrt(x); }
inline float __frsqrt_rn(float x) { return float(1.0 / sqrt(double(x))); }
inline float __frcp_rn(float x) { return 1.0f / x; }
inline double __drcp_rn(double x) { return 1.0 / x; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return powf(10.0f, x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __powf(float x, float y) { return powf(x, y); }

inline int __float_as_int(float x) { return simt::detail::bits<int>(x); }
inline unsigned __float_as_uint(float x) { return simt::detail::bits<unsigned>(x); }
inline float __int_as_float(int x) { return simt::detail::bits<float>(x); }
inline float __uint_as_float(unsigned x) { return simt::detail::bits<float>(x); }
inline long long __double_as_longlong(double x) { return simt::detail::bits<long long>(x); }
inline double __longlong_as_double(long long x) { return simt::detail::bits<double>(x); }
inline int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return simt::detail::bits<double>((unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

#define BROOK_SIMT_CONVERT(from, from_type, to, to_type)                                 \
  inline to_type __##from##2##to##_rz(from_type x) {                                     \
    return simt::detail::to_integer<to_type>(std::trunc(x));                             \
  }                                                                                      \
  inline to_type __##from##2##to##_rn(from_type x) {                                     \
    return simt::detail::to_integer<to_type>(std::nearbyint(x));                         \
  }                                                                                      \
  inline to_type __##from##2##to##_rd(from_type x) {                                     \
    return simt::detail::to_integer<to_type>(std::floor(x));                             \
  }                                                                                      \
  inline to_type __##from##2##to##_ru(from_type x) {                                     \
    return simt::detail::to_integer<to_type>(std::ceil(x));                              \
  }
BROOK_SIMT_CONVERT(float, float, int, int)
BROOK_SIMT_CONVERT(float, float, uint, unsigned)
BROOK_SIMT_CONVERT(float, float, ll, long long)
BROOK_SIMT_CONVERT(float, float, ull, unsigned long long)
BROOK_SIMT_CONVERT(double, double, int, int)
BROOK_SIMT_CONVERT(double, double, uint, unsigned)
BROOK_SIMT_CONVERT(double, double, ll, long long)
BROOK_SIMT_CONVERT(double, double, ull, unsigned long long)
#undef BROOK_SIMT_CONVERT
inline float __int2float_rn(int x) { return float(x); }
inline float __uint2float_rn(unsigned x) { return float(x); }
inline float __ll2float_rn(long long x) { return float(x); }
inline float __ull2float_rn(unsigned long long x) { return float(x); }
inline double __int2double_rn(int x) { return double(x); }
inline double __uint2double_rn(unsigned x) { return double(x); }
inline double __ll2double_rn(long long x) { return double(x); }
inline double __ull2double_rn(unsigned long long x) { return double(x); }
inline float __double2float_rn(double x) { return float(x); }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned result = 0;
  for (int i = 0; i < 32; ++i) result |= (x >> i & 1u) << (31 - i);
  return result;
}
inline int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return unsigned((unsigned long long)a * b >> 32);
}
__extension__ typedef __int128 brook_simt_wide;
__extension__ typedef unsigned __int128 brook_simt_uwide;
inline long long __mul64hi(long long a, long long b) { return (long long)(brook_simt_wide(a) * b >> 64); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)(brook_simt_uwide(a) * b >> 64);
}
inline int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }

template <class T>
T __ldg(const T *address) {
  return *address;
}

#pragma GCC visibility pop

#endif  // BROOK_SIMT
