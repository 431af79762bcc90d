// SYCL 2020 for any compiler of C++17, as far as generated kernels use it: groups run one after the other, the items of each as
// fibers (`fibers_host.cpp`), so that a barrier that is missing shows. What is not used is not there; what is there is as strict
// as the standard: an atomic_ref takes the types that SYCL has atomics of, functions of the group are for all of its items.
#ifndef BROOK_SYCL_SHIM
#define BROOK_SYCL_SHIM 1

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#define SYCL_LANGUAGE_VERSION 202012L

extern "C" void brook_fibers_wait();
extern "C" int brook_fibers_launch(void (*call)(unsigned long, const unsigned *), const unsigned long long *grid, const unsigned *group,
                                   unsigned long arguments, int order, unsigned seed, const char **message);

namespace sycl {

template <int N> class range {
  size_t of[N];

 public:
  template <class... S, class = std::enable_if_t<sizeof...(S) == N>> range(S... sizes) : of{(size_t)sizes...} {}
  size_t operator[](int axis) const { return of[axis]; }
  size_t size() const {
    size_t all = 1;
    for (size_t n : of) all *= n;
    return all;
  }
};

template <int N> class nd_range {
  range<N> global, local;

 public:
  nd_range(range<N> all, range<N> group) : global(all), local(group) {}
  range<N> get_global_range() const { return global; }
  range<N> get_local_range() const { return local; }
};

namespace detail {

// Place of the running item: group, item and extents along x, y, z.
struct Place {
  unsigned at[9];
};

// Bytes behind memory of a group.
constexpr size_t behind = 4096;

// What the items of a group tell each other: each its own, and all read what all told.
template <class T> struct Told {
  static constexpr size_t most = 1024;
  static T *slots() {
    static T all[most];
    return all;
  }
};

}  // namespace detail

template <int N> class group {
  static_assert(N == 3, "kernels have three axes");
  detail::Place place;

 public:
  explicit group(detail::Place at) : place(at) {}
  size_t get_group_id(int axis) const { return place.at[2 - axis]; }
  size_t get_local_id(int axis) const { return place.at[5 - axis]; }
  size_t get_local_linear_id() const { return place.at[3] + (size_t)place.at[6] * (place.at[4] + (size_t)place.at[7] * place.at[5]); }
  size_t get_local_linear_range() const { return (size_t)place.at[6] * place.at[7] * place.at[8]; }
};

template <int N> class nd_item {
  detail::Place place;

 public:
  explicit nd_item(detail::Place at) : place(at) {}
  group<N> get_group() const { return group<N>(place); }
};

template <int N> static inline void group_barrier(group<N>) { brook_fibers_wait(); }

template <class T = void> struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T = void> struct minimum {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void> struct maximum {
  T operator()(T a, T b) const { return a < b ? b : a; }
};

namespace detail {

// Items tell, wait, read and wait.
template <class G, class T, class F> static inline auto together(G g, T value, F of) {
  static_assert(std::is_arithmetic_v<T> || sizeof(T) == 2, "functions of the group take numbers");
  T *const slots = Told<T>::slots();
  slots[g.get_local_linear_id()] = value;
  brook_fibers_wait();
  const auto result = of((const T *)slots, g.get_local_linear_id(), g.get_local_linear_range());
  brook_fibers_wait();
  return result;
}

template <class T> struct Identity;
template <class T> struct Identity<plus<T>> {
  static T value() { return T(0); }
};

}  // namespace detail

template <class G, class T, class O> static inline T reduce_over_group(G g, T value, O combine) {
  return detail::together(g, value, [&](const T *all, size_t, size_t count) {
    T result = all[0];
    for (size_t i = 1; i < count; ++i) result = combine(result, all[i]);
    return result;
  });
}
template <class G, class T, class O> static inline T inclusive_scan_over_group(G g, T value, O combine) {
  return detail::together(g, value, [&](const T *all, size_t me, size_t) {
    T result = all[0];
    for (size_t i = 1; i <= me; ++i) result = combine(result, all[i]);
    return result;
  });
}
template <class G, class T, class O> static inline T exclusive_scan_over_group(G g, T value, T first, O combine) {
  return detail::together(g, value, [&](const T *all, size_t me, size_t) {
    T result = first;
    for (size_t i = 0; i < me; ++i) result = combine(result, all[i]);
    return result;
  });
}
template <class G, class T, class O> static inline T exclusive_scan_over_group(G g, T value, O combine) {
  return exclusive_scan_over_group(g, value, detail::Identity<O>::value(), combine);
}
template <class G> static inline bool any_of_group(G g, bool value) {
  return detail::together(g, (unsigned char)value, [](const unsigned char *all, size_t, size_t count) {
    return std::any_of(all, all + count, [](unsigned char v) { return v != 0; });
  });
}
template <class G> static inline bool all_of_group(G g, bool value) { return !any_of_group(g, !value); }

enum class memory_order { relaxed, acquire, release, acq_rel, seq_cst };
enum class memory_scope { work_item, sub_group, work_group, device, system };

// Fibers change places at barriers only, so plain operations will do.
template <class T, memory_order O, memory_scope S> class atomic_ref {
  static_assert(std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, long> || std::is_same_v<T, unsigned long> ||
                    std::is_same_v<T, long long> || std::is_same_v<T, unsigned long long> || std::is_same_v<T, float> ||
                    std::is_same_v<T, double> || std::is_pointer_v<T>,
                "SYCL has atomics of numbers of 32 and 64 bits");
  T &of;

  T take(T next) const {
    const T old = of;
    of = next;
    return old;
  }

 public:
  explicit atomic_ref(T &object) : of(object) {}
  T load() const { return of; }
  void store(T value) const { of = value; }
  T exchange(T value) const { return take(value); }
  bool compare_exchange_strong(T &expected, T next) const {
    const bool same = memcmp(&of, &expected, sizeof(T)) == 0;
    expected = of;
    if (same) of = next;
    return same;
  }
  T fetch_add(T value) const { return take(of + value); }
  T fetch_sub(T value) const { return take(of - value); }
  T fetch_and(T value) const { return take(of & value); }
  T fetch_or(T value) const { return take(of | value); }
  T fetch_xor(T value) const { return take(of ^ value); }
  T fetch_min(T value) const { return take(value < of ? value : of); }
  T fetch_max(T value) const { return take(of < value ? value : of); }
};

#ifdef __FLT16_MAX__
typedef _Float16 half;
#endif

class handler;

// What has ended when it is returned.
struct event {
  void wait() {}
};

// What launches: and in which order items run between two barriers.
class queue {
 public:
  int order = 0;
  unsigned seed = 0;
  int status = 0;
  const char *message = nullptr;
  template <class F> void submit(F work);
  event memcpy(void *to, const void *from, size_t bytes) {
    ::memcpy(to, from, bytes);
    return {};
  }
};

static inline void *malloc_device(size_t bytes, const queue &) { return malloc(bytes); }
static inline void free(void *memory, const queue &) { ::free(memory); }

class handler {
  queue &of;
  std::vector<std::vector<unsigned char>> memory;
  template <class T, int N> friend class local_accessor;
  friend class queue;
  explicit handler(queue &from) : of(from) {}

  template <class F> static void run(unsigned long work, const unsigned *places) {
    detail::Place place;
    ::memcpy(place.at, places, sizeof place.at);
    (*reinterpret_cast<const F *>(work))(nd_item<3>(place));
  }

 public:
  template <class F> void parallel_for(nd_range<3> all, const F &work) {
    const range<3> global = all.get_global_range(), local = all.get_local_range();
    const unsigned group[3] = {(unsigned)local[2], (unsigned)local[1], (unsigned)local[0]};
    const unsigned long long grid[3] = {global[2] / local[2], global[1] / local[1], global[0] / local[0]};
    // A lambda is a kernel's if it can be copied to a device byte by byte.
    of.status = brook_fibers_launch(run<F>, grid, group, (unsigned long)&work, of.order, of.seed, &of.message);
  }
};

template <class F> void queue::submit(F work) {
  handler own(*this);
  work(own);
  for (const std::vector<unsigned char> &all : own.memory)
    if (!std::all_of(all.end() - detail::behind, all.end(), [](unsigned char byte) { return byte == 0xa5; })) {
      status = 1;
      message = "group memory is written behind its end";
    }
}

// Memory of a group, which is not zero by itself. What lies behind its end is not written: that is looked at.
template <class T, int N> class local_accessor {
  static_assert(N == 1, "one axis");
  T *first;

 public:
  local_accessor(range<1> count, handler &of) {
    of.memory.emplace_back(count.size() * sizeof(T) + alignof(T) + detail::behind, (unsigned char)0xa5);
    const uintptr_t from = reinterpret_cast<uintptr_t>(of.memory.back().data());
    first = reinterpret_cast<T *>((from + alignof(T) - 1) / alignof(T) * alignof(T));
  }
  T &operator[](size_t at) const { return first[at]; }
};

}  // namespace sycl

// One kernel's launch, as the emulation calls it.
#define BROOK_SYCL_EXPORT(NAME)                                                                                                 \
  extern "C" int brook_simt_launch_##NAME(const unsigned long long *grid, const unsigned *group, void **arguments, int order, \
                                          unsigned seed, const char **message) {                                              \
    sycl::queue queue;                                                                                                        \
    queue.order = order;                                                                                                      \
    queue.seed = seed;                                                                                                        \
    brook_launch_##NAME(queue, grid, group, arguments);                                                                       \
    *message = queue.message;                                                                                                 \
    return queue.status;                                                                                                      \
  }

#endif
