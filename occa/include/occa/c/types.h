// What every function of C takes and gives: numbers, pointers, and handles of objects.
// 
// A handle is copied like a number; the object lives until occaFree gets one of its handles, or its device is freed. No
// copy may be used afterwards. Whatever goes wrong is an occa::exception: C++ can catch it, in C and Fortran the program
// ends with its message.
#ifndef OCCA_C_TYPES_H
#define OCCA_C_TYPES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <occa/c/defines.h>

OCCA_START_EXTERN_C

typedef int64_t occaDim_t;
typedef uint64_t occaUDim_t;

typedef struct {
    occaUDim_t x, y, z;
} occaDim;

typedef struct {
    int magicHeader;
    // One of the numbers below.
    int type;
    // Of the value, or of what it points to.
    occaUDim_t bytes;
    // Whether occaFree frees what it points to.
    bool needsFree;

    union {
        uint8_t uint8_;
        uint16_t uint16_;
        uint32_t uint32_;
        uint64_t uint64_;
        int8_t int8_;
        int16_t int16_;
        int32_t int32_;
        int64_t int64_;
        float float_;
        double double_;
        char *ptr;
    } value;
} occaType;

typedef occaType occaDevice;
typedef occaType occaKernel;
typedef occaType occaKernelBuilder;
typedef occaType occaMemory;
typedef occaType occaMemoryPool;
typedef occaType occaStream;
typedef occaType occaStreamTag;
typedef occaType occaDtype;
typedef occaType occaScope;
typedef occaType occaJson;

extern const int OCCA_UNDEFINED, OCCA_DEFAULT, OCCA_NULL;
extern const int OCCA_PTR, OCCA_BOOL;
extern const int OCCA_INT8, OCCA_UINT8, OCCA_INT16, OCCA_UINT16, OCCA_INT32, OCCA_UINT32, OCCA_INT64, OCCA_UINT64;
extern const int OCCA_FLOAT, OCCA_DOUBLE, OCCA_STRUCT, OCCA_STRING;
extern const int OCCA_DEVICE, OCCA_KERNEL, OCCA_KERNELBUILDER, OCCA_MEMORY, OCCA_MEMORYPOOL, OCCA_STREAM, OCCA_STREAMTAG;
extern const int OCCA_DTYPE, OCCA_SCOPE, OCCA_JSON;

extern const occaType occaNull, occaUndefined, occaDefault, occaTrue, occaFalse;
// All that there is of memory.
extern const occaUDim_t occaAllBytes;

// Whether nothing was ever put into it, or it has been freed.
bool occaIsUndefined(occaType value);
bool occaIsNull(occaType value);
bool occaIsDefault(occaType value);

// Memory of the host.
occaType occaPtr(const void *value);
occaType occaBool(bool value);
occaType occaInt8(int8_t value);
occaType occaUInt8(uint8_t value);
occaType occaInt16(int16_t value);
occaType occaUInt16(uint16_t value);
occaType occaInt32(int32_t value);
occaType occaUInt32(uint32_t value);
occaType occaInt64(int64_t value);
occaType occaUInt64(uint64_t value);

// By their size here.
occaType occaChar(char value);
occaType occaUChar(unsigned char value);
occaType occaShort(short value);
occaType occaUShort(unsigned short value);
occaType occaInt(int value);
occaType occaUInt(unsigned int value);
occaType occaLong(long value);
occaType occaULong(unsigned long value);

occaType occaFloat(float value);
occaType occaDouble(double value);
// These two point to what they are made of.
occaType occaStruct(const void *value, occaUDim_t bytes);
occaType occaString(const char *str);

// Frees what a handle stands for, and makes the handle undefined; does nothing for all else.
void occaFree(occaType *value);
// Prints what it is, as JSON.
void occaPrintTypeInfo(occaType value);

OCCA_END_EXTERN_C

#endif
