// OCCA's interface for C, every function of it, with results worked out by hand: occa DEVICE FOLDER SCRATCH. It is C99, and
// C++ as well, where exceptions are caught.
#if !defined(__cplusplus) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include <occa.h>
#include <occa/c/kernel_fortran_interface.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures = 0;
static char path[1000];

static void check(const char *file, int line, const char *what, int so) {
    if (so) return;
    printf("%s:%d: not so: %s\n", file, line, what);
    ++failures;
}
#define CHECK(WHAT) check(__FILE__, __LINE__, #WHAT, (WHAT))

#include "occa_errors.h"

static const char *in(const char *folder, const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// So many elements that count from 0.
static occaMemory counted(occaDevice device, int n) {
    float host[1000];
    int i;
    for (i = 0; i < n; ++i) host[i] = (float)i;
    return occaDeviceTypedMalloc(device, (occaUDim_t)n, occaDtypeFloat, host, occaDefault);
}

static float at(occaMemory memory, int i) {
    float host[1000];
    occaCopyMemToPtr(host, memory, occaAllBytes, 0, occaDefault);
    return host[i];
}

static void values(void) {
    const int number = 3;
    occaType copy = occaUndefined;
    CHECK(occaIsUndefined(occaUndefined) && !occaIsUndefined(occaDefault) && !occaIsUndefined(occaNull));
    CHECK(occaIsDefault(occaDefault) && !occaIsDefault(occaNull) && occaIsNull(occaNull) && !occaIsNull(occaDefault));
    CHECK(occaUndefined.type == OCCA_UNDEFINED && occaDefault.type == OCCA_DEFAULT && occaNull.type == OCCA_NULL);
    CHECK(occaTrue.type == OCCA_BOOL && occaTrue.value.int8_ == 1 && occaFalse.value.int8_ == 0);
    CHECK(occaAllBytes == (occaUDim_t)-1 && OCCA_C_TYPE_MAGIC_HEADER == occaNull.magicHeader);
    CHECK(occaUndefined.magicHeader == OCCA_C_TYPE_UNDEFINED_HEADER);
    CHECK(occaPtr(&number).type == OCCA_PTR && occaPtr(&number).value.ptr == (char *)&number);
    CHECK(occaBool(true).type == OCCA_BOOL && occaBool(true).bytes == 1);
    CHECK(occaInt8(-1).type == OCCA_INT8 && occaInt8(-1).value.int8_ == -1);
    CHECK(occaUInt8(255).type == OCCA_UINT8 && occaUInt8(255).value.uint8_ == 255);
    CHECK(occaInt16(-2).type == OCCA_INT16 && occaInt16(-2).value.int16_ == -2);
    CHECK(occaUInt16(65535).type == OCCA_UINT16 && occaUInt16(65535).value.uint16_ == 65535);
    CHECK(occaInt32(-3).type == OCCA_INT32 && occaInt32(-3).value.int32_ == -3 && occaInt32(-3).bytes == 4);
    CHECK(occaUInt32(4000000000u).type == OCCA_UINT32 && occaUInt32(4000000000u).value.uint32_ == 4000000000u);
    CHECK(occaInt64(-4).type == OCCA_INT64 && occaInt64(-4).value.int64_ == -4);
    CHECK(occaUInt64(~(uint64_t)0).type == OCCA_UINT64 && occaUInt64(~(uint64_t)0).value.uint64_ == ~(uint64_t)0);
    CHECK(occaChar('a').type == OCCA_INT8 && occaUChar('a').type == OCCA_UINT8 && occaUChar('a').value.uint8_ == 97);
    CHECK(occaShort(1).type == OCCA_INT16 && occaUShort(1).type == OCCA_UINT16);
    CHECK(occaInt(1).type == OCCA_INT32 && occaUInt(1).type == OCCA_UINT32);
    CHECK(occaLong(1).type == OCCA_INT64 && occaULong(1).type == OCCA_UINT64);
    CHECK(occaFloat(0.5f).type == OCCA_FLOAT && occaFloat(0.5f).value.float_ == 0.5f);
    CHECK(occaDouble(0.25).type == OCCA_DOUBLE && occaDouble(0.25).value.double_ == 0.25);
    CHECK(occaStruct(&number, 4).type == OCCA_STRUCT && occaStruct(&number, 4).bytes == 4);
    CHECK(occaString("abc").type == OCCA_STRING && occaString("abc").bytes == 3);
    CHECK(OCCA_KERNELBUILDER != OCCA_SCOPE);
    FAILS(occaString(NULL), "null pointer");
    FAILS(occaFree(NULL), "null pointer");
    occaFree(&copy);
    copy = occaInt(7);
    occaFree(&copy);
    CHECK(occaIsUndefined(copy));
}

static void jsons(const char *scratch) {
    occaJson all = occaCreateJson(), array = occaJsonParse("[1, 2.5, 'a', null, true, {b: 3}]"), other;
    const char *text;
    occaType entry;
    occaJsonObjectSet(all, "a/b", occaInt(3));
    occaJsonObjectSet(all, "c", occaString("text"));
    occaJsonObjectSet(all, "none", occaPtr(NULL));
    occaJsonObjectSet(all, "yes", occaTrue);
    occaJsonObjectSet(all, "list", array);
    occaJsonObjectSet(all, "half", occaDouble(0.5));
    CHECK(occaJsonIsObject(all) && occaJsonObjectHas(all, "a/b") && !occaJsonObjectHas(all, "a/c"));
    CHECK(occaJsonGetNumber(occaJsonObjectGet(all, "a/b", occaDefault), OCCA_INT64).value.int64_ == 3);
    CHECK(occaIsDefault(occaJsonObjectGet(all, "a/c", occaDefault)));
    CHECK(occaIsNull(occaJsonObjectGet(all, "none", occaDefault)));
    entry = occaJsonObjectGet(all, "half", occaDefault);
    CHECK(occaJsonIsNumber(entry) && !occaJsonIsBoolean(entry) && !occaJsonIsString(entry));
    CHECK(occaJsonGetNumber(entry, OCCA_FLOAT).value.float_ == 0.5f && occaJsonGetNumber(entry, OCCA_DOUBLE).type == OCCA_DOUBLE);
    CHECK(occaJsonGetNumber(entry, OCCA_UINT8).value.uint8_ == 0 && occaIsUndefined(occaJsonGetNumber(entry, OCCA_PTR)));
    // A handle of an entry is not the entry's owner.
    occaFree(&entry);
    CHECK(occaJsonGetBoolean(occaJsonObjectGet(all, "yes", occaDefault)));
    CHECK(strcmp(occaJsonGetString(occaJsonObjectGet(all, "c", occaDefault)), "text") == 0);
    // What is put into itself is a copy.
    occaJsonObjectSet(all, "self", all);
    CHECK(occaJsonObjectHas(all, "self/a/b") && !occaJsonObjectHas(all, "self/self"));

    CHECK(occaJsonIsArray(array) && occaJsonArraySize(array) == 6 && occaIsNull(occaJsonArrayGet(array, 3)));
    CHECK(occaJsonIsBoolean(occaJsonArrayGet(array, 4)) && occaJsonIsObject(occaJsonArrayGet(array, 5)));
    occaJsonArrayPush(array, occaInt(9));
    occaJsonArrayInsert(array, 0, occaString("first"));
    CHECK(occaJsonArraySize(array) == 8 && strcmp(occaJsonGetString(occaJsonArrayGet(array, 0)), "first") == 0);
    CHECK(occaJsonGetNumber(occaJsonArrayGet(array, 7), OCCA_INT32).value.int32_ == 9);
    occaJsonArrayPop(array);
    CHECK(occaJsonArraySize(array) == 7);
    FAILS(occaJsonArrayGet(array, 7), "no entry 7 of 7");
    FAILS(occaJsonArrayInsert(array, -1, occaTrue), "no entry -1 of 7");
    FAILS(occaJsonObjectGet(array, "a", occaDefault), "occaJsonObjectGet: this is no JSON object");
    FAILS(occaJsonObjectSet(array, "a", occaTrue), "no JSON object");
    FAILS(occaJsonObjectHas(array, "a"), "no JSON object");
    FAILS(occaJsonArrayPush(all, occaTrue), "occaJsonArrayPush: this is no JSON array");
    FAILS(occaJsonArrayPush(array, occaDefault), "JSON takes no occaDefault");
    FAILS(occaJsonArrayPush(array, occaUndefined), "JSON takes no occaUndefined");
    FAILS(occaJsonArrayPush(array, occaPtr(&failures)), "JSON takes no occaPtr");
    occaJsonArrayClear(array);
    CHECK(occaJsonArraySize(array) == 0);
    FAILS(occaJsonArrayPop(array), "empty");

    occaJsonWrite(all, in(scratch, "all.json"));
    other = occaJsonRead(in(scratch, "all.json"));
    text = occaJsonDump(occaJsonObjectGet(other, "a", occaDefault), 0);
    CHECK(strcmp(text, "{\"b\": 3}") == 0);
    free((void *)text);
    FAILS(occaJsonRead("/nothing/here"), "cannot read");
    FAILS(occaJsonWrite(all, "/nothing/here"), "cannot write");
    FAILS(occaJsonRead(NULL), "null pointer");
    FAILS(occaJsonParse(NULL), "null pointer");
    FAILS(occaJsonParse("{a: }"), "");
    FAILS(occaJsonIsArray(occaTrue), "this is an occaBool, not an occaJson");
    FAILS(occaJsonIsArray(occaUndefined), "this is an occaUndefined, not an occaJson");
    CHECK(occaIsNull(occaJsonParse("null")));
    occaJsonCastToBoolean(other);
    CHECK(occaJsonIsBoolean(other) && !occaJsonGetBoolean(other));
    occaJsonCastToNumber(other);
    CHECK(occaJsonIsNumber(other));
    occaJsonCastToString(other);
    CHECK(occaJsonIsString(other) && occaJsonGetString(other)[0] == '\0');
    occaJsonCastToArray(other);
    CHECK(occaJsonIsArray(other));
    occaJsonCastToObject(other);
    CHECK(occaJsonIsObject(other));
    occaFree(&other);
    occaFree(&array);
    occaFree(&all);
    FAILS(occaJsonDump(all, 2), "this is an occaUndefined");
}

static void types(void) {
    occaDtype pair = occaCreateDtype("pair", 0), same = occaCreateDtype("same", 0), tuple, read, builtin = occaDtypeFloat;
    occaJson json;
    occaDtypeAddField(pair, "a", occaDtypeFloat);
    occaDtypeAddField(pair, "b", occaDtypeInt);
    occaDtypeAddField(same, "a", occaDtypeFloat);
    CHECK(!occaDtypesMatch(pair, same));
    occaDtypeAddField(same, "b", occaDtypeInt);
    CHECK(occaDtypesMatch(pair, same) && !occaDtypesAreEqual(pair, same) && occaDtypesAreEqual(pair, pair));
    CHECK(occaDtypeBytes(pair) == 8 && strcmp(occaDtypeName(pair), "pair") == 0);
    CHECK(!occaDtypeIsRegistered(pair) && occaDtypeIsRegistered(occaDtypeInt));
    occaDtypeRegisterType(pair);
    CHECK(occaDtypeIsRegistered(pair));
    tuple = occaCreateDtypeTuple(occaDtypeDouble, 3);
    CHECK(occaDtypeBytes(tuple) == 24);
    json = occaDtypeToJson(pair);
    read = occaDtypeFromJson(json);
    CHECK(occaDtypesMatch(read, pair) && !occaDtypesAreEqual(read, pair));
    occaFree(&read);
    read = occaDtypeFromJsonString("{type: 'builtin', name: 'double'}");
    CHECK(occaDtypesAreEqual(read, occaDtypeDouble));
    FAILS(occaDtypeAddField(occaDtypeFloat, "a", occaDtypeInt), "builtin");
    FAILS(occaDtypeAddField(pair, "a", occaDtypeInt), "already");
    FAILS(occaCreateDtypeTuple(occaDtypeInt, 0), "size of 0");
    FAILS(occaDtypeBytes(occaTrue), "this is an occaBool, not an occaDtype");
    FAILS(occaDtypeFromJsonString(NULL), "null pointer");
    FAILS(occaCreateDtype(NULL, 4), "null pointer");
    // Builtins are nobody's.
    occaFree(&builtin);
    CHECK(occaIsUndefined(builtin) && occaDtypeBytes(occaDtypeFloat) == 4);
    CHECK(occaDtypeBytes(occaDtypeNone) == 0 && strcmp(occaDtypeName(occaDtypeVoid), "void") == 0);
#define BYTES(NAME, SIZE) CHECK(occaDtypeBytes(occaDtype##NAME) == (SIZE))
#define VECTORS(NAME, SIZE) BYTES(NAME##2, 2 * SIZE), BYTES(NAME##3, 3 * SIZE), BYTES(NAME##4, 4 * SIZE)
    BYTES(Byte, 1), BYTES(Bool, 1), BYTES(Char, 1), BYTES(Short, 2), BYTES(Int, 4), BYTES(Long, 8), BYTES(Float, 4);
    BYTES(Double, 8), BYTES(Int8, 1), BYTES(Uint8, 1), BYTES(Int16, 2), BYTES(Uint16, 2), BYTES(Int32, 4);
    BYTES(Uint32, 4), BYTES(Int64, 8), BYTES(Uint64, 8);
    VECTORS(Uchar, 1), VECTORS(Char, 1), VECTORS(Ushort, 2), VECTORS(Short, 2), VECTORS(Uint, 4), VECTORS(Int, 4);
    VECTORS(Ulong, 8), VECTORS(Long, 8), VECTORS(Float, 4), VECTORS(Double, 8);
    CHECK(strcmp(occaDtypeName(occaDtypeDouble4), "double4") == 0);
    occaFree(&read), occaFree(&json), occaFree(&tuple), occaFree(&same), occaFree(&pair);
}

static char printed[100000];

static void keep(const char *text) { strncat(printed, text, sizeof printed - strlen(printed) - 1); }

// Words of what is printed of a value.
static int says(occaType value, const char *words) {
    int found;
    printed[0] = '\0';
    occaOverrideStdout(keep);
    occaPrintTypeInfo(value);
    occaOverrideStdout(NULL);
    found = strstr(printed, words) != NULL;
    if (!found) printf("%s", printed);
    return found;
}

static void devices(occaJson props, const char *mode) {
    occaDevice device = occaCreateDevice(props), none = occaUndefined;
    const int has_own = strcmp(mode, "Serial") != 0 && strcmp(mode, "OpenMP") != 0;
    const char *text = occaJsonDump(props, 0);
    occaDevice same = occaCreateDevice(occaString(text)), third = occaCreateDeviceFromString(text);
    occaStream first = occaDeviceGetStream(device), second = occaDeviceCreateStream(device, occaDefault), own;
    occaStreamTag start, end;
    occaMemory memory;
    free((void *)text);
    CHECK(device.type == OCCA_DEVICE && occaDeviceIsInitialized(device) && !occaDeviceIsInitialized(none));
    CHECK(strcmp(occaDeviceMode(device), mode) == 0 && strcmp(occaDeviceMode(none), "No Mode") == 0);
    CHECK(strcmp(occaDeviceMode(same), mode) == 0 && strcmp(occaDeviceMode(third), mode) == 0);
    CHECK(occaJsonObjectHas(occaDeviceGetProperties(device), "key"));
    CHECK(occaJsonObjectHas(occaDeviceGetKernelProperties(device), "k"));
    CHECK(occaJsonObjectHas(occaDeviceGetMemoryProperties(device), "m"));
    CHECK(occaJsonObjectHas(occaDeviceGetStreamProperties(device), "s"));
    CHECK(strlen(occaDeviceArch(device)) >= 3 && (has_own || strcmp(occaDeviceArch(device), "CPU") == 0));
    CHECK(occaDeviceMemorySize(device) > 1 << 20 && occaDeviceHasSeparateMemorySpace(device) == has_own);
    memory = occaDeviceMalloc(device, 100, NULL, occaDefault);
    CHECK(occaDeviceMemoryAllocated(device) == 100);
    occaFree(&memory);
    CHECK(occaDeviceMemoryAllocated(device) == 0);

    occaDeviceSetStream(device, second);
    CHECK(occaDeviceGetStream(device).value.ptr == second.value.ptr && first.value.ptr != second.value.ptr);
    start = occaDeviceTagStream(device);
    memory = counted(device, 1000);
    end = occaDeviceTagStream(device);
    occaDeviceWaitForTag(device, end);
    CHECK(occaDeviceTimeBetweenTags(device, start, end) >= 0 && occaDeviceTimeBetweenTags(device, end, end) == 0);
    CHECK(at(memory, 999) == 999);
    occaStreamFinish(second);
    if (has_own) CHECK(occaStreamUnwrap(second) != NULL);
    else FAILS(occaStreamUnwrap(second), "has no handle");
    occaDeviceSetStream(device, first);
    occaDeviceSetStream(device, second);
    // The device's own takes its place.
    CHECK(says(second, "\"stream\"") && says(start, "\"streamTag\""));
    occaFree(&second);
    own = occaDeviceGetStream(device);
    CHECK(own.type == OCCA_STREAM);
    occaCopyMemToMem(memory, memory, 10, 0, 100, occaDefault);
    CHECK(at(memory, 9) == 109 && at(memory, 10) == 10);
    FAILS(occaDeviceSetStream(device, second), "no stream");
    FAILS(occaStreamFinish(second), "no stream");
    FAILS(occaDeviceSetStream(device, end), "this is an occaStreamTag, not an occaStream");
    FAILS(occaDeviceWaitForTag(device, occaUndefined), "no tag");
    occaDeviceFinish(device);
    occaDeviceFinishAll(device);
    CHECK(says(device, mode) && says(memory, "\"length\": 1000"));
    FAILS(occaCreateDevice(occaNull), "this is an occaNull, not an occaJson or occaString");
    FAILS(occaCreateDevice(occaUndefined), "this is an occaUndefined");
    FAILS(occaCreateDeviceFromString(NULL), "null pointer");
    FAILS(occaDeviceFinish(none), "occaDeviceFinish: there is no device");
    FAILS(occaDeviceGetProperties(none), "no device");
    FAILS(occaDeviceArch(none), "no device");
    FAILS(occaDeviceMode(memory), "this is an occaMemory, not an occaDevice");
    occaFree(&start), occaFree(&end), occaFree(&third), occaFree(&same);
    // With all that is on it.
    occaFree(&device);
    CHECK(!occaMemoryIsInitialized(memory) && occaMemorySize(memory) == 0);
    // What C has handles of stays until it gives them back.
    occaFree(&memory), occaFree(&first), occaFree(&own);
}

static void memories(occaDevice device, occaJson props, int has_own) {
    float host[8] = {0, 1, 2, 3, 4, 5, 6, 7}, back[8];
    occaMemory all = occaDeviceTypedMalloc(device, 8, occaDtypeFloat, host, occaDefault), bytes, part, copy, wrapped;
    occaMemoryPool pool = occaDeviceCreateMemoryPool(device, props);
    CHECK(all.type == OCCA_MEMORY && occaMemoryIsInitialized(all) && occaMemorySize(all) == 8);
    CHECK(!occaMemoryIsInitialized(occaUndefined) && occaMemorySize(occaUndefined) == 0);
    CHECK(occaMemoryPtr(all) != NULL && occaMemoryPtr(occaUndefined) == NULL);
    CHECK(occaMemoryGetDevice(all).value.ptr == device.value.ptr);
    part = occaMemorySlice(all, 2, 3);
    CHECK(occaMemorySize(part) == 3 && at(part, 2) == 4);
    copy = occaMemoryClone(part);
    occaCopyPtrToMem(part, back, 0, 0, occaDefault);
    occaCopyPtrToMem(all, host + 7, 1, 2, props);
    CHECK(at(part, 0) == 7 && at(copy, 0) == 2);
    occaCopyMemToMem(all, copy, 2, 6, 1, props);
    CHECK(at(all, 6) == 3 && at(all, 7) == 4);
    occaCopyMemToPtr(back, all, 2, 5, props);
    CHECK(back[0] == 5 && back[1] == 3);
    bytes = occaDeviceMalloc(device, 8, host, props);
    CHECK(occaJsonObjectHas(occaMemoryGetProperties(bytes), "key") && occaMemorySize(bytes) == 8);
    occaCopyPtrToMem(bytes, host + 3, 4, 4, occaDefault);
    CHECK(at(bytes, 1) == 3 && at(bytes, 0) == 0);
    occaFree(&bytes);
    FAILS(occaMemorySlice(all, 7, 2), "not all in memory");
    FAILS(occaCopyMemToPtr(back, all, 9, 0, occaDefault), "not all in memory");
    FAILS(occaCopyPtrToMem(occaUndefined, host, 1, 0, occaDefault), "occaCopyPtrToMem: there is no memory");
    FAILS(occaCopyMemToPtr(host, occaUndefined, 1, 0, occaDefault), "occaCopyMemToPtr: there is no memory");
    FAILS(occaCopyMemToMem(all, occaUndefined, 1, 0, 0, occaDefault), "no memory");
    FAILS(occaCopyPtrToMem(all, host, 1, 0, occaUndefined), "this is an occaUndefined, not an occaJson");
    FAILS(occaMemoryClone(occaUndefined), "no memory");
    FAILS(occaMemorySlice(occaUndefined, 0, 1), "no memory");
    FAILS(occaMemoryGetProperties(occaUndefined), "no memory");
    FAILS(occaMemoryDetach(occaUndefined), "no memory");
    FAILS(occaMemorySize(device), "this is an occaDevice, not an occaMemory");
    FAILS(occaDeviceTypedMalloc(device, 1, occaDtypeNone, NULL, occaDefault), "0 bytes");
    CHECK(occaIsUndefined(occaDeviceMalloc(device, 0, NULL, occaDefault)));
    if (!has_own) {
        float *there;
        wrapped = occaDeviceWrapMemory(device, host, 32, occaDefault);
        CHECK(occaMemoryPtr(wrapped) == (void *)host && occaMemorySize(wrapped) == 32);
        occaFree(&wrapped);
        wrapped = occaDeviceTypedWrapMemory(device, host, 8, occaDtypeFloat, props);
        CHECK(at(wrapped, 3) == 3);
        occaFree(&wrapped);
        wrapped = occaWrapCpuMemory(device, host, 8, occaDefault);
        CHECK(occaMemorySize(wrapped) == 8);
        occaFree(&wrapped);
        there = (float *)occaMemoryPtr(copy);
        occaMemoryDetach(copy);
        there[0] = 5;
        CHECK(there[0] == 5 && there[2] == 4);
    } else {
        FAILS(occaWrapCpuMemory(device, host, 8, occaDefault), "has memory of its own");
        wrapped = occaDeviceTypedWrapMemory(device, occaMemoryPtr(all), 8, occaDtypeFloat, occaDefault);
        CHECK(at(wrapped, 1) == 1);
        occaFree(&wrapped);
        occaMemoryDetach(copy);
    }
    occaFree(&part);
    occaFree(&all);

    CHECK(pool.type == OCCA_MEMORYPOOL && occaMemoryPoolIsInitialized(pool) && !occaMemoryPoolIsInitialized(occaUndefined));
    CHECK(strcmp(occaMemoryPoolMode(pool), occaDeviceMode(device)) == 0);
    CHECK(occaMemoryPoolGetDevice(pool).value.ptr == device.value.ptr);
    CHECK(occaJsonObjectHas(occaMemoryPoolGetProperties(pool), "key"));
    CHECK(occaMemoryPoolAlignment(pool) == 128);
    occaMemoryPoolSetAlignment(pool, 16);
    occaMemoryPoolResize(pool, 64);
    all = occaMemoryPoolReserve(pool, 32);
    part = occaMemoryPoolTypedReserve(pool, 8, occaDtypeFloat);
    CHECK(occaMemoryPoolSize(pool) == 64 && occaMemoryPoolReserved(pool) == 64);
    CHECK(occaMemoryPoolNumReservations(pool) == 2 && occaMemoryPoolAlignment(pool) == 16);
    occaCopyPtrToMem(part, host, occaAllBytes, 0, occaDefault);
    occaFree(&all);
    CHECK(occaMemoryPoolReserved(pool) == 32);
    occaMemoryPoolShrinkToFit(pool);
    CHECK(occaMemoryPoolSize(pool) == 32 && at(part, 7) == 7 && says(pool, "\"memoryPool\""));
    FAILS(occaMemoryPoolResize(pool, 16), "in use");
    FAILS(occaMemoryPoolSetAlignment(pool, 0), "alignment of 0");
    FAILS(occaMemoryPoolResize(occaUndefined, 16), "occaMemoryPoolResize: there is no pool");
    FAILS(occaMemoryPoolShrinkToFit(occaUndefined), "no pool");
    FAILS(occaMemoryPoolReserve(occaUndefined, 16), "no pool");
    FAILS(occaMemoryPoolSetAlignment(occaUndefined, 16), "no pool");
    FAILS(occaMemoryPoolGetDevice(occaUndefined), "no pool");
    FAILS(occaMemoryPoolSize(device), "this is an occaDevice, not an occaMemoryPool");
    occaFree(&part);
    occaFree(&pool);
}

#include "occa_kernels.h"

int main(int argc, char **argv) {
    static const char *const host[] = {"Serial", "OpenMP", NULL}, *const gpus[] = {"OpenCL", NULL}, *const cuda[] = {"CUDA", NULL};
    const char *const *modes;
    if (argc != 4) return 2;
    modes = strcmp(argv[1], "opencl") == 0 ? gpus : strncmp(argv[1], "cuda", 4) == 0 ? cuda : host;
    values();
    jsons(argv[3]);
    types();
    for (; *modes != NULL; ++modes) {
        const int has_own = modes[0][0] == 'C' || strcmp(*modes, "OpenCL") == 0;
        occaJson props = occaJsonParse("{key: 'value', kernel: {k: 1}, memory: {m: 2}, stream: {s: 3}, device_id: 0, platform_id: 0}");
        occaDevice device;
        occaJsonObjectSet(props, "mode", occaString(*modes));
        devices(props, *modes);
        device = occaCreateDevice(props);
        memories(device, props, has_own);
        kernels(device, argv[2], argv[3], has_own);
        globals(device, props, argv[2], has_own);
        occaFree(&device);
        occaFree(&props);
    }
    endings();
    puts(failures == 0 ? "all is as it should be" : "not all is as it should be");
    return failures != 0;
}
