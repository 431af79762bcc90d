// OCCA_JIT(scope, (for (…; @outer) …)): a kernel where it is run.
#ifndef OCCA_DEFINES_OKL_HPP
#define OCCA_DEFINES_OKL_HPP

#include <occa/experimental/kernelBuilder.hpp>

// OKL is no C++: all that the compiler sees of it is a text. Its kernels live as long as the program.
#ifdef OCCA_JIT
#undef OCCA_JIT
#endif
#define OCCA_JIT(OKL_SCOPE, ...)                                                                  \
    do {                                                                                          \
        static ::occa::kernelBuilder &occa_jit_builder_ =                                         \
            *new ::occa::kernelBuilder(#__VA_ARGS__, "_occa_jit_kernel");                         \
        occa_jit_builder_.run(OKL_SCOPE);                                                         \
    } while (false)

#endif
