// Kernels.
#ifndef OCCA_C_KERNEL_H
#define OCCA_C_KERNEL_H

#include <stdarg.h>
#include <occa/c/types.h>

OCCA_START_EXTERN_C

bool occaKernelIsInitialized(occaKernel kernel);
// The kernel's own; not to be freed.
occaJson occaKernelGetProperties(occaKernel kernel);
occaDevice occaKernelGetDevice(occaKernel kernel);
const char *occaKernelName(occaKernel kernel);
const char *occaKernelSourceFilename(occaKernel kernel);
// Writes the file, when it is first asked for.
const char *occaKernelBinaryFilename(occaKernel kernel);
// Texts that the caller gives to free(); NULL where there is no kernel.
const char *occaKernelHash(occaKernel kernel);
const char *occaKernelFullHash(occaKernel kernel);
int occaKernelMaxDims(occaKernel kernel);
occaDim occaKernelMaxOuterDims(occaKernel kernel);
occaDim occaKernelMaxInnerDims(occaKernel kernel);
void occaKernelSetRunDims(occaKernel kernel, occaDim outerDims, occaDim innerDims);

void occaKernelPushArg(occaKernel kernel, occaType arg);
void occaKernelClearArgs(occaKernel kernel);
void occaKernelRunFromArgs(occaKernel kernel);
// Each argument is an occaType. The macro occaKernelRun in occa.h counts them.
void occaKernelRunN(occaKernel kernel, const int argc, ...);
void occaKernelVaRun(occaKernel kernel, const int argc, va_list args);
void occaKernelRunWithArgs(occaKernel kernel, const int argc, occaType *args);

OCCA_END_EXTERN_C

#endif
