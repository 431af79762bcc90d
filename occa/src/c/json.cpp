// JSON and types for C.
#include "types.hpp"

#include <occa/c/dtype.h>
#include <occa/c/json.h>

using namespace occa::c;

namespace {

const char *string(const char *given, const char *function) {
    OCCA_ERROR(function << ": a null pointer", given != nullptr);
    return given;
}

occaJson made(const occa::json &value) { return newOccaType(*new occa::json(value), true); }

// An object or an array; nothing becomes one.
occa::json &object(occaJson value, const char *function) {
    occa::json &found = json(value);
    if (!found.isInitialized()) found.asObject();
    OCCA_ERROR(function << ": this is no JSON object", found.isObject());
    return found;
}

occa::json &array(occaJson value, const char *function) {
    occa::json &found = json(value);
    if (!found.isInitialized()) found.asArray();
    OCCA_ERROR(function << ": this is no JSON array", found.isArray());
    return found;
}

// A place in an array.
std::size_t place(const occa::json &of, int index, const char *function) {
    OCCA_ERROR(function << ": there is no entry " << index << " of " << of.size(), index >= 0 && index < of.size());
    return static_cast<std::size_t>(index);
}

occaDtype made(const occa::dtype_t &type) { return newOccaType(*new occa::dtype_t(type)); }

} // namespace

OCCA_START_EXTERN_C

occaJson occaCreateJson(void) { return made(occa::json()); }

occaJson occaJsonParse(const char *c) { return made(occa::json::parse(std::string(string(c, "occaJsonParse")))); }

occaJson occaJsonRead(const char *filename) { return made(occa::json::read(string(filename, "occaJsonRead"))); }

void occaJsonWrite(occaJson j, const char *filename) { json(j).write(string(filename, "occaJsonWrite")); }

const char *occaJsonDump(occaJson j, const int indent) { return text(json(j).dump(indent)); }

bool occaJsonIsBoolean(occaJson j) { return json(j).isBool(); }
bool occaJsonIsNumber(occaJson j) { return json(j).isNumber(); }
bool occaJsonIsString(occaJson j) { return json(j).isString(); }
bool occaJsonIsArray(occaJson j) { return json(j).isArray(); }
bool occaJsonIsObject(occaJson j) { return json(j).isObject(); }

void occaJsonCastToBoolean(occaJson j) { json(j).asBoolean(); }
void occaJsonCastToNumber(occaJson j) { json(j).asNumber(); }
void occaJsonCastToString(occaJson j) { json(j).asString(); }
void occaJsonCastToArray(occaJson j) { json(j).asArray(); }
void occaJsonCastToObject(occaJson j) { json(j).asObject(); }

bool occaJsonGetBoolean(occaJson j) { return static_cast<const occa::json &>(json(j)).boolean(); }

occaType occaJsonGetNumber(occaJson j, const int type) { return newOccaType(json(j).number(), type); }

const char *occaJsonGetString(occaJson j) { return json(j).string().c_str(); }

occaType occaJsonObjectGet(occaJson j, const char *key, occaType defaultValue) {
    occa::json &all = object(j, "occaJsonObjectGet");
    return all.has(string(key, "occaJsonObjectGet")) ? newOccaType(all[key], false) : defaultValue;
}

void occaJsonObjectSet(occaJson j, const char *key, occaType value) {
    occa::json &all = object(j, "occaJsonObjectSet");
    // First: it may be a part of what it is put into.
    const occa::json entry = inferJson(value);
    all[string(key, "occaJsonObjectSet")] = entry;
}

bool occaJsonObjectHas(occaJson j, const char *key) {
    return object(j, "occaJsonObjectHas").has(string(key, "occaJsonObjectHas"));
}

int occaJsonArraySize(occaJson j) { return array(j, "occaJsonArraySize").size(); }

occaType occaJsonArrayGet(occaJson j, const int index) {
    occa::json &all = array(j, "occaJsonArrayGet");
    return newOccaType(all.array()[place(all, index, "occaJsonArrayGet")], false);
}

void occaJsonArrayPush(occaJson j, occaType value) {
    occa::json &all = array(j, "occaJsonArrayPush");
    const occa::json entry = inferJson(value);
    all.array().push_back(entry);
}

void occaJsonArrayPop(occaJson j) {
    occa::json &all = array(j, "occaJsonArrayPop");
    OCCA_ERROR("occaJsonArrayPop: the array is empty", all.size() > 0);
    all.array().pop_back();
}

void occaJsonArrayInsert(occaJson j, const int index, occaType value) {
    occa::json &all = array(j, "occaJsonArrayInsert");
    const occa::json entry = inferJson(value);
    const std::size_t before = place(all, index, "occaJsonArrayInsert");
    all.array().insert(all.array().begin() + static_cast<std::ptrdiff_t>(before), entry);
}

void occaJsonArrayClear(occaJson j) { array(j, "occaJsonArrayClear").array().clear(); }

occaDtype occaCreateDtype(const char *name, const int bytes) {
    return made(occa::dtype_t(string(name, "occaCreateDtype"), bytes));
}

occaDtype occaCreateDtypeTuple(occaDtype type, const int size) {
    return made(occa::dtype_t::tuple(dtype(type), size));
}

const char *occaDtypeName(occaDtype type) { return dtype(type).name().c_str(); }

int occaDtypeBytes(occaDtype type) { return dtype(type).bytes(); }

void occaDtypeRegisterType(occaDtype type) { dtype(type).registerType(); }

bool occaDtypeIsRegistered(occaDtype type) { return dtype(type).isRegistered(); }

void occaDtypeAddField(occaDtype type, const char *field, occaDtype fieldType) {
    dtype(type).addField(string(field, "occaDtypeAddField"), dtype(fieldType));
}

bool occaDtypesAreEqual(occaDtype a, occaDtype b) { return dtype(a) == dtype(b); }

bool occaDtypesMatch(occaDtype a, occaDtype b) { return dtype(a).matches(dtype(b)); }

occaDtype occaDtypeFromJson(occaJson j) { return made(occa::dtype_t::fromJson(json(j))); }

occaDtype occaDtypeFromJsonString(const char *str) {
    return made(occa::dtype_t::fromJson(std::string(string(str, "occaDtypeFromJsonString"))));
}

occaJson occaDtypeToJson(occaDtype type) { return made(occa::dtype::toJson(dtype(type))); }

OCCA_END_EXTERN_C
