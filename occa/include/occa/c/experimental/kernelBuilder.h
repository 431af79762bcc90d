// Kernels of which the parameters are a scope's.
#ifndef OCCA_C_EXPERIMENTAL_KERNELBUILDER_H
#define OCCA_C_EXPERIMENTAL_KERNELBUILDER_H

#include <occa/c/scope.h>

OCCA_START_EXTERN_C

// What is between a kernel's braces; parentheses around all of it are none of it.
occaKernelBuilder occaCreateKernelBuilder(const char *kernelSource, const char *kernelName);
// Builds what has not been built for the scope's types.
void occaKernelBuilderRun(occaKernelBuilder kernelBuilder, occaScope scope);

OCCA_END_EXTERN_C

#endif
