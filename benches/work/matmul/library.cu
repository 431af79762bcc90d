// As float has it.
#define FLOAT_PRODUCT CUBLAS_COMPUTE_32F
#include "../cublas.hpp"
