// The name under which programs for BrookGPU include everything.
#ifndef BROOK_BRT_HPP
#define BROOK_BRT_HPP

#include <brook/brook.hpp>

#endif
