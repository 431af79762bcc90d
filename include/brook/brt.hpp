// The name under which programs for BrookGPU include everything, and types that only these have.
#ifndef BROOK_BRT_HPP
#define BROOK_BRT_HPP

#include <brook/brook.hpp>
#include <brook/fixed.hpp>

#endif
