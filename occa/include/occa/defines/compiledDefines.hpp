// What the interface was built for, and what compiles the program. C reads this, too.
#ifndef OCCA_DEFINES_COMPILEDDEFINES_HPP
#define OCCA_DEFINES_COMPILEDDEFINES_HPP

// A bit each.
#define OCCA_LINUX_OS 1
#define OCCA_MACOS_OS 2
#define OCCA_WINDOWS_OS 4
#define OCCA_WINUX_OS (OCCA_LINUX_OS | OCCA_WINDOWS_OS)
#ifndef OCCA_OS
#define OCCA_OS OCCA_LINUX_OS
#endif
#define OCCA_USING_VS 0

// Checks are always made.
#define OCCA_UNSAFE 0
// Each thread has its own current device.
#define OCCA_THREAD_SHARABLE_ENABLED 0

// Whether a program can be compiled for a mode, with what it takes from the vendor's headers. Which modes there are is known
// when it runs: occa::modeIsEnabled.
#ifndef OCCA_OPENMP_ENABLED
#define OCCA_OPENMP_ENABLED 1
#endif
#ifdef __has_include
#if !defined(OCCA_CUDA_ENABLED) && __has_include(<cuda.h>)
#define OCCA_CUDA_ENABLED 1
#endif
#if !defined(OCCA_HIP_ENABLED) && __has_include(<hip/hip_runtime_api.h>)
#define OCCA_HIP_ENABLED 1
#endif
#if !defined(OCCA_OPENCL_ENABLED) && __has_include(<CL/cl.h>)
#define OCCA_OPENCL_ENABLED 1
#endif
#endif
#ifndef OCCA_CUDA_ENABLED
#define OCCA_CUDA_ENABLED 0
#endif
#ifndef OCCA_HIP_ENABLED
#define OCCA_HIP_ENABLED 0
#endif
#ifndef OCCA_OPENCL_ENABLED
#define OCCA_OPENCL_ENABLED 0
#endif
#define OCCA_METAL_ENABLED 0
#define OCCA_DPCPP_ENABLED 0

#if defined(__arm__)
#define OCCA_ARM 1
#else
#define OCCA_ARM 0
#endif
#if defined(__LP64__)
#define OCCA_64_BIT 1
#define OCCA_32_BIT 0
#else
#define OCCA_64_BIT 0
#define OCCA_32_BIT 1
#endif

#endif
