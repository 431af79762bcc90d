// NVRTC has no <stdint.h>: the types that HIP source takes from it, as the C library of Linux has them.
#if defined(__CUDACC_RTC__)
#ifndef BROOK_HIP_SHIM_STDINT
#define BROOK_HIP_SHIM_STDINT 1
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
#endif
#else
#include_next <stdint.h>
#endif
