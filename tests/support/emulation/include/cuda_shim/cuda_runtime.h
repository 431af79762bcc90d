// Stands in for CUDA's header when an ordinary compiler builds generated CUDA
// source for the emulation in simt.hpp. NVRTC and nvcc do not need it.
#ifndef BROOK_CUDA_SHIM
#define BROOK_CUDA_SHIM 1
#if !defined(BROOK_SIMT) && !defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#ifndef BROOK_SIMT_CUDA
#define BROOK_SIMT_CUDA 1
#endif
#include "../simt.hpp"
#endif
#endif
