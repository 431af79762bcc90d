// Scopes, and kernels that are built for them, for C.
#include "types.hpp"

#include <occa/c/experimental/kernelBuilder.h>
#include <occa/c/scope.h>

using namespace occa::c;

namespace {

void add(occaScope to, const char *name, occaType value, bool is_const) {
    OCCA_ERROR("occaScopeAdd: a null pointer", name != nullptr);
    occa::scope &all = scope(to);
    if (!occaIsUndefined(value) && value.type == OCCA_MEMORY) {
        occa::scopeKernelArg arg(name, memory(value));
        arg.isConst = is_const;
        return all.add(arg);
    }
    all.add(occa::scopeKernelArg(name, kernelArg(value), getDtype(value), is_const));
}

} // namespace

OCCA_START_EXTERN_C

occaScope occaCreateScope(occaJson props) { return newOccaType(*new occa::scope(properties(props))); }

void occaScopeAdd(occaScope to, const char *name, occaType value) { add(to, name, value, false); }

void occaScopeAddConst(occaScope to, const char *name, occaType value) { add(to, name, value, true); }

occaKernelBuilder occaCreateKernelBuilder(const char *kernelSource, const char *kernelName) {
    OCCA_ERROR("occaCreateKernelBuilder: a null pointer", kernelSource != nullptr && kernelName != nullptr);
    return newOccaType(*new occa::kernelBuilder(kernelSource, kernelName));
}

void occaKernelBuilderRun(occaKernelBuilder builder, occaScope with) { kernelBuilder(builder).run(scope(with)); }

OCCA_END_EXTERN_C
