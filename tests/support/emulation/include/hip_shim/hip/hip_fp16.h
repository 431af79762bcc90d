// Stands in for HIP's header: in the emulation, and where NVRTC compiles HIP source.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#include <cuda_fp16.h>
#else
#include "../../half.hpp"
#endif
