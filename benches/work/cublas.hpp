// The vendor's own product, with FLOAT_PRODUCT as what float is computed in. It counts columns first, so that it is asked for the
// product of the transposed matrices.
#include <cublas_v2.h>
#include <cuda_runtime.h>

static cublasHandle_t handle = nullptr;

static int product(const int n, const void *a, const void *b, void *c, cudaDataType_t type, cublasComputeType_t compute, const void *one,
                   const void *zero, cudaStream_t stream) {
  int error = handle == nullptr ? (int) cublasCreate(&handle) : 0;
  if (error == 0) error = (int) cublasSetStream(handle, stream);
  if (error == 0) {
    error = (int) cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, one, b, type, n, a, type, n, zero, c, type, n, compute,
                               CUBLAS_GEMM_DEFAULT);
  }
  return error;
}

static int product(const int n, const double *a, const double *b, double *c, cudaStream_t stream) {
  const double one = 1, zero = 0;
  return product(n, a, b, c, CUDA_R_64F, CUBLAS_COMPUTE_64F, &one, &zero, stream);
}
static int product(const int n, const float *a, const float *b, float *c, cudaStream_t stream) {
  const float one = 1, zero = 0;
  return product(n, a, b, c, CUDA_R_32F, FLOAT_PRODUCT, &one, &zero, stream);
}

extern "C" int product_cublas(const void *const *arguments, cudaStream_t stream) {
  const int n = *(const int *) arguments[0];
  const REAL *a = *(const REAL *const *) arguments[1], *b = *(const REAL *const *) arguments[2];
  return product(n, a, b, *(REAL *const *) arguments[3], stream);
}
