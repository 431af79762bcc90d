// What elements of memory are.
#include <occa/core/memory.hpp>
#include <occa/dtype.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace occa {

namespace detail {

struct Dtype {
    enum Kind { opaque, builtin, tuple, structure, union_, enumeration };

    std::string name;
    int bytes = 0;
    bool registered = false;
    Kind kind = opaque;
    // Of a struct's or union's fields, or of an enum's enumerators.
    strVector names;
    // Of a struct's or union's fields, or the one of a tuple's elements.
    dtypeVector parts;
    // Of a tuple.
    int count = 0;
};

} // namespace detail

namespace {

using detail::Dtype;

typedef std::map<std::string, dtype_t> Builtins;

Builtins &builtins() {
    static Builtins all;
    return all;
}

} // namespace

dtype_t::dtype_t() : self(std::make_shared<Dtype>()) {}

dtype_t::dtype_t(const std::string &name, int bytes, bool registered) : self(std::make_shared<Dtype>()) {
    self->name = name;
    self->bytes = bytes;
    self->registered = registered;
}

dtype_t::dtype_t(const std::string &name, const dtype_t &other, bool registered)
    : self(std::make_shared<Dtype>(*other.self)) {
    // A builtin remains what it is.
    if (self->kind == Dtype::builtin) {
        self = other.self;
        return;
    }
    self->name = name;
    self->registered = registered;
}

const std::string &dtype_t::name() const { return self->name; }

int dtype_t::bytes() const { return self->bytes; }

void dtype_t::registerType() { self->registered = true; }

bool dtype_t::isRegistered() const { return self->registered; }

// Whoever changes a type has it alone: its copies stay what they were.
void dtype_t::own() {
    OCCA_ERROR("occa::dtype_t: '" << name() << "' is a builtin, which is not changed", self->kind != Dtype::builtin);
    if (self.use_count() > 1) {
        // Those that are registered are changed all the same: whoever has them shall see all of their fields.
        if (!self->registered) self = std::make_shared<Dtype>(*self);
    }
}

bool dtype_t::isEnum() const { return self->kind == Dtype::enumeration; }

int dtype_t::enumEnumeratorCount() const { return isEnum() ? static_cast<int>(self->names.size()) : 0; }

const strVector &dtype_t::enumEnumeratorNames() const {
    OCCA_ERROR("occa::dtype_t: '" << name() << "' is no enum", isEnum());
    return self->names;
}

dtype_t &dtype_t::addEnumerator(const std::string &enumerator) {
    own();
    OCCA_ERROR("occa::dtype_t: '" << name() << "' is no enum", self->kind == Dtype::opaque || isEnum());
    self->kind = Dtype::enumeration;
    OCCA_ERROR("occa::dtype_t: '" << name() << "' has the enumerator '" << enumerator << "' already",
               std::count(self->names.begin(), self->names.end(), enumerator) == 0);
    self->names.push_back(enumerator);
    self->bytes = static_cast<int>(sizeof(int));
    return *this;
}

bool dtype_t::isStruct() const { return self->kind == Dtype::structure; }

int dtype_t::structFieldCount() const { return isStruct() ? static_cast<int>(self->names.size()) : 0; }

const strVector &dtype_t::structFieldNames() const {
    OCCA_ERROR("occa::dtype_t: '" << name() << "' is no struct", isStruct());
    return self->names;
}

bool dtype_t::isUnion() const { return self->kind == Dtype::union_; }

int dtype_t::unionFieldCount() const { return isUnion() ? static_cast<int>(self->names.size()) : 0; }

const strVector &dtype_t::unionFieldNames() const {
    OCCA_ERROR("occa::dtype_t: '" << name() << "' is no union", isUnion());
    return self->names;
}

dtype_t &dtype_t::addField(const std::string &field, const dtype_t &dtype, int tupleSize) {
    own();
    OCCA_ERROR("occa::dtype_t: '" << name() << "' is no struct",
               (self->kind == Dtype::opaque && self->bytes == 0) || isStruct() || isUnion());
    OCCA_ERROR("occa::dtype_t: '" << name() << "' has the field '" << field << "' already",
               std::count(self->names.begin(), self->names.end(), field) == 0);
    OCCA_ERROR("occa::dtype_t: the field '" << field << "' has a size of " << tupleSize, tupleSize > 0);
    const dtype_t part = tupleSize == 1 ? dtype : tuple(dtype, tupleSize);
    OCCA_ERROR("occa::dtype_t: with the field '" << field << "' there are too many bytes to count",
               isUnion() || part.bytes() <= std::numeric_limits<int>::max() - self->bytes);
    if (!isUnion()) self->kind = Dtype::structure;
    self->names.push_back(field);
    self->parts.push_back(part);
    self->bytes = isUnion() ? std::max(self->bytes, part.bytes()) : self->bytes + part.bytes();
    return *this;
}

bool dtype_t::isTuple() const { return self->kind == Dtype::tuple; }

int dtype_t::tupleSize() const { return isTuple() ? self->count : 0; }

dtype_t dtype_t::tuple(const dtype_t &dtype, int size, bool registered) {
    OCCA_ERROR("occa::dtype_t::tuple: a size of " << size, size > 0);
    OCCA_ERROR("occa::dtype_t::tuple: " << size << " of " << dtype.bytes() << " bytes are too many to count",
               dtype.bytes() <= std::numeric_limits<int>::max() / size);
    dtype_t all;
    all.self->name = dtype.name() + "_tuple_" + std::to_string(size);
    all.self->kind = Dtype::tuple;
    all.self->count = size;
    all.self->parts.assign(1, dtype);
    all.self->bytes = size * dtype.bytes();
    all.self->registered = registered;
    return all;
}

const dtype_t &dtype_t::operator[](int field) const {
    OCCA_ERROR("occa::dtype_t: '" << name() << "' has no field number " << field,
               field >= 0 && field < structFieldCount() + unionFieldCount());
    return self->parts[static_cast<std::size_t>(field)];
}

const dtype_t &dtype_t::operator[](const std::string &field) const {
    const auto found = std::find(self->names.begin(), self->names.end(), field);
    OCCA_ERROR("occa::dtype_t: '" << name() << "' has no field '" << field << "'",
               (isStruct() || isUnion()) && found != self->names.end());
    return self->parts[static_cast<std::size_t>(found - self->names.begin())];
}

bool dtype_t::matches(const dtype_t &other) const {
    if (*this == other) return true;
    const Dtype &a = *self, &b = *other.self;
    // Builtins, and what has no structure, are only themselves.
    if (a.kind != b.kind || a.kind == Dtype::builtin || a.kind == Dtype::opaque) return false;
    return a.names == b.names && a.count == b.count && a.parts.size() == b.parts.size() &&
           std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(),
                      [](const dtype_t &x, const dtype_t &y) { return x.matches(y); });
}

std::vector<dtype_t> dtype_t::flattened() const {
    if (self->kind != Dtype::tuple && self->kind != Dtype::structure) return {*this};
    std::vector<dtype_t> all;
    for (int i = 0; i < std::max(self->count, 1); ++i) {
        for (const dtype_t &part : self->parts) {
            const std::vector<dtype_t> inner = part.flattened();
            all.insert(all.end(), inner.begin(), inner.end());
        }
    }
    return all;
}

bool dtype_t::canBeCastedTo(const dtype_t &other) const {
    if (*this == other || *this == dtype::byte || other == dtype::byte) return true;
    std::vector<dtype_t> few = flattened(), many = other.flattened();
    if (few.size() > many.size()) std::swap(few, many);
    if (few.empty() || many.size() % few.size() != 0) return false;
    for (std::size_t i = 0; i < many.size(); ++i) {
        if (many[i] != few[i % few.size()]) return false;
    }
    return true;
}

const dtype_t &dtype_t::getBuiltin(const std::string &name) {
    static const std::map<std::string, const char *> sized = {
        {"int8", "char"}, {"int16", "short"}, {"int32", "int"}, {"int64", "long"}};
    const auto same = sized.find(name);
    const auto found = builtins().find(same == sized.end() ? name : same->second);
    OCCA_ERROR("occa::dtype_t::getBuiltin: there is no type '" << name << "'", found != builtins().end());
    return found->second;
}

json dtype_t::toJson(const std::string &name) const {
    json j;
    toJson(j, name);
    return j;
}

void dtype_t::toJson(json &j, const std::string &name) const {
    j = json(json::object_);
    if (!name.empty()) j["name"] = name;
    const auto found = builtins().find(self->name);
    if (found != builtins().end() && found->second == *this) {
        j["type"] = "builtin";
        j["name"] = self->name;
        return;
    }
    switch (self->kind) {
    case Dtype::structure:
    case Dtype::union_: {
        j["type"] = isUnion() ? "union" : "struct";
        json &fields = j["fields"].asArray();
        for (std::size_t i = 0; i < self->names.size(); ++i) {
            json field;
            field["name"] = self->names[i];
            field["dtype"] = self->parts[i].toJson();
            fields.array().push_back(field);
        }
        break;
    }
    case Dtype::tuple:
        j["type"] = "tuple";
        j["dtype"] = self->parts[0].toJson();
        j["size"] = self->count;
        break;
    case Dtype::enumeration: {
        j["type"] = "enum";
        json &names = j["enumerators"].asArray();
        for (const std::string &enumerator : self->names) names.array().push_back(json{{"name", enumerator}});
        break;
    }
    default:
        j["type"] = "custom";
        j["name"] = self->name;
        j["bytes"] = self->bytes;
    }
}

dtype_t dtype_t::fromJson(const std::string &text) { return fromJson(json::parse(text)); }

dtype_t dtype_t::fromJson(const json &j) {
    const std::string type = j.get<std::string>("type");
    if (type == "builtin") return getBuiltin(j.get<std::string>("name"));
    dtype_t made;
    if (type == "struct" || type == "union") {
        if (type == "union") made.self->kind = Dtype::union_;
        for (const json &field : j["fields"].array()) {
            made.addField(field.get<std::string>("name"), fromJson(field["dtype"]));
        }
    } else if (type == "tuple") {
        made = tuple(fromJson(j["dtype"]), j.get<int>("size"));
    } else if (type == "enum") {
        for (const json &enumerator : j["enumerators"].array()) {
            made.addEnumerator(enumerator.get<std::string>("name"));
        }
    } else if (type == "custom") {
        made = dtype_t(j.get<std::string>("name"), j.get<int>("bytes"));
    } else {
        OCCA_FORCE_ERROR("occa::dtype_t::fromJson: no type is '" << type << "'");
    }
    return made;
}

std::string dtype_t::toString(const std::string &variable) const {
    const std::string behind = variable.empty() ? "" : " " + variable;
    std::string text;
    switch (self->kind) {
    case Dtype::structure:
    case Dtype::union_:
        for (std::size_t i = 0; i < self->names.size(); ++i) text += self->parts[i].toString(self->names[i]) + "; ";
        return (isUnion() ? "union " : "struct ") + (self->name.empty() ? "" : self->name + " ") + "{ " + text + "}" + behind;
    case Dtype::tuple: {
        const auto found = builtins().find(self->name);
        if (found != builtins().end() && found->second == *this) return self->name + behind;
        return self->parts[0].toString(variable) + "[" + std::to_string(self->count) + "]";
    }
    case Dtype::enumeration:
        for (const std::string &enumerator : self->names) text += (text.empty() ? "" : ", ") + enumerator;
        return "enum " + (self->name.empty() ? "" : self->name + " ") + "{ " + text + " }" + behind;
    default: return (self->name.empty() ? "none" : self->name) + behind;
    }
}

std::ostream &operator<<(std::ostream &out, const dtype_t &dtype) { return out << dtype.toString(); }

namespace detail {

// Makes the builtins.
struct Builtin {
    static dtype_t scalar(const char *name, std::size_t bytes) {
        dtype_t type(name, static_cast<int>(bytes), true);
        type.self->kind = Dtype::builtin;
        return builtins()[name] = type;
    }
    static dtype_t vector(const char *name, const dtype_t &scalar, int width) {
        dtype_t type = dtype_t::tuple(scalar, width, true);
        type.self->name = name;
        return builtins()[name] = type;
    }
};

} // namespace detail

namespace dtype {

using detail::Builtin;

const dtype_t none = Builtin::scalar("none", 0), void_ = Builtin::scalar("void", 0), byte = Builtin::scalar("byte", 1);
const dtype_t bool_ = Builtin::scalar("bool", sizeof(bool)), char_ = Builtin::scalar("char", sizeof(char)),
              short_ = Builtin::scalar("short", sizeof(short)), int_ = Builtin::scalar("int", sizeof(int)),
              long_ = Builtin::scalar("long", sizeof(long)), float_ = Builtin::scalar("float", sizeof(float)),
              double_ = Builtin::scalar("double", sizeof(double));
const dtype_t int8 = char_, int16 = short_, int32 = int_, int64 = long_;
const dtype_t uint8 = Builtin::scalar("uint8", 1), uint16 = Builtin::scalar("uint16", 2),
              uint32 = Builtin::scalar("uint32", 4), uint64 = Builtin::scalar("uint64", 8);
const dtype_t uchar2 = Builtin::vector("uchar2", uint8, 2), uchar3 = Builtin::vector("uchar3", uint8, 3),
              uchar4 = Builtin::vector("uchar4", uint8, 4);
const dtype_t char2 = Builtin::vector("char2", char_, 2), char3 = Builtin::vector("char3", char_, 3),
              char4 = Builtin::vector("char4", char_, 4);
const dtype_t ushort2 = Builtin::vector("ushort2", uint16, 2), ushort3 = Builtin::vector("ushort3", uint16, 3),
              ushort4 = Builtin::vector("ushort4", uint16, 4);
const dtype_t short2 = Builtin::vector("short2", short_, 2), short3 = Builtin::vector("short3", short_, 3),
              short4 = Builtin::vector("short4", short_, 4);
const dtype_t uint2 = Builtin::vector("uint2", uint32, 2), uint3 = Builtin::vector("uint3", uint32, 3),
              uint4 = Builtin::vector("uint4", uint32, 4);
const dtype_t int2 = Builtin::vector("int2", int_, 2), int3 = Builtin::vector("int3", int_, 3),
              int4 = Builtin::vector("int4", int_, 4);
const dtype_t ulong2 = Builtin::vector("ulong2", uint64, 2), ulong3 = Builtin::vector("ulong3", uint64, 3),
              ulong4 = Builtin::vector("ulong4", uint64, 4);
const dtype_t long2 = Builtin::vector("long2", long_, 2), long3 = Builtin::vector("long3", long_, 3),
              long4 = Builtin::vector("long4", long_, 4);
const dtype_t float2 = Builtin::vector("float2", float_, 2), float3 = Builtin::vector("float3", float_, 3),
              float4 = Builtin::vector("float4", float_, 4);
const dtype_t double2 = Builtin::vector("double2", double_, 2), double3 = Builtin::vector("double3", double_, 3),
              double4 = Builtin::vector("double4", double_, 4);
const dtype_t memory = Builtin::scalar("occa::memory", 0);

template <> dtype_t get<void>() { return void_; }
template <> dtype_t get<bool>() { return bool_; }
template <> dtype_t get<char>() { return char_; }
template <> dtype_t get<signed char>() { return int8; }
template <> dtype_t get<unsigned char>() { return uint8; }
template <> dtype_t get<short>() { return short_; }
template <> dtype_t get<unsigned short>() { return uint16; }
template <> dtype_t get<int>() { return int_; }
template <> dtype_t get<unsigned int>() { return uint32; }
template <> dtype_t get<long>() { return long_; }
template <> dtype_t get<unsigned long>() { return uint64; }
template <> dtype_t get<long long>() { return int64; }
template <> dtype_t get<unsigned long long>() { return uint64; }
template <> dtype_t get<float>() { return float_; }
template <> dtype_t get<double>() { return double_; }
template <> dtype_t get<occa::memory>() { return memory; }
template <> dtype_t get<occa::uchar2>() { return uchar2; }
template <> dtype_t get<occa::uchar4>() { return uchar4; }
template <> dtype_t get<occa::char2>() { return char2; }
template <> dtype_t get<occa::char4>() { return char4; }
template <> dtype_t get<occa::ushort2>() { return ushort2; }
template <> dtype_t get<occa::ushort4>() { return ushort4; }
template <> dtype_t get<occa::short2>() { return short2; }
template <> dtype_t get<occa::short4>() { return short4; }
template <> dtype_t get<occa::uint2>() { return uint2; }
template <> dtype_t get<occa::uint4>() { return uint4; }
template <> dtype_t get<occa::int2>() { return int2; }
template <> dtype_t get<occa::int4>() { return int4; }
template <> dtype_t get<occa::ulong2>() { return ulong2; }
template <> dtype_t get<occa::ulong4>() { return ulong4; }
template <> dtype_t get<occa::long2>() { return long2; }
template <> dtype_t get<occa::long4>() { return long4; }
template <> dtype_t get<occa::float2>() { return float2; }
template <> dtype_t get<occa::float4>() { return float4; }
template <> dtype_t get<occa::double2>() { return double2; }
template <> dtype_t get<occa::double4>() { return double4; }

} // namespace dtype
} // namespace occa
