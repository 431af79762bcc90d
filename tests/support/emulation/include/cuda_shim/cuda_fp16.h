// Stands in for CUDA's header in the emulation.
#include "../half.hpp"
