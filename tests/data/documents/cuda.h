// What docs/recipes.md uses of CUDA's header, so that it can be compiled where there is none. Nothing links with it.
#pragma once
typedef struct CUctx_st *CUcontext;
typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
extern "C" CUresult cuCtxSetCurrent(CUcontext context);
