// Numbers of any type: reading, printing, computing.
#include <occa/types/primitive.hpp>

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace occa {

namespace {

// Calls f with the number as its type.
template <class R, class F> R visit(const primitive &p, int type, const char *what, F f) {
    switch (type) {
    case primitiveType::bool_: return f(p.to<bool>());
    case primitiveType::uint8_: return f(p.to<uint8_t>());
    case primitiveType::uint16_: return f(p.to<uint16_t>());
    case primitiveType::uint32_: return f(p.to<uint32_t>());
    case primitiveType::uint64_: return f(p.to<uint64_t>());
    case primitiveType::int8_: return f(p.to<int8_t>());
    case primitiveType::int16_: return f(p.to<int16_t>());
    case primitiveType::int32_: return f(p.to<int32_t>());
    case primitiveType::int64_: return f(p.to<int64_t>());
    case primitiveType::float_: return f(p.to<float>());
    case primitiveType::double_: return f(p.to<double>());
    default: OCCA_FORCE_ERROR("occa::primitive::" << what << ": it is no number");
    }
}

// The same with two, as the larger of their types.
template <class F> primitive both(const primitive &a, const primitive &b, const char *what, F f) {
    const int type = a.type > b.type ? a.type : b.type;
    return visit<primitive>(a, type, what, [&](auto x) { return primitive(f(x, b.to<decltype(x)>())); });
}

// What has bits that operators work on.
void needs_bits(const primitive &p, const char *what) {
    OCCA_ERROR("occa::primitive::" << what << " takes integers", p.isInteger() || p.isBool());
}

// What C++ makes of a number that it computes with: at least an int.
template <class T> using Promoted = decltype(+T());

template <class F> primitive bits(const primitive &a, const primitive &b, const char *what, F f) {
    needs_bits(a, what);
    needs_bits(b, what);
    return both(a, b, what, [&](auto x, auto y) {
        return static_cast<Promoted<decltype(x)>>(f(static_cast<int64_t>(x), static_cast<int64_t>(y)));
    });
}

template <class F> primitive arithmetic(const primitive &a, const primitive &b, const char *what, F f) {
    return both(a, b, what, [&](auto x, auto y) {
        typedef Promoted<decltype(x)> P;
        // What is too large begins anew; of signed integers that is defined without a sign only.
        if constexpr (std::is_integral<P>::value) {
            return static_cast<P>(f(static_cast<uint64_t>(x), static_cast<uint64_t>(y)));
        } else {
            return f(x, y);
        }
    });
}

// Whether a division is by -1, which in two's complement the least number is too small for.
template <class T> bool by_minus_one(T y) { return std::is_signed<T>::value && y == T(-1); }

primitive &step(primitive &p, const char *what, int by) {
    OCCA_ERROR("occa::primitive::" << what << " takes no bool", !p.isBool());
    p = visit<primitive>(p, p.type, what, [&](auto x) { return primitive(static_cast<decltype(x)>(x + by)); });
    return p;
}

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const int letter = std::tolower(static_cast<unsigned char>(c));
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 99;
}

// The smallest type that has room for so many bits.
primitive sized(uint64_t number, bool negative, int bits) {
    const int64_t minus = static_cast<int64_t>(0 - number);
    if (bits < 8) return negative ? primitive(static_cast<int8_t>(minus)) : primitive(static_cast<uint8_t>(number));
    if (bits < 16) return negative ? primitive(static_cast<int16_t>(minus)) : primitive(static_cast<uint16_t>(number));
    if (bits < 32) return negative ? primitive(static_cast<int32_t>(minus)) : primitive(static_cast<uint32_t>(number));
    return negative ? primitive(minus) : primitive(number);
}

primitive in_base(const char *&text, bool negative, int bits_of_digit) {
    const char *first = text;
    uint64_t number = 0;
    for (; digit(*text) < 1 << bits_of_digit; ++text) {
        number = number << bits_of_digit | static_cast<uint64_t>(digit(*text));
    }
    if (text == first) return primitive();
    return sized(number, negative, static_cast<int>(text - first) * bits_of_digit + negative);
}

// Skips the letters of a type behind an integer; how many L there are, and whether there is a U.
void suffix(const char *&text, int &longs, bool &is_unsigned) {
    for (;; ++text) {
        const int c = std::tolower(static_cast<unsigned char>(*text));
        if (c == 'l') ++longs;
        else if (c == 'u') is_unsigned = true;
        else return;
    }
}

primitive integer(const primitive &number, int longs, bool is_unsigned) {
    if (longs == 0) return is_unsigned ? primitive(number.to<uint32_t>()) : primitive(number.to<int32_t>());
    return is_unsigned ? primitive(number.to<uint64_t>()) : primitive(number.to<int64_t>());
}

// A number in the usual spelling, from its sign at `first` on; none if there are no digits.
primitive decimal(const char *first, const char *&text) {
    const char *c = text;
    int digits = 0;
    bool is_float = false;
    for (; std::isdigit(static_cast<unsigned char>(*c)) || *c == '.'; ++c) {
        if (*c == '.') is_float = true;
        else ++digits;
    }
    if (digits == 0) return primitive();
    if (*c == 'e' || *c == 'E') {
        const char *exponent = c + 1;
        if (*exponent == '+' || *exponent == '-') ++exponent;
        if (std::isdigit(static_cast<unsigned char>(*exponent))) {
            is_float = true;
            for (c = exponent; std::isdigit(static_cast<unsigned char>(*c));) ++c;
        }
    }
    // A blank may stand behind the sign.
    const std::string number = (*first == '-' ? "-" : "") + std::string(text, c);
    text = c;
    if (*c == 'f' || *c == 'F') {
        ++text;
        return primitive(std::strtof(number.c_str(), nullptr));
    }
    if (is_float) return primitive(std::strtod(number.c_str(), nullptr));
    int longs = 0;
    bool is_unsigned = false;
    suffix(text, longs, is_unsigned);
    const bool negative = number[0] == '-';
    // In C a number that begins with 0 is octal; 08 is none, and ten's.
    const bool octal = number[negative] == '0' && number.find_first_of("89") == std::string::npos;
    const uint64_t magnitude = std::strtoull(number.c_str() + negative, nullptr, octal ? 8 : 10);
    return integer(primitive(negative ? 0 - magnitude : magnitude), longs, is_unsigned);
}

// With as few digits as make the same number again.
template <class T> std::string printed(T number, int digits, const char *suffix) {
    char text[64];
    for (int few = 6; few <= digits; ++few) {
        std::snprintf(text, sizeof text, "%.*g", few, static_cast<double>(number));
        const T again = static_cast<T>(std::strtod(text, nullptr));
        if (!(again < number) && !(number < again)) break;
    }
    const bool whole = std::strspn(text, "-0123456789") == std::strlen(text);
    return std::string(text) + (whole ? ".0" : "") + (std::isfinite(number) ? suffix : "");
}

} // namespace

primitive::primitive(const char *text) { *this = load(text); }

primitive::primitive(const std::string &text) { *this = load(text); }

primitive primitive::load(const std::string &text, bool includeSign) {
    const char *c = text.c_str();
    return load(c, includeSign);
}

primitive primitive::load(const char *&text, bool includeSign) {
    const char *const first = text;
    const auto found = [&](primitive number, const char *end) {
        if (number.isNaN()) return number;
        number.source = std::string(first, end);
        text = end;
        return number;
    };
    if (std::strncmp(first, "true", 4) == 0) return found(true, first + 4);
    if (std::strncmp(first, "false", 5) == 0) return found(false, first + 5);
    const char *c = first;
    const bool negative = *c == '-';
    if (*c == '+' || *c == '-') {
        if (!includeSign) return primitive();
        for (++c; std::isspace(static_cast<unsigned char>(*c));) ++c;
    }
    const int base = *c == '0' ? std::tolower(static_cast<unsigned char>(c[1])) : 0;
    if (base == 'x' || base == 'b') {
        c += 2;
        const primitive number = base == 'x' ? loadHex(c, negative) : loadBinary(c, negative);
        int longs = 0;
        bool is_unsigned = false;
        suffix(c, longs, is_unsigned);
        return number.isNaN() ? number : found(integer(number, longs, is_unsigned), c);
    }
    const primitive number = decimal(first, c);
    return found(number, c);
}

primitive primitive::loadBinary(const char *&text, bool isNegative) { return in_base(text, isNegative, 1); }

primitive primitive::loadHex(const char *&text, bool isNegative) { return in_base(text, isNegative, 4); }

dtype_t primitive::dtype() const {
    switch (type) {
    case primitiveType::bool_: return dtype::bool_;
    case primitiveType::uint8_: return dtype::uint8;
    case primitiveType::uint16_: return dtype::uint16;
    case primitiveType::uint32_: return dtype::uint32;
    case primitiveType::uint64_: return dtype::uint64;
    case primitiveType::int8_: return dtype::int8;
    case primitiveType::int16_: return dtype::int16;
    case primitiveType::int32_: return dtype::int32;
    case primitiveType::int64_: return dtype::int64;
    case primitiveType::float_: return dtype::float_;
    case primitiveType::double_: return dtype::double_;
    default: return dtype::none;
    }
}

const void *primitive::ptr() const {
    switch (type) {
    case primitiveType::none: return nullptr;
    case primitiveType::ptr: return value.ptr;
    default: return &value;
    }
}

namespace {

std::string digits(const primitive &p, const char *function, const char *prefix, unsigned bits) {
    OCCA_ERROR(function << ": it is no integer", p.isInteger() || p.isBool());
    const bool negative = p.isSigned() && p.to<int64_t>() < 0;
    uint64_t rest = p.isSigned() ? static_cast<uint64_t>(p.to<int64_t>()) : p.to<uint64_t>();
    if (negative) rest = 0 - rest;
    std::string text;
    do {
        text.insert(text.begin(), "0123456789abcdef"[rest & ((1u << bits) - 1)]);
        rest >>= bits;
    } while (rest != 0);
    return (negative ? "-" : "") + (prefix + text);
}

} // namespace

std::string primitive::toBinaryString() const { return digits(*this, "occa::primitive::toBinaryString", "0b", 1); }

std::string primitive::toHexString() const { return digits(*this, "occa::primitive::toHexString", "0x", 4); }

std::string primitive::toString() const {
    if (!source.empty()) return source;
    switch (type) {
    case primitiveType::bool_: return value.bool_ ? "true" : "false";
    case primitiveType::float_: return printed(value.float_, 9, "f");
    case primitiveType::double_: return printed(value.double_, 17, "");
    case primitiveType::uint64_: return std::to_string(value.uint64_) + "L";
    case primitiveType::int64_: return std::to_string(value.int64_) + "L";
    case primitiveType::none:
    case primitiveType::ptr: return "";
    default: return std::to_string(to<int64_t>());
    }
}

uint64_t primitive::sizeof_() const {
    switch (type) {
    case primitiveType::bool_:
    case primitiveType::int8_:
    case primitiveType::uint8_: return 1;
    case primitiveType::int16_:
    case primitiveType::uint16_: return 2;
    case primitiveType::int32_:
    case primitiveType::uint32_:
    case primitiveType::float_: return 4;
    case primitiveType::int64_:
    case primitiveType::uint64_:
    case primitiveType::double_: return 8;
    case primitiveType::ptr: return sizeof(void *);
    default: return 0;
    }
}

primitive primitive::not_(const primitive &p) {
    OCCA_ERROR("occa::primitive::not_ takes no floating-point number", !p.isFloat());
    return visit<primitive>(p, p.type, "not_", [](auto x) { return primitive(!x); });
}

primitive primitive::positive(const primitive &p) {
    return visit<primitive>(p, p.type, "positive", [](auto x) { return primitive(+x); });
}

primitive primitive::negative(const primitive &p) {
    return visit<primitive>(p, p.type, "negative", [](auto x) {
        typedef Promoted<decltype(x)> P;
        if constexpr (std::is_integral<P>::value) return primitive(static_cast<P>(0 - static_cast<uint64_t>(x)));
        else return primitive(-x);
    });
}

primitive primitive::tilde(const primitive &p) {
    // C's: that of a bool is never 0, but of one bit it is the other value.
    if (p.isBool()) return primitive(!p.value.bool_);
    needs_bits(p, "tilde");
    return visit<primitive>(p, p.type, "tilde", [](auto x) {
        return primitive(static_cast<Promoted<decltype(x)>>(~static_cast<int64_t>(x)));
    });
}

primitive &primitive::leftIncrement(primitive &p) { return step(p, "leftIncrement", 1); }

primitive &primitive::leftDecrement(primitive &p) { return step(p, "leftDecrement", -1); }

primitive primitive::rightIncrement(primitive &p) {
    const primitive before = p;
    step(p, "rightIncrement", 1);
    return before;
}

primitive primitive::rightDecrement(primitive &p) {
    const primitive before = p;
    step(p, "rightDecrement", -1);
    return before;
}

primitive primitive::lessThan(const primitive &a, const primitive &b) {
    return both(a, b, "lessThan", [](auto x, auto y) { return x < y; });
}

primitive primitive::lessThanEq(const primitive &a, const primitive &b) {
    return both(a, b, "lessThanEq", [](auto x, auto y) { return x <= y; });
}

primitive primitive::equal(const primitive &a, const primitive &b) {
    return both(a, b, "equal", [](auto x, auto y) { return x <= y && y <= x; });
}

primitive primitive::compare(const primitive &a, const primitive &b) {
    return both(a, b, "compare", [](auto x, auto y) { return x < y ? -1 : y < x ? 1 : 0; });
}

primitive primitive::notEqual(const primitive &a, const primitive &b) { return primitive(!equal(a, b).to<bool>()); }

primitive primitive::greaterThanEq(const primitive &a, const primitive &b) { return lessThanEq(b, a); }

primitive primitive::greaterThan(const primitive &a, const primitive &b) { return lessThan(b, a); }

primitive primitive::and_(const primitive &a, const primitive &b) { return primitive(a.to<bool>() && b.to<bool>()); }

primitive primitive::or_(const primitive &a, const primitive &b) { return primitive(a.to<bool>() || b.to<bool>()); }

primitive primitive::mult(const primitive &a, const primitive &b) {
    return arithmetic(a, b, "mult", [](auto x, auto y) { return x * y; });
}

primitive primitive::add(const primitive &a, const primitive &b) {
    return arithmetic(a, b, "add", [](auto x, auto y) { return x + y; });
}

primitive primitive::sub(const primitive &a, const primitive &b) {
    return arithmetic(a, b, "sub", [](auto x, auto y) { return x - y; });
}

primitive primitive::div(const primitive &a, const primitive &b) {
    OCCA_ERROR("occa::primitive::div by 0", a.isFloat() || b.isFloat() || b.to<bool>());
    return both(a, b, "div", [](auto x, auto y) {
        typedef Promoted<decltype(x)> P;
        if constexpr (std::is_integral<P>::value) {
            if (by_minus_one<P>(y)) return static_cast<P>(0 - static_cast<uint64_t>(x));
        }
        return static_cast<P>(x / y);
    });
}

primitive primitive::mod(const primitive &a, const primitive &b) {
    needs_bits(a, "mod");
    needs_bits(b, "mod");
    OCCA_ERROR("occa::primitive::mod by 0", b.to<bool>());
    return both(a, b, "mod", [](auto x, auto y) {
        typedef Promoted<decltype(x)> P;
        if constexpr (std::is_integral<P>::value) return by_minus_one<P>(y) ? P(0) : static_cast<P>(x % y);
        else return x;
    });
}

primitive primitive::bitAnd(const primitive &a, const primitive &b) {
    return bits(a, b, "bitAnd", [](int64_t x, int64_t y) { return x & y; });
}

primitive primitive::bitOr(const primitive &a, const primitive &b) {
    return bits(a, b, "bitOr", [](int64_t x, int64_t y) { return x | y; });
}

primitive primitive::xor_(const primitive &a, const primitive &b) {
    return bits(a, b, "xor_", [](int64_t x, int64_t y) { return x ^ y; });
}

primitive primitive::rightShift(const primitive &a, const primitive &b) {
    needs_bits(a, "rightShift");
    needs_bits(b, "rightShift");
    return both(a, b, "rightShift", [&](auto x, auto) {
        typedef Promoted<decltype(x)> P;
        const uint64_t by = b.to<uint64_t>();
        if constexpr (std::is_integral<P>::value) {
            const P promoted = x;
            if (by >= 8 * sizeof(P)) return static_cast<P>(promoted < P(0) ? -1 : 0);
            return static_cast<P>(promoted >> by);
        } else {
            return x;
        }
    });
}

primitive primitive::leftShift(const primitive &a, const primitive &b) {
    needs_bits(a, "leftShift");
    needs_bits(b, "leftShift");
    return both(a, b, "leftShift", [&](auto x, auto) {
        typedef Promoted<decltype(x)> P;
        const uint64_t by = b.to<uint64_t>();
        return static_cast<P>(by >= 8 * sizeof(P) ? 0 : static_cast<uint64_t>(x) << by);
    });
}

} // namespace occa
