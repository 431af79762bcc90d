// A launch as SYCL's own interface has it: an in-order queue, a kernel from source, two addresses.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;

static sycl::queue *queue;
static sycl::kernel *kernel;
static float *x, *y;

// The same place among the devices that compile SYCL as brook counts them.
extern "C" int raw_open(unsigned number, const char *source, const char *name) try {
  for (sycl::device device : sycl::device::get_devices()) {
    const auto platform = device.get_platform().get_info<sycl::info::platform::name>();
    if (platform.find("Portable Computing Language") != std::string::npos) continue;
    if (!device.ext_oneapi_can_build(experimental::source_language::sycl) || number-- != 0) continue;
    queue = new sycl::queue(device, sycl::property_list{sycl::property::queue::in_order()});
    auto bundle = experimental::create_kernel_bundle_from_source(queue->get_context(), experimental::source_language::sycl,
                                                                 std::string(source));
    kernel = new sycl::kernel(experimental::build(bundle).ext_oneapi_get_kernel(name));
    x = sycl::malloc_device<float>(32, *queue);
    y = sycl::malloc_device<float>(32, *queue);
    return x && y ? 0 : 1;
  }
  return 2;
} catch (...) {
  return 3;
}

extern "C" void raw_launch() {
  queue->submit([&](sycl::handler &handler) {
    handler.set_args(x, y);
    handler.parallel_for(sycl::nd_range<3>({1, 1, 32}, {1, 1, 32}), *kernel);
  });
}

extern "C" void raw_wait() { queue->wait(); }
