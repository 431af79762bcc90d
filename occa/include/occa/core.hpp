// Devices, memory, kernels, streams, and the functions over the current device.
#ifndef OCCA_CORE_HPP
#define OCCA_CORE_HPP

#include <occa/core/base.hpp>

#endif
