// Runs a generated SYCL launcher without this project's runtime: what is before this in the text is the launcher itself.
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Calls a kernel's launcher with pointers to its arguments.
template <class... P, std::size_t... I>
static int call(int (*function)(brook_bundle &, sycl::queue &, P...), brook_bundle &bundle, sycl::queue &queue, void **arguments, std::index_sequence<I...>) {
  return function(bundle, queue, *static_cast<P *>(arguments[I])...);
}
template <class... P>
static int call(int (*function)(brook_bundle &, sycl::queue &, P...), brook_bundle &bundle, sycl::queue &queue, void **arguments) {
  return call(function, bundle, queue, arguments, std::index_sequence_for<P...>());
}

// The first device that the program can be built for. It is never given back: SYCL is gone before what is static here.
struct Machine {
  sycl::queue queue;
  brook_bundle bundle;
};
static Machine *machine;

#ifdef BROOK_LAMBDAS
extern "C" brook_launcher *brook_find(const char *kernel);
extern "C" int brook_test_open(const char *, const char *) {
  machine = new Machine{sycl::queue(), brook_bundle{brook_find}};
  return 0;
}
#else
extern "C" int brook_test_open(const char *source, const char *option) {
  namespace experimental = sycl::ext::oneapi::experimental;
  try {
    for (sycl::device device : sycl::device::get_devices()) {
      const std::string platform = device.get_platform().get_info<sycl::info::platform::name>();
      if (platform.find("Portable Computing Language") != std::string::npos) continue;
      if (!device.ext_oneapi_can_build(experimental::source_language::sycl)) continue;
      const sycl::context context(device);
      auto text = experimental::create_kernel_bundle_from_source(context, experimental::source_language::sycl, std::string(source));
      const std::vector<std::string> options{option, "-w", "-fno-fast-math"};
      brook_bundle bundle = experimental::build(text, {device}, experimental::properties{experimental::build_options{options}});
      machine = new Machine{sycl::queue(context, device, sycl::property::queue::in_order()), bundle};
      return 0;
    }
    std::fprintf(stderr, "no device\n");
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  return 1;
}
#endif

// `buffers[i]` tells whether argument i is memory: it is copied to the device and back.
template <class F>
static int run(F *function, int count, void **arguments, const std::size_t *sizes, const char *buffers) {
  try {
    std::vector<void *> memory(count), places(arguments, arguments + count);
    for (int i = 0; i < count; ++i) {
      if (!buffers[i]) continue;
      memory[i] = sycl::malloc_device(sizes[i], machine->queue);
      machine->queue.memcpy(memory[i], arguments[i], sizes[i]);
      places[i] = &memory[i];
    }
    const int result = call(function, machine->bundle, machine->queue, places.data());
    for (int i = 0; i < count; ++i) {
      if (!memory[i]) continue;
      machine->queue.memcpy(arguments[i], memory[i], sizes[i]).wait();
      sycl::free(memory[i], machine->queue);
    }
    return result;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
