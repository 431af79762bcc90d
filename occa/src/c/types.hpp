// Values of C, and what they are in C++.
#ifndef OCCA_SRC_C_TYPES_HPP
#define OCCA_SRC_C_TYPES_HPP

#include <occa/c/types.h>
#include <occa/core/base.hpp>
#include <occa/experimental/kernelBuilder.hpp>
#include <occa/functional/scope.hpp>

namespace occa {
namespace c {

// What occaType::type is.
namespace typeType {
enum {
    undefined, default_, null_, ptr, bool_,
    int8_, uint8_, int16_, uint16_, int32_, uint32_, int64_, uint64_, float_, double_,
    struct_, string,
    device, kernel, kernelBuilder, memory, memoryPool, stream, streamTag,
    dtype, scope, json
};
} // namespace typeType

// Undefined for what is no object.
occaType newOccaType(const occa::device &value);
occaType newOccaType(const occa::kernel &value);
occaType newOccaType(const occa::memory &value);
occaType newOccaType(const occa::memoryPool &value);
occaType newOccaType(const occa::stream &value);
occaType newOccaType(const occa::streamTag &value);
// Of the heap; occaFree deletes it.
occaType newOccaType(const occa::dtype_t &value);
occaType newOccaType(const occa::scope &value);
occaType newOccaType(const occa::kernelBuilder &value);
// Null is occaNull; the JSON of the heap that occaFree deletes, or somebody's own.
occaType newOccaType(const occa::json &value, bool needsFree);
// As one of the types of numbers; undefined for others.
occaType newOccaType(const primitive &value, int type);
occaType newOccaType(const void *value);
occaType newOccaType(bool value);
occaType newOccaType(int8_t value);
occaType newOccaType(uint8_t value);
occaType newOccaType(int16_t value);
occaType newOccaType(uint16_t value);
occaType newOccaType(int32_t value);
occaType newOccaType(uint32_t value);
occaType newOccaType(int64_t value);
occaType newOccaType(uint64_t value);
occaType newOccaType(float value);
occaType newOccaType(double value);

// The object of a handle: none of what is undefined. These, and those below, throw if it is something else.
occa::device device(occaType value);
occa::kernel kernel(occaType value);
occa::memory memory(occaType value);
occa::memoryPool memoryPool(occaType value);
occa::stream stream(occaType value);
occa::streamTag streamTag(occaType value);

// Throws if it is undefined.
occa::json &json(occaType value);
occa::dtype_t &dtype(occaType value);
occa::scope &scope(occaType value);
occa::kernelBuilder &kernelBuilder(occaType value);
// Properties: none for occaDefault.
occa::json properties(occaType value);
// A number.
occa::primitive primitive(occaType value);
// What it is as an argument; it points to what the value points to.
occa::kernelArg kernelArg(occaType value);
// What it is as an entry of JSON.
occa::json inferJson(occaType value);
// The type of an argument.
occa::dtype_t getDtype(occaType value);
// "occaDevice", say.
const char *nameOf(int type);

// What an object becomes that C has the only handle of.
template <class T> occaType kept(T object) {
    object.dontUseRefs();
    return newOccaType(object);
}
// A text that its receiver gives to free().
char *text(const std::string &text);

} // namespace c
} // namespace occa

#endif
