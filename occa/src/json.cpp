// JSON: reading, printing, merging, paths.
#include <occa/types/json.hpp>

#include "files.hpp"

#include <cctype>
#include <cstring>

namespace occa {

namespace {

// Reads a text from its first character on, as far as one value goes.
class Reader {
  public:
    explicit Reader(const char *&text) : c(text) {}

    json value() {
        blanks();
        switch (*c) {
        case '{': return object();
        case '[': return array();
        case '"':
        case '\'': return json(quoted());
        default: break;
        }
        if (word("null")) return json(json::null_);
        const primitive number = primitive::load(c);
        OCCA_ERROR("occa::json: no value begins with '" << start() << "'", !number.isNaN());
        return json(number);
    }

  private:
    const char *&c;

    std::string start() const { return std::string(c, strnlen(c, 24)); }

    // And comments.
    void blanks() {
        for (;;) {
            if (std::isspace(static_cast<unsigned char>(*c))) {
                ++c;
            } else if (std::strncmp(c, "//", 2) == 0) {
                while (*c != '\0' && *c != '\n') ++c;
            } else if (std::strncmp(c, "/*", 2) == 0) {
                const char *end = std::strstr(c + 2, "*/");
                OCCA_ERROR("occa::json: a comment has no end", end != nullptr);
                c = end + 2;
            } else {
                return;
            }
        }
    }

    bool word(const char *expected) {
        const std::size_t length = std::strlen(expected);
        if (std::strncmp(c, expected, length) != 0) return false;
        c += length;
        return true;
    }

    // Whether the entries end here; else a comma has been read, or the first entry follows.
    bool ends(char closing, bool first) {
        blanks();
        if (!first && *c == ',') {
            ++c;
            blanks();
        } else if (!first) {
            OCCA_ERROR("occa::json: ',' or '" << closing << "' is missing before '" << start() << "'", *c == closing);
        }
        OCCA_ERROR("occa::json: '" << closing << "' is missing", *c != '\0');
        if (*c != closing) return false;
        ++c;
        return true;
    }

    json object() {
        json all(json::object_);
        ++c;
        for (bool first = true; !ends('}', first); first = false) {
            const std::string key = name();
            blanks();
            OCCA_ERROR("occa::json: ':' is missing behind the key '" << key << "'", *c == ':');
            ++c;
            all.value_.object[key] = value();
        }
        return all;
    }

    std::string name() {
        if (*c == '"' || *c == '\'') return quoted();
        const char *first = c;
        while (*c != '\0' && *c != ':' && !std::isspace(static_cast<unsigned char>(*c))) ++c;
        OCCA_ERROR("occa::json: a key is missing before '" << start() << "'", c != first);
        return std::string(first, c);
    }

    json array() {
        json all(json::array_);
        ++c;
        for (bool first = true; !ends(']', first); first = false) all.value_.array.push_back(value());
        return all;
    }

    std::string quoted() {
        const char quote = *c++;
        std::string text;
        for (; *c != quote; ++c) {
            OCCA_ERROR("occa::json: a string has no end", *c != '\0');
            if (*c != '\\') {
                text += *c;
                continue;
            }
            ++c;
            OCCA_ERROR("occa::json: a string has no end", *c != '\0');
            static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
            const char *letter = std::strchr(letters, *c);
            if (letter != nullptr) {
                text += meant[letter - letters];
            } else if (*c == 'u') {
                // Kept as it is written.
                text += "\\u";
                for (int i = 0; i < 4; ++i) {
                    OCCA_ERROR("occa::json: \\u is followed by four hexadecimal digits",
                               std::isxdigit(static_cast<unsigned char>(c[1])));
                    text += *++c;
                }
            } else if (*c != '\n') {
                text += *c;
            }
        }
        ++c;
        return text;
    }
};

void print_quoted(std::string &out, const std::string &text) {
    out += '"';
    for (const char c : text) {
        static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
        const char *special = c == '\0' ? nullptr : std::strchr(plain, c);
        if (special != nullptr) {
            out += '\\';
            out += letters[special - plain];
        } else {
            out += c;
        }
    }
    out += '"';
}

// The next name of a path, which is moved behind it and its slash; a slash that belongs to a name stands behind a
// backslash.
std::string next(const char *&path) {
    std::string name;
    for (; *path != '\0' && *path != '/'; ++path) {
        if (*path == '\\' && path[1] == '/') ++path;
        name += *path;
    }
    if (*path == '/') ++path;
    return name;
}

} // namespace

json::json(const std::string &name, const primitive &number) : type(object_) { (*this)[name] = number; }

json::json(std::initializer_list<jsonKeyValue> entries) : type(object_) {
    for (const jsonKeyValue &entry : entries) (*this)[entry.name] = entry.value;
}

json::~json() = default;

json &json::clear() { return *this = json(); }

json &json::operator=(const primitive &number) { return *this = json(number); }

json &json::operator=(const char *text) { return *this = json(text); }

json &json::operator=(const std::string &text) { return *this = json(text); }

json &json::operator=(const hash_t &hash) { return *this = json(hash); }

json &json::operator=(const jsonObject &object) { return *this = json(object); }

json &json::operator=(const jsonArray &array) { return *this = json(array); }

json &json::as(type_t other) {
    if (type != other && type != none_) clear();
    type = other;
    return *this;
}

json &json::asBoolean() {
    const bool truth = type == number_ && value_.number.to<bool>();
    return *this = json(truth);
}

json &json::load(const char *&text) { return *this = Reader(text).value(); }

json &json::load(const std::string &text) {
    const char *c = text.c_str();
    return load(c);
}

json json::parse(const char *&text) { return Reader(text).value(); }

json json::parse(const std::string &text) {
    const char *c = text.c_str();
    return parse(c);
}

json json::read(const std::string &filename) { return parse(files::read(filename)); }

void json::write(const std::string &filename) { files::write(filename, dump()); }

std::string json::dump(int indent) const {
    std::string out;
    dumpToString(out, std::string(static_cast<std::size_t>(indent >= 0 ? indent : 2), ' '));
    return out;
}

void json::dumpToString(std::string &out, const std::string &indent, const std::string &currentIndent) const {
    const std::string deeper = currentIndent + indent;
    const char *const line = indent.empty() ? "" : "\n";
    const char *const comma = indent.empty() ? ", " : ",\n";
    switch (type) {
    case none_: return;
    case null_: out += "null"; return;
    case number_: out += value_.number.toString(); return;
    case string_: print_quoted(out, value_.string); return;
    case array_: {
        if (value_.array.empty()) {
            out += "[]";
            return;
        }
        out += '[';
        const char *before = line;
        for (const json &entry : value_.array) {
            out += before + deeper;
            // What is none is still something between two commas.
            if (entry.type == none_) out += "null";
            entry.dumpToString(out, indent, deeper);
            before = comma;
        }
        out += line + currentIndent + ']';
        return;
    }
    case object_: {
        if (value_.object.empty()) {
            out += "{}";
            return;
        }
        out += '{';
        const char *before = line;
        for (const auto &entry : value_.object) {
            out += before + deeper;
            print_quoted(out, entry.first);
            out += ": ";
            if (entry.second.type == none_) out += "{}";
            entry.second.dumpToString(out, indent, deeper);
            before = comma;
        }
        out += line + currentIndent + '}';
        return;
    }
    }
}

json json::operator+(const json &other) const {
    json sum = *this;
    sum += other;
    return sum;
}

json &json::operator+=(const json &other) {
    if (other.type == none_) return *this;
    if (type == none_) return *this = other;
    OCCA_ERROR("occa::json: what is added is of another kind", type == array_ || type == other.type);
    switch (type) {
    case number_: primitive::addEq(value_.number, other.value_.number); break;
    case string_: value_.string += other.value_.string; break;
    case array_: value_.array.push_back(json(other)); break;
    case object_: mergeWithObject(other.value_.object); break;
    default: break;
    }
    return *this;
}

void json::mergeWithObject(const jsonObject &other) {
    type = object_;
    for (const auto &entry : other) {
        json &mine = value_.object[entry.first];
        if (mine.isObject() && entry.second.isObject()) {
            if (&mine != &entry.second) mine.mergeWithObject(entry.second.value_.object);
        } else {
            mine = json(entry.second);
        }
    }
}

bool json::has(const std::string &path) const {
    const json *at = this;
    for (const char *c = path.c_str(); *c != '\0';) {
        const auto found = at->value_.object.find(next(c));
        if (!at->isObject() || found == at->value_.object.end()) return false;
        at = &found->second;
    }
    return true;
}

json &json::operator[](const char *path) {
    const char *const whole = path;
    json *at = this;
    while (*path != '\0') {
        if (at->type == none_) at->type = object_;
        OCCA_ERROR("occa::json: '" << std::string(whole, path) << "' of the path '" << whole << "' is no object",
                   at->isObject());
        at = &at->value_.object[next(path)];
    }
    return *at;
}

const json &json::operator[](const char *path) const {
    static const json none;
    const json *at = this;
    while (*path != '\0') {
        if (!at->isObject()) return none;
        const auto found = at->value_.object.find(next(path));
        if (found == at->value_.object.end()) return none;
        at = &found->second;
    }
    return *at;
}

json &json::operator[](int index) {
    OCCA_ERROR("occa::json: entry " << index << " of what is no array", isArray() && index >= 0);
    const std::size_t wanted = static_cast<std::size_t>(index);
    if (wanted >= value_.array.size()) value_.array.resize(wanted + 1, json(null_));
    return value_.array[wanted];
}

const json &json::operator[](int index) const {
    OCCA_ERROR("occa::json: entry " << index << " of what is no array with so many",
               isArray() && index >= 0 && static_cast<std::size_t>(index) < value_.array.size());
    return value_.array[static_cast<std::size_t>(index)];
}

int json::size() const {
    switch (type) {
    case string_: return static_cast<int>(value_.string.size());
    case array_: return static_cast<int>(value_.array.size());
    case object_: return static_cast<int>(value_.object.size());
    default: return 0;
    }
}

strVector json::keys() const {
    strVector all;
    if (isObject()) {
        for (const auto &entry : value_.object) all.push_back(entry.first);
    }
    return all;
}

jsonArray json::values() const {
    jsonArray all;
    if (isObject()) {
        for (const auto &entry : value_.object) all.push_back(entry.second);
    }
    return all;
}

json &json::remove(const char *path) {
    json *at = this;
    while (at->isObject()) {
        const std::string name = next(path);
        const auto found = at->value_.object.find(name);
        if (found == at->value_.object.end()) break;
        if (*path == '\0') {
            at->value_.object.erase(found);
            break;
        }
        at = &found->second;
    }
    return *this;
}

bool json::operator==(const json &other) const {
    if (type != other.type) return false;
    switch (type) {
    case number_: {
        if (value_.number.isNaN() || other.value_.number.isNaN()) {
            return value_.number.isNaN() == other.value_.number.isNaN();
        }
        return primitive::equal(value_.number, other.value_.number);
    }
    case string_: return value_.string == other.value_.string;
    case array_: return value_.array == other.value_.array;
    case object_: return value_.object == other.value_.object;
    default: return true;
    }
}

json::operator bool() const {
    switch (type) {
    case number_: return value_.number;
    case string_: return !value_.string.empty();
    case array_:
    case object_: return true;
    default: return false;
    }
}

dtype_t json::dtype() const {
    switch (type) {
    case null_: return dtype::byte;
    case number_: return value_.number.dtype();
    default: return dtype::none;
    }
}

hash_t json::hash() const {
    std::string text;
    dumpToString(text);
    return occa::hash(text);
}

std::string json::toString() const { return isString() ? value_.string : dump(); }

std::ostream &operator<<(std::ostream &out, const json &value) { return out << value.toString(); }

} // namespace occa
