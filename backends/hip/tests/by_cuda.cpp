// HIP's runtime and hiprtc on NVIDIA's GPUs: each function that the driver calls, in CUDA's words. So the driver runs for real where
// there is no AMD GPU, with what it hands over checked by hardware: streams, events, graphs, copies between GPUs and processes (RCCL's
// functions are NCCL's: BROOK_RCCL names that library).
//
//   g++ -std=c++17 -shared -fPIC -I $CUDA/include by_cuda.cpp -o libhip-by-cuda.so -L $CUDA/lib64 -lcudart -lnvrtc -lcuda
//   BROOK_HIP=$PWD/libhip-by-cuda.so HIP_SHIM=$REPOSITORY/tests/support/emulation/include/hip_shim …
//
// It calls itself gfx90a, and has 32 lanes: kernels are to ask warpSize.
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {
// Numbers of errors are CUDA's runtime's but for those that the driver knows by HIP's.
int of(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return 0;
    case cudaErrorMemoryAllocation: return 2;
    case cudaErrorNoDevice: return 100;
    case cudaErrorNotReady: return 600;
    default: return 10000 + static_cast<int>(error);
  }
}
int of(CUresult error) {
  switch (error) {
    case CUDA_SUCCESS: return 0;
    case CUDA_ERROR_OUT_OF_MEMORY: return 2;
    case CUDA_ERROR_NOT_FOUND: return 500;
    default: return 20000 + static_cast<int>(error);
  }
}
// A call's own error is not to be the next one's.
int done(cudaError_t error) {
  cudaGetLastError();
  return of(error);
}
cudaStream_t stream(void *s) { return static_cast<cudaStream_t>(s); }
cudaEvent_t event(void *e) { return static_cast<cudaEvent_t>(e); }
}  // namespace

extern "C" {
const char *hipGetErrorName(int error) {
  const char *name = nullptr;
  if (error >= 20000) {
    cuGetErrorName(static_cast<CUresult>(error - 20000), &name);
    return name ? name : "unknown";
  }
  return error >= 10000 ? cudaGetErrorName(static_cast<cudaError_t>(error - 10000)) : "hipError";
}
const char *hipGetErrorString(int error) {
  const char *text = nullptr;
  if (error >= 20000) {
    cuGetErrorString(static_cast<CUresult>(error - 20000), &text);
    return text ? text : "unknown";
  }
  if (error >= 10000) return cudaGetErrorString(static_cast<cudaError_t>(error - 10000));
  return error == 2 ? "out of memory" : error == 500 ? "named symbol not found" : "an error";
}
int hipRuntimeGetVersion(int *version) { return *version = 60342134, 0; }
int hipGetDeviceCount(int *count) { return done(cudaGetDeviceCount(count)); }
int hipSetDevice(int device) { return done(cudaSetDevice(device)); }
int hipDeviceGetName(char *name, int bytes, int device) {
  cudaDeviceProp properties;
  if (int failed = done(cudaGetDeviceProperties(&properties, device))) return failed;
  std::strncpy(name, properties.name, bytes);
  return 0;
}
int hipDeviceTotalMem(size_t *bytes, int device) {
  cudaDeviceProp properties;
  if (int failed = done(cudaGetDeviceProperties(&properties, device))) return failed;
  return *bytes = properties.totalGlobalMem, 0;
}
int hipDeviceGetAttribute(int *value, int attribute, int device) {
  static const struct { int hip; cudaDeviceAttr cuda; } names[] = {
      {26, cudaDevAttrMaxBlockDimX}, {27, cudaDevAttrMaxBlockDimY}, {28, cudaDevAttrMaxBlockDimZ},
      {29, cudaDevAttrMaxGridDimX}, {30, cudaDevAttrMaxGridDimY}, {31, cudaDevAttrMaxGridDimZ},
      {56, cudaDevAttrMaxThreadsPerBlock}, {63, cudaDevAttrMultiProcessorCount},
      {74, cudaDevAttrMaxSharedMemoryPerBlock}};
  for (const auto &name : names)
    if (name.hip == attribute) return done(cudaDeviceGetAttribute(value, name.cuda, device));
  return 1;
}
int hipGetDevicePropertiesR0600(void *properties, int) {
  std::memset(properties, 0, 1472);
  std::strcpy(static_cast<char *>(properties) + 1160, "gfx90a");
  return 0;
}

int hipMalloc(void **memory, size_t bytes) { return done(cudaMalloc(memory, bytes)); }
int hipFree(void *memory) { return done(cudaFree(memory)); }
int hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *s) {
  return done(cudaMemcpyAsync(to, from, bytes, static_cast<cudaMemcpyKind>(kind), stream(s)));
}
int hipMemcpyPeerAsync(void *to, int there, const void *from, int here, size_t bytes, void *s) {
  return done(cudaMemcpyPeerAsync(to, there, from, here, bytes, stream(s)));
}
int hipDeviceEnablePeerAccess(int peer, unsigned flags) { return done(cudaDeviceEnablePeerAccess(peer, flags)); }
int hipMemsetAsync(void *memory, int value, size_t bytes, void *s) {
  return done(cudaMemsetAsync(memory, value, bytes, stream(s)));
}
int hipHostMalloc(void **memory, size_t bytes, unsigned flags) { return done(cudaHostAlloc(memory, bytes, flags)); }
int hipHostFree(void *memory) { return done(cudaFreeHost(memory)); }
int hipHostRegister(void *memory, size_t bytes, unsigned flags) {
  return done(cudaHostRegister(memory, bytes, flags));
}
int hipHostUnregister(void *memory) { return done(cudaHostUnregister(memory)); }
int hipHostGetDevicePointer(void **address, void *memory, unsigned flags) {
  return done(cudaHostGetDevicePointer(address, memory, flags));
}

int hipStreamCreateWithFlags(void **s, unsigned flags) {
  return done(cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t *>(s), flags));
}
int hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return done(cudaDeviceGetStreamPriorityRange(least, greatest));
}
int hipStreamCreateWithPriority(void **s, unsigned flags, int priority) {
  return done(cudaStreamCreateWithPriority(reinterpret_cast<cudaStream_t *>(s), flags, priority));
}
int hipStreamDestroy(void *s) { return done(cudaStreamDestroy(stream(s))); }
int hipStreamSynchronize(void *s) { return done(cudaStreamSynchronize(stream(s))); }
int hipStreamQuery(void *s) { return done(cudaStreamQuery(stream(s))); }
int hipStreamWaitEvent(void *s, void *e, unsigned flags) {
  return done(cudaStreamWaitEvent(stream(s), event(e), flags));
}
int hipDeviceSynchronize() { return done(cudaDeviceSynchronize()); }
int hipEventCreate(void **e) { return done(cudaEventCreate(reinterpret_cast<cudaEvent_t *>(e))); }
int hipEventDestroy(void *e) { return done(cudaEventDestroy(event(e))); }
int hipEventRecord(void *e, void *s) { return done(cudaEventRecord(event(e), stream(s))); }
int hipEventQuery(void *e) { return done(cudaEventQuery(event(e))); }
int hipEventSynchronize(void *e) { return done(cudaEventSynchronize(event(e))); }
int hipEventElapsedTime(float *milliseconds, void *from, void *to) {
  return done(cudaEventElapsedTime(milliseconds, event(from), event(to)));
}

int hipStreamBeginCapture(void *s, int mode) {
  return done(cudaStreamBeginCapture(stream(s), static_cast<cudaStreamCaptureMode>(mode)));
}
int hipStreamEndCapture(void *s, void **graph) {
  return done(cudaStreamEndCapture(stream(s), reinterpret_cast<cudaGraph_t *>(graph)));
}
int hipGraphInstantiate(void **made, void *graph, void **, char *, size_t) {
  return done(cudaGraphInstantiate(reinterpret_cast<cudaGraphExec_t *>(made), static_cast<cudaGraph_t>(graph), 0));
}
int hipGraphLaunch(void *made, void *s) {
  return done(cudaGraphLaunch(static_cast<cudaGraphExec_t>(made), stream(s)));
}
int hipGraphDestroy(void *graph) { return done(cudaGraphDestroy(static_cast<cudaGraph_t>(graph))); }
int hipGraphExecDestroy(void *made) { return done(cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(made))); }

int hipModuleLoadData(void **module, const void *image) {
  return of(cuModuleLoadData(reinterpret_cast<CUmodule *>(module), image));
}
int hipModuleUnload(void *module) { return of(cuModuleUnload(static_cast<CUmodule>(module))); }
int hipModuleGetFunction(void **function, void *module, const char *name) {
  return of(cuModuleGetFunction(reinterpret_cast<CUfunction *>(function), static_cast<CUmodule>(module), name));
}
int hipFuncGetAttribute(int *value, int attribute, void *function) {
  return of(cuFuncGetAttribute(value, static_cast<CUfunction_attribute>(attribute), static_cast<CUfunction>(function)));
}
int hipModuleLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void *s, void **arguments, void **extra) {
  return of(cuLaunchKernel(static_cast<CUfunction>(function), gx, gy, gz, bx, by, bz, shared, stream(s), arguments, extra));
}

const char *hiprtcGetErrorString(int error) { return nvrtcGetErrorString(static_cast<nvrtcResult>(error)); }
int hiprtcVersion(int *major, int *minor) { return nvrtcVersion(major, minor); }
int hiprtcCreateProgram(void **program, const char *source, const char *name, int headers, const char *const *texts,
                        const char *const *names) {
  return nvrtcCreateProgram(reinterpret_cast<nvrtcProgram *>(program), source, name, headers, texts, names);
}
int hiprtcDestroyProgram(void **program) { return nvrtcDestroyProgram(reinterpret_cast<nvrtcProgram *>(program)); }
int hiprtcCompileProgram(void *program, int count, const char *const *options) {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return NVRTC_ERROR_INTERNAL_ERROR;
  const char *shim = std::getenv("HIP_SHIM"), *cuda = std::getenv("CUDA_HOME");
  std::vector<std::string> words = {
      "--gpu-architecture=sm_" + std::to_string(10 * properties.major + properties.minor),
      "--device-as-default-execution-space", "-I" + std::string(shim ? shim : "."),
      "-I" + std::string(cuda ? cuda : "/usr/local/cuda") + "/include"};
  for (int i = 0; i < count; ++i) {
    const std::string word = options[i];
    if (word.rfind("--offload-arch", 0) == 0 || word.rfind("-O", 0) == 0) continue;
    if (word == "-ffp-contract=fast") words.push_back("--fmad=true");
    else if (word == "-ffp-contract=off") words.push_back("--fmad=false");
    else if (word == "-ffast-math") words.push_back("--use_fast_math");
    else words.push_back(word);
  }
  std::vector<const char *> pointers;
  for (const auto &word : words) pointers.push_back(word.c_str());
  return nvrtcCompileProgram(static_cast<nvrtcProgram>(program), static_cast<int>(pointers.size()), pointers.data());
}
int hiprtcGetProgramLogSize(void *program, size_t *bytes) {
  return nvrtcGetProgramLogSize(static_cast<nvrtcProgram>(program), bytes);
}
int hiprtcGetProgramLog(void *program, char *log) {
  return nvrtcGetProgramLog(static_cast<nvrtcProgram>(program), log);
}
int hiprtcGetCodeSize(void *program, size_t *bytes) {
  return nvrtcGetCUBINSize(static_cast<nvrtcProgram>(program), bytes);
}
int hiprtcGetCode(void *program, char *code) { return nvrtcGetCUBIN(static_cast<nvrtcProgram>(program), code); }
}
