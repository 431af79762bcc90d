// Kernels for C and Fortran.
#include "../modes.hpp"
#include "types.hpp"

#include <occa/c/base.h>
#include <occa/c/device.h>
#include <occa/c/kernel.h>
#include <occa/c/kernel_fortran_interface.h>

#include <vector>

using namespace occa::c;

namespace {

const char *string(const char *given, const char *function) {
    OCCA_ERROR(function << ": a null pointer", given != nullptr);
    return given;
}

// A kernel that is there.
occa::kernel there(occaKernel value, const char *function) {
    const occa::kernel found = kernel(value);
    OCCA_ERROR(function << ": there is no kernel", found.isInitialized());
    return found;
}

occaKernel of_file(const occa::device &on, const char *file, const char *name, occaJson props) {
    const char *const function = "occaBuildKernel";
    return kept(on.buildKernel(string(file, function), string(name, function), properties(props)));
}

occaKernel of_string(const occa::device &on, const char *text, const char *name, occaJson props) {
    const char *const function = "occaBuildKernelFromString";
    return kept(on.buildKernelFromString(string(text, function), string(name, function), properties(props)));
}

occaKernel of_binary(const occa::device &on, const char *file, const char *name, occaJson props) {
    const char *const function = "occaBuildKernelFromBinary";
    return kept(on.buildKernelFromBinary(string(file, function), string(name, function), properties(props)));
}

occaDim extents(const occa::dim &of) {
    occaDim all;
    all.x = of.x;
    all.y = of.y;
    all.z = of.z;
    return all;
}

// Arguments, one after the other.
template <class Next> void launch(occaKernel value, int argc, Next next) {
    const occa::kernel found = there(value, "occaKernelRun");
    OCCA_ERROR("occaKernelRun: " << argc << " arguments", argc >= 0);
    std::vector<occa::kernelArg> args;
    args.reserve(static_cast<std::size_t>(argc));
    for (int i = 0; i < argc; ++i) args.push_back(kernelArg(next(i)));
    found.getModeKernel()->run(args.data(), args.size());
}

} // namespace

OCCA_START_EXTERN_C

occaKernel occaBuildKernel(const char *filename, const char *kernelName, const occaJson props) {
    return of_file(occa::getDevice(), filename, kernelName, props);
}

occaKernel occaBuildKernelFromString(const char *source, const char *kernelName, const occaJson props) {
    return of_string(occa::getDevice(), source, kernelName, props);
}

occaKernel occaBuildKernelFromBinary(const char *filename, const char *kernelName, const occaJson props) {
    return of_binary(occa::getDevice(), filename, kernelName, props);
}

occaKernel occaDeviceBuildKernel(occaDevice on, const char *filename, const char *kernelName, const occaJson props) {
    return of_file(device(on), filename, kernelName, props);
}

occaKernel occaDeviceBuildKernelFromString(occaDevice on, const char *str, const char *kernelName,
                                           const occaJson props) {
    return of_string(device(on), str, kernelName, props);
}

occaKernel occaDeviceBuildKernelFromBinary(occaDevice on, const char *filename, const char *kernelName,
                                           const occaJson props) {
    return of_binary(device(on), filename, kernelName, props);
}

bool occaKernelIsInitialized(occaKernel value) { return kernel(value).isInitialized(); }

occaJson occaKernelGetProperties(occaKernel value) { return newOccaType(kernel(value).properties(), false); }

occaDevice occaKernelGetDevice(occaKernel value) { return newOccaType(kernel(value).getDevice()); }

const char *occaKernelName(occaKernel value) { return kernel(value).name().c_str(); }

const char *occaKernelSourceFilename(occaKernel value) { return kernel(value).sourceFilename().c_str(); }

const char *occaKernelBinaryFilename(occaKernel value) { return kernel(value).binaryFilename().c_str(); }

const char *occaKernelHash(occaKernel value) {
    const occa::hash_t hash = kernel(value).hash();
    return hash.isInitialized() ? text(hash.getString()) : nullptr;
}

const char *occaKernelFullHash(occaKernel value) {
    const occa::hash_t hash = kernel(value).hash();
    return hash.isInitialized() ? text(hash.getFullString()) : nullptr;
}

int occaKernelMaxDims(occaKernel value) { return kernel(value).maxDims(); }

occaDim occaKernelMaxOuterDims(occaKernel value) { return extents(kernel(value).maxOuterDims()); }

occaDim occaKernelMaxInnerDims(occaKernel value) { return extents(kernel(value).maxInnerDims()); }

void occaKernelSetRunDims(occaKernel value, occaDim outerDims, occaDim innerDims) {
    kernel(value).setRunDims(occa::dim(outerDims.x, outerDims.y, outerDims.z),
                             occa::dim(innerDims.x, innerDims.y, innerDims.z));
}

void occaKernelPushArg(occaKernel value, occaType arg) { kernel(value).pushArg(kernelArg(arg)); }

void occaKernelClearArgs(occaKernel value) { kernel(value).clearArgs(); }

void occaKernelRunFromArgs(occaKernel value) { kernel(value).run(); }

void occaKernelRunN(occaKernel value, const int argc, ...) {
    va_list args;
    va_start(args, argc);
    try {
        occaKernelVaRun(value, argc, args);
    } catch (...) {
        va_end(args);
        throw;
    }
    va_end(args);
}

void occaKernelVaRun(occaKernel value, const int argc, va_list args) {
    launch(value, argc, [&](int) { return va_arg(args, occaType); });
}

void occaKernelRunWithArgs(occaKernel value, const int argc, occaType *args) {
    OCCA_ERROR("occaKernelRunWithArgs: a null pointer", args != nullptr || argc == 0);
    launch(value, argc, [&](int i) { return args[i]; });
}

namespace {

// What Fortran has counted is what it passes.
void run_counted(occaKernel value, int argc, occaType *args, int count) {
    OCCA_ERROR("occaKernelRun: " << count << " arguments, and not " << argc << " as the call says", argc == count);
    occaKernelRunWithArgs(value, argc, args);
}

} // namespace

#define OCCA_NAMES_1 arg01
#define OCCA_NAMES_2 OCCA_NAMES_1, arg02
#define OCCA_NAMES_3 OCCA_NAMES_2, arg03
#define OCCA_NAMES_4 OCCA_NAMES_3, arg04
#define OCCA_NAMES_5 OCCA_NAMES_4, arg05
#define OCCA_NAMES_6 OCCA_NAMES_5, arg06
#define OCCA_NAMES_7 OCCA_NAMES_6, arg07
#define OCCA_NAMES_8 OCCA_NAMES_7, arg08
#define OCCA_NAMES_9 OCCA_NAMES_8, arg09
#define OCCA_NAMES_10 OCCA_NAMES_9, arg10
#define OCCA_NAMES_11 OCCA_NAMES_10, arg11
#define OCCA_NAMES_12 OCCA_NAMES_11, arg12
#define OCCA_NAMES_13 OCCA_NAMES_12, arg13
#define OCCA_NAMES_14 OCCA_NAMES_13, arg14
#define OCCA_NAMES_15 OCCA_NAMES_14, arg15
#define OCCA_NAMES_16 OCCA_NAMES_15, arg16
#define OCCA_NAMES_17 OCCA_NAMES_16, arg17
#define OCCA_NAMES_18 OCCA_NAMES_17, arg18
#define OCCA_NAMES_19 OCCA_NAMES_18, arg19
#define OCCA_NAMES_20 OCCA_NAMES_19, arg20
#define OCCA_LAUNCH_(NAME, COUNT)                                                          \
    void occaKernelRunF##NAME(occaKernel value, const int argc, OCCA_C_ARGS_##COUNT) {    \
        occaType args[] = {OCCA_NAMES_##COUNT};                                           \
        run_counted(value, argc, args, COUNT);                                            \
    }
OCCA_LAUNCH_(01, 1)
OCCA_LAUNCH_(02, 2)
OCCA_LAUNCH_(03, 3)
OCCA_LAUNCH_(04, 4)
OCCA_LAUNCH_(05, 5)
OCCA_LAUNCH_(06, 6)
OCCA_LAUNCH_(07, 7)
OCCA_LAUNCH_(08, 8)
OCCA_LAUNCH_(09, 9)
OCCA_LAUNCH_(10, 10)
OCCA_LAUNCH_(11, 11)
OCCA_LAUNCH_(12, 12)
OCCA_LAUNCH_(13, 13)
OCCA_LAUNCH_(14, 14)
OCCA_LAUNCH_(15, 15)
OCCA_LAUNCH_(16, 16)
OCCA_LAUNCH_(17, 17)
OCCA_LAUNCH_(18, 18)
OCCA_LAUNCH_(19, 19)
OCCA_LAUNCH_(20, 20)

OCCA_END_EXTERN_C
