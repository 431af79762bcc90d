// JSON: properties of devices, memory and kernels, and whatever a program keeps in it.
//
// More is read than JSON has: strings in ' ', keys without quotes, a comma behind the last entry, C's comments and
// numbers. A path "a/b/c" is an entry of an entry.
#ifndef OCCA_TYPES_JSON_HPP
#define OCCA_TYPES_JSON_HPP

#include <occa/types/primitive.hpp>
#include <occa/types/typedefs.hpp>
#include <occa/utils/hash.hpp>

#include <initializer_list>
#include <map>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

namespace occa {

class json;
class jsonKeyValue;

typedef std::map<std::string, json> jsonObject;
typedef std::vector<json> jsonArray;
typedef std::initializer_list<jsonKeyValue> jsonInitializerList;
typedef json properties;

struct jsonValue_t {
    primitive number = primitive(0);
    std::string string;
    jsonArray array;
    jsonObject object;
};

class json {
  public:
    enum type_t {
        none_ = 1 << 0,
        null_ = 1 << 1,
        number_ = 1 << 2, // bool, too
        string_ = 1 << 3,
        array_ = 1 << 4,
        object_ = 1 << 5
    };

    type_t type;
    jsonValue_t value_;

    json(type_t type_ = none_) : type(type_) {}
    json(const json &other) = default;
    json(json &&other) = default;
    template <class T, typename std::enable_if<detail::IsNumber<T>::value, int>::type = 0>
    json(const T number) : type(number_) {
        value_.number = primitive(number);
    }
    json(const primitive &number) : type(number_) { value_.number = number; }
    json(const char *text) : type(string_) { value_.string = text; }
    json(const std::string &text) : type(string_) { value_.string = text; }
    json(const hash_t &hash) : type(string_) { value_.string = hash.getFullString(); }
    json(const jsonObject &object) : type(object_) { value_.object = object; }
    json(const jsonArray &array) : type(array_) { value_.array = array; }
    // An object with one entry.
    json(const std::string &name, const primitive &number);
    // An object; names may be paths.
    json(std::initializer_list<jsonKeyValue> entries);
    virtual ~json();

    json &clear();
    json &operator=(const json &other) = default;
    json &operator=(json &&other) = default;
    template <class T, typename std::enable_if<detail::IsNumber<T>::value, int>::type = 0>
    json &operator=(const T number) {
        type = number_;
        value_.number = primitive(number);
        return *this;
    }
    json &operator=(const primitive &number);
    json &operator=(const char *text);
    json &operator=(const std::string &text);
    json &operator=(const hash_t &hash);
    json &operator=(const jsonObject &object);
    json &operator=(const jsonArray &array);

    virtual bool isInitialized() const { return type != none_; }

    // Reads a value; what is no JSON throws occa::exception.
    json &load(const char *&text);
    json &load(const std::string &text);
    static json parse(const char *&text);
    static json parse(const std::string &text);
    // Of a file, and to one.
    static json read(const std::string &filename);
    void write(const std::string &filename);
    // So many blanks deeper with each level; without any, all in a line.
    std::string dump(int indent = 2) const;
    void dumpToString(std::string &out, const std::string &indent = "", const std::string &currentIndent = "") const;

    // Numbers are added, strings appended; an entry goes to the end of an array; objects are merged, entry by entry where
    // both have objects, else the other's value stands. None changes nothing and becomes what is added. Anything else
    // throws.
    json operator+(const json &other) const;
    json &operator+=(const json &other);
    void mergeWithObject(const jsonObject &other);

    // Whether there is an entry of that path.
    bool has(const std::string &path) const;

    bool isString() const { return type == string_; }
    bool isNumber() const { return type == number_; }
    bool isObject() const { return type == object_; }
    bool isArray() const { return type == array_; }
    bool isBool() const { return type == number_ && value_.number.isBool(); }
    bool isNull() const { return type == null_; }

    dtype_t dtype() const;

    // Becomes that, and empty if it was something else.
    json &asNull() { return as(null_); }
    json &asBoolean();
    json &asNumber() { return as(number_); }
    json &asString() { return as(string_); }
    json &asArray() { return as(array_); }
    json &asObject() { return as(object_); }

    bool &boolean() { return value_.number.value.bool_; }
    bool boolean() const { return value_.number; }
    primitive &number() { return value_.number; }
    const primitive &number() const { return value_.number; }
    std::string &string() { return value_.string; }
    const std::string &string() const { return value_.string; }
    jsonArray &array() { return value_.array; }
    const jsonArray &array() const { return value_.array; }
    jsonObject &object() { return value_.object; }
    const jsonObject &object() const { return value_.object; }

    // The entry of a path, made if there is none; throws where the path leads through what is no object. A constant's that
    // is not there is none.
    json &operator[](const char *path);
    const json &operator[](const char *path) const;
    json &operator[](const std::string &path) { return (*this)[path.c_str()]; }
    const json &operator[](const std::string &path) const { return (*this)[path.c_str()]; }
    // An array's; made with nulls before it.
    json &operator[](int index);
    const json &operator[](int index) const;

    // Characters or entries; 0 for all else.
    int size() const;

    // The entry of that name, which is no path.
    template <class T> json &set(const char *name, const T &value) {
        type = object_;
        value_.object[name] = value;
        return *this;
    }
    template <class T> json &set(const std::string &name, const T &value) { return set(name.c_str(), value); }

    // The value of a path, or else the default.
    json getPathValue(const char *path) const { return (*this)[path]; }
    template <class T> T get(const char *path, const T &otherwise = T()) const {
        const json &value = (*this)[path];
        return value.isInitialized() ? static_cast<T>(value) : otherwise;
    }
    template <class T> T get(const std::string &path, const T &otherwise = T()) const {
        return get<T>(path.c_str(), otherwise);
    }

    // An array's entries; the default if it is none.
    template <class T> std::vector<T> toVector(const std::vector<T> &otherwise = std::vector<T>()) const {
        if (!isArray()) return otherwise;
        std::vector<T> all;
        for (const json &entry : value_.array) all.push_back(static_cast<T>(entry));
        return all;
    }
    template <class T>
    std::vector<T> toVector(const char *path, const std::vector<T> &otherwise = std::vector<T>()) const {
        return (*this)[path].toVector<T>(otherwise);
    }
    template <class T>
    std::vector<T> toVector(const std::string &path, const std::vector<T> &otherwise = std::vector<T>()) const {
        return (*this)[path].toVector<T>(otherwise);
    }

    // An object's.
    strVector keys() const;
    jsonArray values() const;
    json &remove(const char *path);
    json &remove(const std::string &path) { return remove(path.c_str()); }

    bool operator==(const json &other) const;
    bool operator!=(const json &other) const { return !(*this == other); }

    // Numbers that are not 0, strings that are not empty, arrays, objects.
    operator bool() const;
    // 0 for what is no number.
    operator uint8_t() const { return to<uint8_t>(); }
    operator uint16_t() const { return to<uint16_t>(); }
    operator uint32_t() const { return to<uint32_t>(); }
    operator uint64_t() const { return to<uint64_t>(); }
    operator int8_t() const { return to<int8_t>(); }
    operator int16_t() const { return to<int16_t>(); }
    operator int32_t() const { return to<int32_t>(); }
    operator int64_t() const { return to<int64_t>(); }
    operator float() const { return to<float>(); }
    operator double() const { return to<double>(); }
    operator std::string() const { return toString(); }

    hash_t hash() const;
    // A string itself; everything else as dump gives it.
    std::string toString() const;

  private:
    json &as(type_t other);
    template <class T> T to() const { return type == number_ ? value_.number.to<T>() : T(); }
};

// An entry of an object that is written down: {"name", value}.
class jsonKeyValue {
  public:
    std::string name;
    json value;

    template <class T, typename std::enable_if<detail::IsNumber<T>::value, int>::type = 0>
    jsonKeyValue(const std::string &name_, const T value_) : name(name_), value(value_) {}
    jsonKeyValue(const std::string &name_, const primitive &value_) : name(name_), value(value_) {}
    jsonKeyValue(const std::string &name_, const char *value_) : name(name_), value(value_) {}
    jsonKeyValue(const std::string &name_, const std::string &value_) : name(name_), value(value_) {}
    jsonKeyValue(const std::string &name_, const hash_t &value_) : name(name_), value(value_) {}
    jsonKeyValue(const std::string &name_, const json &value_) : name(name_), value(value_) {}
    jsonKeyValue(const std::string &name_, std::initializer_list<jsonKeyValue> value_) : name(name_), value(value_) {}
};

template <> inline hash_t hash(const json &value) { return value.hash(); }

std::ostream &operator<<(std::ostream &out, const json &value);

} // namespace occa

#endif
