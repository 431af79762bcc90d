// What elements of memory are.
#ifndef OCCA_C_DTYPE_H
#define OCCA_C_DTYPE_H

#include <occa/c/types.h>

OCCA_START_EXTERN_C

// So many bytes; 0 for a struct, which gets fields.
occaDtype occaCreateDtype(const char *name, const int bytes);
occaDtype occaCreateDtypeTuple(occaDtype dtype, const int size);
// The type's own text.
const char *occaDtypeName(occaDtype dtype);
int occaDtypeBytes(occaDtype dtype);
void occaDtypeRegisterType(occaDtype dtype);
bool occaDtypeIsRegistered(occaDtype dtype);
void occaDtypeAddField(occaDtype dtype, const char *field, occaDtype fieldType);
// The same type, and made alike.
bool occaDtypesAreEqual(occaDtype a, occaDtype b);
bool occaDtypesMatch(occaDtype a, occaDtype b);
occaDtype occaDtypeFromJson(occaJson json);
occaDtype occaDtypeFromJsonString(const char *str);
occaJson occaDtypeToJson(occaDtype dtype);

// These are not freed.
extern const occaDtype occaDtypeNone, occaDtypeVoid, occaDtypeByte;
extern const occaDtype occaDtypeBool, occaDtypeChar, occaDtypeShort, occaDtypeInt, occaDtypeLong, occaDtypeFloat, occaDtypeDouble;
extern const occaDtype occaDtypeInt8, occaDtypeUint8, occaDtypeInt16, occaDtypeUint16;
extern const occaDtype occaDtypeInt32, occaDtypeUint32, occaDtypeInt64, occaDtypeUint64;
extern const occaDtype occaDtypeUchar2, occaDtypeUchar3, occaDtypeUchar4;
extern const occaDtype occaDtypeChar2, occaDtypeChar3, occaDtypeChar4;
extern const occaDtype occaDtypeUshort2, occaDtypeUshort3, occaDtypeUshort4;
extern const occaDtype occaDtypeShort2, occaDtypeShort3, occaDtypeShort4;
extern const occaDtype occaDtypeUint2, occaDtypeUint3, occaDtypeUint4;
extern const occaDtype occaDtypeInt2, occaDtypeInt3, occaDtypeInt4;
extern const occaDtype occaDtypeUlong2, occaDtypeUlong3, occaDtypeUlong4;
extern const occaDtype occaDtypeLong2, occaDtypeLong3, occaDtypeLong4;
extern const occaDtype occaDtypeFloat2, occaDtypeFloat3, occaDtypeFloat4;
extern const occaDtype occaDtypeDouble2, occaDtypeDouble3, occaDtypeDouble4;

OCCA_END_EXTERN_C

#endif
