// The vendor's own reductions.
#include <cub/device/device_reduce.cuh>
#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct Product {
  const REAL *x, *y;
  __host__ __device__ REAL operator()(int i) const { return x[i] * y[i]; }
};

// Memory for intermediate results, kept from call to call.
static void *scratch = nullptr;
static size_t scratch_bytes = 0;

template <class Input>
static int reduce(Input input, REAL *result, int n, cudaStream_t stream) {
  size_t bytes = 0;
  cudaError_t error = cub::DeviceReduce::Sum(nullptr, bytes, input, result, n, stream);
  if (error == cudaSuccess && bytes > scratch_bytes) {
    cudaFree(scratch);
    error = cudaMalloc(&scratch, bytes);
    scratch_bytes = bytes;
  }
  if (error == cudaSuccess) {
    error = cub::DeviceReduce::Sum(scratch, bytes, input, result, n, stream);
  }
  return (int) error;
}

extern "C" int sum_cub(const void *const *arguments, cudaStream_t stream) {
  const int n = *(const int *) arguments[0];
  const REAL *x = *(const REAL *const *) arguments[1];
  return reduce(x, *(REAL *const *) arguments[2], n, stream);
}

extern "C" int dot_cub(const void *const *arguments, cudaStream_t stream) {
  const int n = *(const int *) arguments[0];
  const REAL *x = *(const REAL *const *) arguments[1], *y = *(const REAL *const *) arguments[2];
  auto products = thrust::make_transform_iterator(thrust::make_counting_iterator(0), Product{x, y});
  return reduce(products, *(REAL *const *) arguments[3], n, stream);
}
