// Runs a generated OpenCL launcher without this project's runtime: what is before this in the text is
// the launcher itself.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

// Calls a kernel's launcher with pointers to its arguments.
template <class... P, std::size_t... I>
static cl_int call(cl_int (*function)(cl_program, cl_command_queue, P...), cl_program program, cl_command_queue queue, void **arguments, std::index_sequence<I...>) {
  return function(program, queue, *static_cast<P *>(arguments[I])...);
}
template <class... P>
static cl_int call(cl_int (*function)(cl_program, cl_command_queue, P...), cl_program program, cl_command_queue queue, void **arguments) {
  return call(function, program, queue, arguments, std::index_sequence_for<P...>());
}

// A device that is no GPU, with the program built for it.
struct Machine {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;

  bool open(const char *source, const char *options) {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) return false;
    for (cl_uint i = 0; i < count && i < 8 && !device; ++i)
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) != CL_SUCCESS) device = nullptr;
    if (!device) return false;
    cl_int result;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result);
    if (result != CL_SUCCESS) return false;
    queue = clCreateCommandQueue(context, device, 0, &result);
    if (result != CL_SUCCESS) return false;
    program = clCreateProgramWithSource(context, 1, &source, nullptr, &result);
    return result == CL_SUCCESS && clBuildProgram(program, 1, &device, options, nullptr, nullptr) == CL_SUCCESS;
  }
};

static Machine machine;

extern "C" int brook_test_open(const char *source, const char *options) { return machine.open(source, options) ? 0 : 1; }

// `buffers[i]` tells whether argument i is memory: it is copied to the device and back.
template <class F>
static int run(F *function, int count, void **arguments, const std::size_t *sizes, const char *buffers) {
  std::vector<cl_mem> memory(count);
  std::vector<void *> places(arguments, arguments + count);
  cl_int result = CL_SUCCESS;
  for (int i = 0; i < count && result == CL_SUCCESS; ++i) {
    if (!buffers[i]) continue;
    memory[i] = clCreateBuffer(machine.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizes[i], arguments[i], &result);
    places[i] = &memory[i];
  }
  if (result == CL_SUCCESS) result = call(function, machine.program, machine.queue, places.data());
  for (int i = 0; i < count; ++i) {
    if (!memory[i]) continue;
    if (result == CL_SUCCESS) result = clEnqueueReadBuffer(machine.queue, memory[i], CL_TRUE, 0, sizes[i], arguments[i], 0, nullptr, nullptr);
    clReleaseMemObject(memory[i]);
  }
  return result;
}
