// Stands in for HIP's header where there is no HIP: see hip_on_cuda.hpp and
// simt.hpp, of which it picks the one that the compiler can use.
#ifndef BROOK_HIP_SHIM
#define BROOK_HIP_SHIM 1
#if defined(BROOK_SIMT)
// simt.hpp has been included already, and has all of HIP.
#ifdef BROOK_SIMT_CUDA
#error "HIP source in an emulation that was restricted to CUDA (BROOK_SIMT_CUDA)"
#endif
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)
#include "../../hip_on_cuda.hpp"
#else
#ifndef BROOK_SIMT_HIP
#define BROOK_SIMT_HIP 1
#endif
#include "../../simt.hpp"
#endif
#endif
