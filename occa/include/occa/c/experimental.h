// OCCA_JIT(scope, (for (…; @outer) …)): a kernel where it is run.
#ifndef OCCA_C_EXPERIMENTAL_H
#define OCCA_C_EXPERIMENTAL_H

#include <occa/c/experimental/kernelBuilder.h>

// OKL is no C: all that the compiler sees of it is a text.
#ifdef OCCA_JIT
#undef OCCA_JIT
#endif
#define OCCA_JIT(OCCA_SCOPE, ...)                                                                 \
    do {                                                                                          \
        static occaKernelBuilder occa_jit_builder_;                                               \
        if (occaIsUndefined(occa_jit_builder_)) {                                                 \
            occa_jit_builder_ = occaCreateKernelBuilder(#__VA_ARGS__, "_occa_jit_kernel");        \
        }                                                                                         \
        occaKernelBuilderRun(occa_jit_builder_, OCCA_SCOPE);                                      \
    } while (0)

#endif
