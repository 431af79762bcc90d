// The part of occa.c that is about kernels, and about the current device.
#ifndef OCCA_KERNELS_H
#define OCCA_KERNELS_H

static const char *const sum_text =
    "@kernel void sum(const int n, const float a, const float *x, float *y) {\n"
    "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) y[i] += a * x[i];\n"
    "}\n";

struct Pair {
    float a;
    int b;
};

static void run_many(occaKernel kernel, const int argc, ...) {
    va_list args;
    va_start(args, argc);
    occaKernelVaRun(kernel, argc, args);
    va_end(args);
}

static void every_kind(occaDevice device, const char *folder) {
    const struct Pair pair = {1, 2}, pairs[2] = {{0, 0}, {3, 4}};
    const float four[4] = {1, 2, 3, 4};
    double got[9];
    occaDtype type = occaCreateDtype("Pair", 0);
    occaMemory in_pairs, out = occaDeviceTypedMalloc(device, 9, occaDtypeDouble, NULL, occaDefault);
    occaJson props = occaJsonParse("{defines: {BLOCK: 16}}");
    occaKernel kernel;
    int i;
    static const double right[] = {1, -2, 3, -4, 0.5, 4321, 21, 43, 2};
    occaDtypeAddField(type, "a", occaDtypeFloat);
    occaDtypeAddField(type, "b", occaDtypeInt);
    in_pairs = occaDeviceTypedMalloc(device, 2, type, pairs, occaDefault);
    kernel = occaDeviceBuildKernel(device, in(folder, "occa.okl"), "kinds", props);
    occaKernelRun(kernel, occaTrue, occaInt8(-2), occaUInt16(3), occaInt64(-4), occaDouble(0.5), occaStruct(four, 16),
                  occaStruct(&pair, sizeof pair), in_pairs, occaNull, out);
    occaCopyMemToPtr(got, out, occaAllBytes, 0, occaDefault);
    for (i = 0; i < 9; ++i) CHECK(got[i] == right[i]);
    occaFree(&kernel), occaFree(&props), occaFree(&in_pairs), occaFree(&out), occaFree(&type);
}

static void fortran(occaDevice device) {
    char text[2000], list[1000] = "", sum[500] = "0";
    occaMemory out = occaDeviceTypedMalloc(device, 1, occaDtypeInt, NULL, occaDefault);
    int got = 0, n;
    occaType a[20];
    for (n = 0; n < 20; ++n) a[n] = occaInt(1 << n);
    a[0] = out;
    // The first argument is where the sum of the others goes.
#define ARGS_1 a[0]
#define ARGS_2 ARGS_1, a[1]
#define ARGS_3 ARGS_2, a[2]
#define ARGS_4 ARGS_3, a[3]
#define ARGS_5 ARGS_4, a[4]
#define ARGS_6 ARGS_5, a[5]
#define ARGS_7 ARGS_6, a[6]
#define ARGS_8 ARGS_7, a[7]
#define ARGS_9 ARGS_8, a[8]
#define ARGS_10 ARGS_9, a[9]
#define ARGS_11 ARGS_10, a[10]
#define ARGS_12 ARGS_11, a[11]
#define ARGS_13 ARGS_12, a[12]
#define ARGS_14 ARGS_13, a[13]
#define ARGS_15 ARGS_14, a[14]
#define ARGS_16 ARGS_15, a[15]
#define ARGS_17 ARGS_16, a[16]
#define ARGS_18 ARGS_17, a[17]
#define ARGS_19 ARGS_18, a[18]
#define ARGS_20 ARGS_19, a[19]
    // One source has them all; they are built once.
    {
        static char all[30000];
        occaKernel kernels[20];
        int k;
        all[0] = '\0';
        for (n = 1; n <= 20; ++n) {
            if (n > 1) {
                char one[40];
                snprintf(one, sizeof one, ", const int a%d", n);
                strcat(list, one);
                snprintf(one, sizeof one, " + a%d", n);
                strcat(sum, one);
            }
            snprintf(text, sizeof text,
                     "@kernel void f%d(int *out%s) {\n"
                     "  for (int i = 0; i < 1; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) out[0] = %s;\n"
                     "}\n",
                     n, list, sum);
            strcat(all, text);
        }
        for (k = 0; k < 20; ++k) {
            char name[10];
            snprintf(name, sizeof name, "f%d", k + 1);
            kernels[k] = occaDeviceBuildKernelFromString(device, all, name, occaDefault);
        }
#define RUN(NAME, COUNT)                                            \
    occaKernelRunF##NAME(kernels[COUNT - 1], COUNT, ARGS_##COUNT);  \
    occaCopyMemToPtr(&got, out, 1, 0, occaDefault);                 \
    CHECK(got == (1 << COUNT) - 2);
        RUN(01, 1) RUN(02, 2) RUN(03, 3) RUN(04, 4) RUN(05, 5) RUN(06, 6) RUN(07, 7) RUN(08, 8) RUN(09, 9) RUN(10, 10)
        RUN(11, 11) RUN(12, 12) RUN(13, 13) RUN(14, 14) RUN(15, 15) RUN(16, 16) RUN(17, 17) RUN(18, 18) RUN(19, 19)
        RUN(20, 20)
        FAILS(occaKernelRunF02(kernels[1], 3, a[0], a[1]), "2 arguments, and not 3");
        for (k = 0; k < 20; ++k) occaFree(&kernels[k]);
    }
    occaFree(&out);
}

static void kernels(occaDevice device, const char *folder, const char *scratch, int has_own) {
    occaJson props = occaJsonParse("{defines: {BLOCK: 16}}");
    occaKernel axpy = occaDeviceBuildKernel(device, in(folder, "occa.okl"), "axpy", props);
    occaKernel sum = occaDeviceBuildKernelFromString(device, sum_text, "sum", occaDefault), loaded;
    occaMemory x = counted(device, 100), y = counted(device, 100);
    const char *hash = occaKernelHash(axpy), *full = occaKernelFullHash(axpy), *binary;
    occaType args[4];
    occaDim none = {0, 1, 1}, one = {1, 1, 1};
    CHECK(axpy.type == OCCA_KERNEL && occaKernelIsInitialized(axpy) && !occaKernelIsInitialized(occaUndefined));
    CHECK(strcmp(occaKernelName(axpy), "axpy") == 0 && strcmp(occaKernelSourceFilename(axpy), in(folder, "occa.okl")) == 0);
    CHECK(occaJsonObjectHas(occaKernelGetProperties(axpy), "defines/BLOCK"));
    CHECK(occaKernelGetDevice(axpy).value.ptr == device.value.ptr);
    CHECK(strlen(hash) == 16 && strlen(full) == 64 && strncmp(hash, full, 16) == 0);
    CHECK(occaKernelHash(occaUndefined) == NULL && occaKernelFullHash(occaUndefined) == NULL);
    free((void *)hash), free((void *)full);
    CHECK(occaKernelMaxDims(axpy) == 3 && occaKernelMaxOuterDims(axpy).x >= 1000 && occaKernelMaxInnerDims(axpy).x >= 256);

    // y = i + 2 i, then 3 i + i, and so on.
    args[0] = occaInt(100), args[1] = occaFloat(2), args[2] = x, args[3] = y;
    occaKernelRunN(sum, 4, args[0], args[1], x, y);
    CHECK(at(y, 9) == 27);
    occaKernelRun(sum, occaInt(100), occaFloat(1), x, y);
    CHECK(at(y, 9) == 36);
    occaKernelRunWithArgs(sum, 4, args);
    CHECK(at(y, 9) == 54);
    run_many(sum, 4, args[0], args[1], x, y);
    CHECK(at(y, 9) == 72);
    occaKernelPushArg(sum, occaInt(10));
    occaKernelPushArg(sum, occaFloat(1));
    occaKernelPushArg(sum, x);
    occaKernelPushArg(sum, y);
    occaKernelRunFromArgs(sum);
    CHECK(at(y, 9) == 81 && at(y, 10) == 80);
    occaKernelClearArgs(sum);
    FAILS(occaKernelRunFromArgs(sum), "takes 4 arguments");
    occaKernelSetRunDims(sum, none, one);
    occaKernelRunWithArgs(sum, 4, args);
    CHECK(at(y, 9) == 81);
    occaKernelSetRunDims(sum, one, one);

    binary = occaKernelBinaryFilename(sum);
    CHECK(strstr(binary, "/binary.brk") != NULL && strcmp(binary, occaKernelBinaryFilename(sum)) == 0);
    loaded = occaDeviceBuildKernelFromBinary(device, binary, "sum", occaDefault);
    occaKernelRunWithArgs(loaded, 4, args);
    CHECK(at(y, 9) == 99 && strcmp(occaKernelBinaryFilename(loaded), binary) == 0);
    FAILS(occaDeviceBuildKernelFromBinary(device, binary, "other", occaDefault), "other");
    FAILS(occaDeviceBuildKernelFromBinary(device, "/nothing/here", "sum", occaDefault), "/nothing/here");
    FAILS(occaDeviceBuildKernelFromBinary(device, in(folder, "occa.okl"), "sum", occaDefault), "brook compile");
    FAILS(occaDeviceBuildKernelFromBinary(device, NULL, "sum", occaDefault), "null pointer");
    FAILS(occaDeviceBuildKernelFromBinary(occaUndefined, binary, "sum", occaDefault), "no device");
    if (!has_own) {
        // No OKL: a function with a pointer for each argument.
        occaJson native = occaJsonParse("{okl: {enabled: false}, compiler_language: 'c'}");
        char command[3000], library[1100];
        FILE *file = fopen(in(scratch, "native.c"), "w");
        occaKernel own;
        fputs("void scale(const int *n, float *x) { for (int i = 0; i < *n; ++i) x[i] *= 2; }\n", file);
        fclose(file);
        own = occaDeviceBuildKernel(device, in(scratch, "native.c"), "scale", native);
        occaKernelRun(own, occaInt(100), y);
        CHECK(at(y, 9) == 198);
        FAILS(occaKernelBinaryFilename(own), "no OKL");
        occaFree(&own);
        snprintf(library, sizeof library, "%s/native.so", scratch);
        snprintf(command, sizeof command, "cc -shared -fPIC -o %s %s", library, in(scratch, "native.c"));
        CHECK(system(command) == 0);
        own = occaDeviceBuildKernelFromBinary(device, library, "scale", native);
        occaKernelRun(own, occaInt(100), y);
        CHECK(at(y, 9) == 396);
        FAILS(occaDeviceBuildKernelFromBinary(device, library, "other", native), "no function 'other'");
        FAILS(occaDeviceBuildKernelFromBinary(device, path, "scale", native), "native.c");
        occaFree(&own), occaFree(&native);
    }
    every_kind(device, folder);
    fortran(device);
    CHECK(says(sum, "\"name\": \"sum\"") && says(occaUndefined, "undefined") && says(occaDefault, "default"));
    CHECK(says(occaNull, "NULL") && says(occaPtr(&failures), "0x") && says(occaTrue, "\"value\": true"));
    CHECK(says(occaInt8(-5), "-5") && says(occaDouble(0.5), "0.5") && says(occaString("abc"), "\"abc\""));
    CHECK(says(occaStruct(&one, 24), "\"bytes\": 24") && says(props, "\"BLOCK\": 16") && says(occaDtypeInt, "\"dtype\""));

    FAILS(occaKernelRunN(sum, 1, device), "kernels take no occaDevice");
    FAILS(occaKernelRunN(sum, 1, sum), "kernels take no occaKernel");
    FAILS(occaKernelRunN(sum, 1, props), "kernels take no occaJson");
    FAILS(occaKernelRunN(sum, 1, occaUndefined), "kernels take no occaUndefined");
    FAILS(occaKernelRunN(sum, 1, occaDefault), "kernels take no occaDefault");
    FAILS(occaKernelRunN(sum, 1, occaDtypeInt), "kernels take no occaDtype");
    FAILS(occaKernelPushArg(sum, occaDefault), "kernels take no occaDefault");
    FAILS(occaKernelRunN(sum, -1), "-1 arguments");
    FAILS(occaKernelRunWithArgs(sum, 4, NULL), "null pointer");
    FAILS(occaKernelRunN(sum, 3, args[0], args[1], x), "takes 4 arguments");
    FAILS(occaKernelRunN(sum, 4, args[0], occaInt(2), x, y), "argument 2");
    FAILS(occaKernelRunN(occaUndefined, 0), "there is no kernel");
    FAILS(occaKernelRunN(x, 0), "this is an occaMemory, not an occaKernel");
    FAILS(occaKernelGetProperties(occaUndefined), "no kernel");
    FAILS(occaDeviceBuildKernel(device, "/nothing/here.okl", "sum", occaDefault), "/nothing/here.okl");
    FAILS(occaDeviceBuildKernelFromString(device, sum_text, "other", occaDefault), "other");
    FAILS(occaDeviceBuildKernelFromString(device, "@kernel void", "sum", occaDefault), "");
    FAILS(occaDeviceBuildKernelFromString(device, NULL, "sum", occaDefault), "null pointer");
    FAILS(occaDeviceBuildKernelFromString(device, sum_text, NULL, occaDefault), "null pointer");
    FAILS(occaDeviceBuildKernelFromString(device, sum_text, "sum", occaTrue), "not an occaJson");
    FAILS(occaDeviceBuildKernel(occaUndefined, in(folder, "occa.okl"), "axpy", props), "no device");
    occaFree(&loaded), occaFree(&x), occaFree(&y), occaFree(&sum), occaFree(&axpy), occaFree(&props);
    CHECK(occaIsUndefined(sum));
}

// The same through the current device.
static void globals(occaDevice device, occaJson props, const char *folder, int has_own) {
    const float host[4] = {1, 2, 3, 4};
    occaJson build = occaJsonParse("{defines: {BLOCK: 16}}");
    occaKernel axpy, sum, loaded;
    occaMemory x, y, bytes;
    occaMemoryPool pool;
    occaStream before, stream;
    occaStreamTag start, end;
    const char *text = occaJsonDump(props, 0);
    CHECK(strcmp(occaDeviceMode(occaHost()), "Serial") == 0);
    occaSetDeviceFromString(text);
    CHECK(occaJsonObjectHas(occaDeviceProperties(), "key") && occaGetDevice().value.ptr != device.value.ptr);
    free((void *)text);
    occaSetDevice(device);
    CHECK(occaGetDevice().value.ptr == device.value.ptr);
    before = occaGetStream();
    stream = occaCreateStream(occaDefault);
    occaSetStream(stream);
    CHECK(occaGetStream().value.ptr == stream.value.ptr);
    start = occaTagStream();
    x = occaTypedMalloc(4, occaDtypeFloat, host, occaDefault);
    y = occaTypedMalloc(4, occaDtypeFloat, host, props);
    bytes = occaMalloc(16, host, occaDefault);
    pool = occaCreateMemoryPool(occaDefault);
    axpy = occaBuildKernel(in(folder, "occa.okl"), "axpy", build);
    sum = occaBuildKernelFromString(sum_text, "sum", occaDefault);
    loaded = occaBuildKernelFromBinary(occaKernelBinaryFilename(sum), "sum", occaDefault);
    occaKernelRun(axpy, occaInt(4), occaFloat(1), x, y);
    CHECK(at(y, 3) == 8);
    occaKernelRun(loaded, occaInt(4), occaFloat(1), bytes, y);
    CHECK(at(y, 3) == 12);
    end = occaTagStream();
    occaWaitForTag(end);
    CHECK(occaTimeBetweenTags(start, end) >= 0);
    occaFinish();
    occaSetStream(before);
    if (!has_own) {
        occaMemory wrapped = occaWrapMemory(host, 16, occaDefault);
        CHECK(occaMemoryPtr(wrapped) == (void *)host);
        occaFree(&wrapped);
        wrapped = occaTypedWrapMemory(host, 4, occaDtypeFloat, props);
        CHECK(occaMemorySize(wrapped) == 4);
        occaFree(&wrapped);
    }
    occaJsonObjectSet(occaSettings(), "something", occaInt(1));
    CHECK(occaJsonObjectHas(occaSettings(), "something"));
    printed[0] = '\0';
    occaOverrideStdout(keep);
    occaPrintModeInfo();
    occaOverrideStdout(NULL);
    CHECK(strstr(printed, "Serial: openmp:0\n") == printed);
    printed[0] = '\0';
    occaOverrideStderr(keep);
    {
        occaDevice serial = occaCreateDeviceFromString("{mode: 'Abacus'}");
        CHECK(strcmp(printed, "[Abacus] mode is not enabled, defaulting to [Serial] mode\n") == 0);
        CHECK(strcmp(occaDeviceMode(serial), "Serial") == 0);
        occaFree(&serial);
    }
    occaOverrideStderr(NULL);
    FAILS(occaSetDeviceFromString(NULL), "null pointer");
    FAILS(occaSetDevice(occaUndefined), "no device");
    FAILS(occaBuildKernel(NULL, "a", occaDefault), "null pointer");
    FAILS(occaSetStream(occaUndefined), "no stream");
    FAILS(occaTimeBetweenTags(start, occaUndefined), "no tag");
    occaFree(&start), occaFree(&end), occaFree(&loaded), occaFree(&sum), occaFree(&axpy), occaFree(&pool);
    occaFree(&bytes), occaFree(&y), occaFree(&x), occaFree(&stream), occaFree(&before), occaFree(&build);
    occaSetDevice(occaHost());
}

// What nobody catches ends a program with its message.
static void endings(void) {
    ENDS(occaJsonDump(occaTrue, 0), "this is an occaBool, not an occaJson");
    ENDS(occaBuildKernel("/nothing/here.okl", "a", occaDefault), "/nothing/here.okl");
}

#endif
