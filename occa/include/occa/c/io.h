// Who gets what the library would print.
#ifndef OCCA_C_IO_H
#define OCCA_C_IO_H

#include <occa/c/types.h>

OCCA_START_EXTERN_C

// NULL for nobody: it is printed again.
typedef void (*occaIoOutputFunction_t)(const char *str);
void occaOverrideStdout(occaIoOutputFunction_t out);
void occaOverrideStderr(occaIoOutputFunction_t out);

OCCA_END_EXTERN_C

#endif
