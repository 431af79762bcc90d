// JSON.
#ifndef OCCA_C_JSON_H
#define OCCA_C_JSON_H

#include <occa/c/types.h>

OCCA_START_EXTERN_C

// Nothing yet; it becomes what is first done with it.
occaJson occaCreateJson(void);
occaJson occaJsonParse(const char *c);
occaJson occaJsonRead(const char *filename);
void occaJsonWrite(occaJson j, const char *filename);
// A text that the caller gives to free().
const char *occaJsonDump(occaJson j, const int indent);

bool occaJsonIsBoolean(occaJson j);
bool occaJsonIsNumber(occaJson j);
bool occaJsonIsString(occaJson j);
bool occaJsonIsArray(occaJson j);
bool occaJsonIsObject(occaJson j);

// Becomes that, and empty if it was something else.
void occaJsonCastToBoolean(occaJson j);
void occaJsonCastToNumber(occaJson j);
void occaJsonCastToString(occaJson j);
void occaJsonCastToArray(occaJson j);
void occaJsonCastToObject(occaJson j);

bool occaJsonGetBoolean(occaJson j);
// As OCCA_INT8 to OCCA_DOUBLE; undefined for other types.
occaType occaJsonGetNumber(occaJson j, const int type);
// The value's own text.
const char *occaJsonGetString(occaJson j);

// An entry is the object's or array's own: not to be freed, and gone with it. A key may be a path, a/b. Null is occaNull.
occaType occaJsonObjectGet(occaJson j, const char *key, occaType defaultValue);
// Numbers, strings, JSON and null.
void occaJsonObjectSet(occaJson j, const char *key, occaType value);
bool occaJsonObjectHas(occaJson j, const char *key);

int occaJsonArraySize(occaJson j);
occaType occaJsonArrayGet(occaJson j, const int index);
void occaJsonArrayPush(occaJson j, occaType value);
void occaJsonArrayPop(occaJson j);
// Before an entry that is there.
void occaJsonArrayInsert(occaJson j, const int index, occaType value);
void occaJsonArrayClear(occaJson j);

OCCA_END_EXTERN_C

#endif
