// In TF32.
#define FLOAT_PRODUCT CUBLAS_COMPUTE_32F_FAST_TF32
#include "../cublas.hpp"
