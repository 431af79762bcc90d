// The C++ face of brook's runtime (C++11 and later, header-only over abi.h): streams, devices, and the
// kernels that generated host programs call.
//
// No error ends the program: it stays with the streams it concerns. One that nobody asks for is printed, and the
// process does not end with status 0.
#ifndef BROOK_BROOK_HPP
#define BROOK_BROOK_HPP

#include <brook/Device.h>
#include <brook/KernelInterface.h>
#include <brook/Sequence.h>
#include <brook/Stream.h>

#ifdef USE_OLD_API
#include <brook/brookgpu.hpp>
#endif
#ifdef BROOK_DIALECT_BROOKGPU
#include <brook/fixed.hpp>
#endif

#include <cassert>
#include <cstdio>
#include <cstring>

#endif
