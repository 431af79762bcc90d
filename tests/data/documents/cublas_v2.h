// What docs/recipes.md uses of cuBLAS's header, so that it can be compiled where there is none. Nothing links with it.
#pragma once
// As CUDA's own headers have them, outside of all namespaces.
#define __VECTOR_TYPES_H__
struct __attribute__((aligned(8))) float2 {
    float x, y;
};
struct __attribute__((aligned(16))) double2 {
    double x, y;
};
typedef struct CUstream_st *cudaStream_t;
typedef struct cublasContext *cublasHandle_t;
typedef enum { CUBLAS_STATUS_SUCCESS = 0 } cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0 } cublasOperation_t;
extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t a_as, cublasOperation_t b_as, int m, int n, int k,
                              const double *alpha, const double *a, int a_stride, const double *b, int b_stride,
                              const double *beta, double *c, int c_stride);
}
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasDgemm cublasDgemm_v2
