/* The name that C programs include for the C interface, and old C++ programs for everything. */
#ifndef BROOK_BROOK_H
#define BROOK_BROOK_H

#include <brook/abi.h>

#ifdef __cplusplus
#include <brook/brook.hpp>
#endif

#endif
