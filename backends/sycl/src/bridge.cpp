// What the driver calls of SYCL's C++, as functions of C. Each that can fail returns what went wrong, or null.
//
// Compiled by any compiler of C++ for DPC++'s runtime, which builds kernels from source; or, with BROOK_LAMBDAS, by a compiler
// of SYCL 2020, which then compiles kernels to libraries, too.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <sycl/sycl.hpp>

#ifndef BROOK_LAMBDAS
namespace experimental = sycl::ext::oneapi::experimental;
using Bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;
#endif

namespace {

struct Device {
  sycl::device device;
  sycl::context context;
};

bool is_complete(const sycl::event &event) {
  const auto status = event.get_info<sycl::info::event::command_execution_status>();
#ifdef BROOK_LAMBDAS
  // AdaptiveCpp begins with what was submitted when somebody waits for it, and SYCL has no other word for that: whoever asks again
  // and again waits in the end.
  static thread_local unsigned asked = 0;
  if (status == sycl::info::event_command_status::submitted && ++asked > 100) {
    asked = 0;
    sycl::event(event).wait();
    return true;
  }
#endif
  return status == sycl::info::event_command_status::complete;
}

#ifdef BROOK_LAMBDAS
// What runs, with what tells whether it still does: the last mark, and whether anything came behind it.
struct Queue {
  sycl::queue queue;
  std::mutex lock;
  sycl::event last;
  bool marked = false, behind = false;

  explicit Queue(const sycl::queue &of) : queue(of) {}
  void finish() {
    queue.wait_and_throw();
    std::lock_guard<std::mutex> locked(lock);
    marked = behind = false;
  }
  // Before anything is given to it.
  sycl::queue &used() {
    std::lock_guard<std::mutex> locked(lock);
    behind = true;
    return queue;
  }
  sycl::event mark() {
    return queue.submit([](sycl::handler &handler) { handler.single_task([] {}); });
  }
  bool idle() {
    std::lock_guard<std::mutex> locked(lock);
    if (behind) {
      last = mark();
      marked = true;
      behind = false;
    }
    return !marked || is_complete(last);
  }
  void wait_for(const sycl::event &event) {
    used().submit([&](sycl::handler &handler) {
      handler.depends_on(event);
      handler.single_task([] {});
    });
  }
};
#else
// What runs, and beside it what takes the time of marks: a queue that does costs every launch a microsecond.
struct Queue {
  sycl::queue queue, times;

  void finish() {
    queue.wait_and_throw();
    times.wait();
  }
  sycl::queue &used() { return queue; }
  sycl::event mark() {
    const sycl::event reached = queue.ext_oneapi_submit_barrier();
    return times.ext_oneapi_submit_barrier({reached});
  }
  bool idle() { return queue.ext_oneapi_empty(); }
  void wait_for(const sycl::event &event) { queue.ext_oneapi_submit_barrier({event}); }
};
#endif

// Devices that kernels can be had for, in the runtime's order.
const std::vector<sycl::device> &all() {
  static const std::vector<sycl::device> found = [] {
    std::vector<sycl::device> devices;
    for (sycl::device device : sycl::device::get_devices()) {
#ifndef BROOK_LAMBDAS
      // PoCL says that it takes what DPC++'s compiler makes, and then does not.
      const std::string platform = device.get_platform().get_info<sycl::info::platform::name>();
      if (platform.find("Portable Computing Language") != std::string::npos) continue;
      if (!device.ext_oneapi_can_build(experimental::source_language::sycl)) continue;
#endif
      devices.push_back(device);
    }
    return devices;
  }();
  return found;
}

char *copy(const std::string &text) {
  char *out = static_cast<char *>(std::malloc(text.size() + 1));
  if (out) std::memcpy(out, text.c_str(), text.size() + 1);
  return out;
}

// Whether the process ends: SYCL and its compiler take themselves down then, before what a program keeps in its globals goes.
std::atomic<bool> ended{false};
std::mutex queues_lock;
std::set<Queue *> queues;

// What runs at the end of the process, before whatever has been there by now goes: work that is under way is waited for, and
// what is left is left.
void end() {
  if (ended.exchange(true)) return;
  std::lock_guard<std::mutex> locked(queues_lock);
  for (Queue *queue : queues) {
    try {
      queue->finish();
    } catch (...) {
    }
  }
}

template <class F> char *guarded(F f) {
  if (ended) return copy("the process is at its end");
  try {
    f();
    return nullptr;
  } catch (const std::exception &e) {
    return copy(e.what());
  } catch (...) {
    return copy("an exception that says nothing");
  }
}

// The same where nobody asks what went wrong.
template <class F> void quietly(F f) { std::free(guarded(f)); }

// To be called after what may load more of SYCL: of what runs at the end, the last that was registered is the first.
#define END_BEFORE_THIS() static const int brook_registered = std::atexit(end); (void)brook_registered

void put(char *to, size_t room, const std::string &text) {
  const size_t length = text.size() < room - 1 ? text.size() : room - 1;
  std::memcpy(to, text.data(), length);
  to[length] = 0;
}

}  // namespace

extern "C" {

struct brook_sycl_info {
  char name[256], version[128];
  int kind;  // 0 GPU, 1 processor, 2 other
  unsigned units;
  unsigned long long memory, shared, threads, group[3];
};

void brook_sycl_free(char *text) { std::free(text); }

char *brook_sycl_count(unsigned *count) {
  return guarded([&] {
    *count = static_cast<unsigned>(all().size());
    END_BEFORE_THIS();
  });
}

char *brook_sycl_describe(unsigned number, brook_sycl_info *info) {
  return guarded([&] {
    const sycl::device &device = all().at(number);
    put(info->name, sizeof info->name, device.get_info<sycl::info::device::name>());
    put(info->version, sizeof info->version,
        device.get_platform().get_info<sycl::info::platform::name>() + " " + device.get_info<sycl::info::device::driver_version>());
    info->kind = device.is_gpu() ? 0 : device.is_cpu() ? 1 : 2;
    info->units = device.get_info<sycl::info::device::max_compute_units>();
    info->memory = device.get_info<sycl::info::device::global_mem_size>();
    info->shared = device.get_info<sycl::info::device::local_mem_size>();
    info->threads = device.get_info<sycl::info::device::max_work_group_size>();
    const sycl::id<3> group = device.get_info<sycl::info::device::max_work_item_sizes<3>>();
    for (int axis = 0; axis < 3; ++axis) info->group[axis] = group[2 - axis];
  });
}

char *brook_sycl_open(unsigned number, Device **out) {
  return guarded([&] {
    const sycl::device &device = all().at(number);
    *out = new Device{device, sycl::context(device)};
  });
}
void brook_sycl_close(Device *device) {
  quietly([&] { delete device; });
}

char *brook_sycl_queue(Device *device, Queue **out) {
  return guarded([&] {
    const sycl::property_list in_order{sycl::property::queue::in_order()};
    const sycl::property_list timed{sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()};
#ifdef BROOK_LAMBDAS
    (void)in_order;
    // Errors that come later are those of whoever waits.
    const auto later = [](sycl::exception_list errors) {
      for (const std::exception_ptr &error : errors) std::rethrow_exception(error);
    };
    *out = new Queue(sycl::queue(device->context, device->device, later, timed));
#else
    *out = new Queue{sycl::queue(device->context, device->device, in_order), sycl::queue(device->context, device->device, timed)};
#endif
    std::lock_guard<std::mutex> locked(queues_lock);
    queues.insert(*out);
  });
}
void brook_sycl_end_queue(Queue *queue) {
  if (ended) return;
  {
    std::lock_guard<std::mutex> locked(queues_lock);
    queues.erase(queue);
  }
  quietly([&] { queue->finish(); });
  quietly([&] { delete queue; });
}
char *brook_sycl_wait(Queue *queue) {
  return guarded([&] { queue->finish(); });
}
char *brook_sycl_idle(Queue *queue, int *idle) {
  return guarded([&] { *idle = queue->idle(); });
}

char *brook_sycl_mark(Queue *queue, sycl::event **out) {
  return guarded([&] { *out = new sycl::event(queue->mark()); });
}
void brook_sycl_end_event(sycl::event *event) {
  quietly([&] { delete event; });
}
char *brook_sycl_await(sycl::event *event) {
  return guarded([&] { event->wait(); });
}
char *brook_sycl_done(sycl::event *event, int *done) {
  return guarded([&] { *done = is_complete(*event); });
}
char *brook_sycl_time(sycl::event *event, unsigned long long *nanoseconds) {
  return guarded([&] { *nanoseconds = event->get_profiling_info<sycl::info::event_profiling::command_end>(); });
}
char *brook_sycl_wait_for(Queue *queue, sycl::event *event) {
  return guarded([&] { queue->wait_for(*event); });
}

// host: memory of the host that kernels reach, too.
char *brook_sycl_allocate(Device *device, size_t bytes, int host, void **out) {
  return guarded([&] {
    // Some runtimes give none of a size that is no multiple.
    bytes = (bytes + 63) / 64 * 64;
    *out = host ? sycl::aligned_alloc_host(64, bytes, device->context)
                : sycl::aligned_alloc_device(64, bytes, device->device, device->context);
    if (!*out) throw std::runtime_error("out of memory");
  });
}
void brook_sycl_release(Device *device, void *memory) {
  quietly([&] { sycl::free(memory, device->context); });
}
char *brook_sycl_copy(Queue *queue, void *to, const void *from, size_t bytes, int wait) {
  return guarded([&] {
    const sycl::event event = queue->used().memcpy(to, from, bytes);
    if (wait) sycl::event(event).wait_and_throw();
  });
}
char *brook_sycl_zero(Queue *queue, void *to, size_t bytes) {
  return guarded([&] { queue->used().memset(to, 0, bytes); });
}

#ifdef BROOK_LAMBDAS
// A kernel of a compiled library: what its `brook_find` returns.
typedef void Launcher(sycl::queue &queue, const unsigned long long groups[3], const unsigned items[3], void *const *arguments);

// A launch by name, of a library whose function for that is `find`; null where it has no such kernel.
char *brook_sycl_kernel(Launcher *(*find)(const char *), Device *device, const char *name, Launcher **out, unsigned long long *threads) {
  return guarded([&] {
    *out = find(name);
    *threads = device->device.get_info<sycl::info::device::max_work_group_size>();
    END_BEFORE_THIS();
  });
}
void brook_sycl_end_kernel(Launcher *) {}

char *brook_sycl_launch(Queue *queue, Launcher *kernel, const unsigned long long groups[3], const unsigned items[3], size_t,
                        void *const *arguments, const size_t *) {
  return guarded([&] {
    kernel(queue->used(), groups, items, arguments);
    END_BEFORE_THIS();
  });
}

// There is nothing to build with.
char *brook_sycl_build(Device *, const char *, size_t, const char *const *, size_t, void **, char **) {
  return copy("kernels are compiled ahead");
}
void brook_sycl_end_bundle(void *) {}
#else
// log: what the compiler said; null where it said nothing.
char *brook_sycl_build(Device *device, const char *source, size_t length, const char *const *options, size_t count, Bundle **out,
                       char **log) {
  std::string said;
  *log = nullptr;
  char *error = guarded([&] {
    const std::vector<std::string> flags(options, options + count);
    auto bundle = experimental::create_kernel_bundle_from_source(device->context, experimental::source_language::sycl,
                                                                 std::string(source, length));
    *out = new Bundle(experimental::build(bundle, {device->device},
                                          experimental::properties{experimental::save_log{&said}, experimental::build_options{flags}}));
  });
  if (!said.empty()) *log = copy(said);
  END_BEFORE_THIS();
  return error;
}
void brook_sycl_end_bundle(Bundle *bundle) {
  quietly([&] { delete bundle; });
}
char *brook_sycl_kernel(Bundle *bundle, Device *device, const char *name, sycl::kernel **out, unsigned long long *threads) {
  return guarded([&] {
    *out = nullptr;
    if (!bundle->ext_oneapi_has_kernel(name)) return;
    sycl::kernel kernel = bundle->ext_oneapi_get_kernel(name);
    *threads = kernel.get_info<sycl::info::kernel_device_specific::work_group_size>(device->device);
    *out = new sycl::kernel(kernel);
  });
}
void brook_sycl_end_kernel(sycl::kernel *kernel) {
  quietly([&] { delete kernel; });
}

// sizes: bytes of a value, 0 for an address.
char *brook_sycl_launch(Queue *queue, sycl::kernel *kernel, const unsigned long long groups[3], const unsigned items[3], size_t count,
                        void *const *arguments, const size_t *sizes) {
  return guarded([&] {
    queue->queue.submit([&](sycl::handler &handler) {
      for (size_t i = 0; i < count; ++i) {
        if (sizes[i] == 0) handler.set_arg(static_cast<int>(i), *static_cast<void *const *>(arguments[i]));
        else handler.set_arg(static_cast<int>(i), experimental::raw_kernel_arg(arguments[i], sizes[i]));
      }
      const sycl::range<3> local(items[2], items[1], items[0]);
      const sycl::range<3> all(groups[2] * items[2], groups[1] * items[1], groups[0] * items[0]);
      handler.parallel_for(sycl::nd_range<3>(all, local), *kernel);
    });
    END_BEFORE_THIS();
  });
}

#endif

}  // extern "C"
