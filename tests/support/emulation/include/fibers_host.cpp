// The half of the emulations of Metal and SYCL that is the same for all kernels: fibers, one an item (see simt.hpp).
#include "simt.hpp"

namespace {

struct Launch {
  void (*call)(unsigned long, const unsigned *);
  unsigned long arguments;
};

void item(Launch launch) {
  const unsigned places[9] = {blockIdx.x,  blockIdx.y,  blockIdx.z,  threadIdx.x, threadIdx.y,
                              threadIdx.z, blockDim.x, blockDim.y, blockDim.z};
  launch.call(launch.arguments, places);
}

}  // namespace

#define HIDDEN __attribute__((visibility("hidden")))

extern "C" HIDDEN void brook_fibers_wait() { __syncthreads(); }
// The running item's number in its group, and how many there are.
extern "C" HIDDEN unsigned brook_fibers_item() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
extern "C" HIDDEN unsigned brook_fibers_items() { return blockDim.x * blockDim.y * blockDim.z; }

extern "C" HIDDEN int brook_fibers_launch(void (*call)(unsigned long, const unsigned *), const unsigned long long *grid, const unsigned *group,
                                         unsigned long arguments, int order, unsigned seed, const char **message) {
  Launch launch = {call, arguments};
  void *one[] = {&launch};
  return simt::detail::launch_export(item, grid, group, one, order, seed, message);
}
