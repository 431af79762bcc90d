// What an element of memory is: a number, a tuple of numbers, a struct, or so many bytes.
#ifndef OCCA_DTYPE_DTYPE_HPP
#define OCCA_DTYPE_DTYPE_HPP

#include <occa/types/typedefs.hpp>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace occa {

class dtype_t;
class json;

namespace detail {
struct Builtin;
struct Dtype;
} // namespace detail

// Copies are the same type until one of them gets another field; two types that are made alike are not the same.
class dtype_t {
  public:
    // No type, or a struct to be.
    dtype_t();
    // So many bytes.
    dtype_t(const std::string &name, int bytes = 0, bool registered = false);
    // Another type by another name.
    dtype_t(const std::string &name, const dtype_t &other, bool registered = false);

    const std::string &name() const;
    int bytes() const;

    // A type that is registered can no longer be changed. (Memory may be of any type here.)
    void registerType();
    bool isRegistered() const;

    bool isEnum() const;
    int enumEnumeratorCount() const;
    const strVector &enumEnumeratorNames() const;
    dtype_t &addEnumerator(const std::string &enumerator);

    bool isStruct() const;
    int structFieldCount() const;
    const strVector &structFieldNames() const;
    // An array if the size is more than one.
    dtype_t &addField(const std::string &field, const dtype_t &dtype, int tupleSize = 1);

    // Fields that lie in one place, of the longest one's size. What is no union yet becomes one by fromJson only.
    bool isUnion() const;
    int unionFieldCount() const;
    const strVector &unionFieldNames() const;

    bool isTuple() const;
    int tupleSize() const;
    static dtype_t tuple(const dtype_t &dtype, int size, bool registered = false);

    // The type of a struct's or union's field; throws if there is none.
    const dtype_t &operator[](int field) const;
    const dtype_t &operator[](const std::string &field) const;

    // The same type.
    bool operator==(const dtype_t &other) const { return self == other.self; }
    bool operator!=(const dtype_t &other) const { return self != other.self; }
    // Made alike: the same builtins in the same fields.
    bool matches(const dtype_t &other) const;
    // Whether one consists of the other's numbers, in order, so many times over; bytes are anything.
    bool canBeCastedTo(const dtype_t &other) const;

    // Throws if there is none of that name.
    static const dtype_t &getBuiltin(const std::string &name);

    json toJson(const std::string &name = "") const;
    void toJson(json &j, const std::string &name = "") const;
    static dtype_t fromJson(const std::string &text);
    static dtype_t fromJson(const json &j);
    std::string toString(const std::string &variable = "") const;

    // The builtins that it consists of, in order.
    std::vector<dtype_t> flattened() const;

  private:
    friend struct detail::Builtin;

    std::shared_ptr<detail::Dtype> self;

    void own();
};

std::ostream &operator<<(std::ostream &out, const dtype_t &dtype);

} // namespace occa

#endif
