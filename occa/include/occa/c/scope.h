// What kernels that are written inside of a program take from it.
#ifndef OCCA_C_SCOPE_H
#define OCCA_C_SCOPE_H

#include <occa/c/types.h>

OCCA_START_EXTERN_C

// With a kernel's properties; occaDefault for none.
occaScope occaCreateScope(occaJson props);
// Numbers, memory, null. What has a name that is there takes its place.
void occaScopeAdd(occaScope scope, const char *name, occaType value);
// The kernel must not change it.
void occaScopeAddConst(occaScope scope, const char *name, occaType value);

OCCA_END_EXTERN_C

#endif
