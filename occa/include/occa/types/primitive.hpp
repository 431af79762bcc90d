// A number of a type that is only known when the program runs.
#ifndef OCCA_TYPES_PRIMITIVE_HPP
#define OCCA_TYPES_PRIMITIVE_HPP

#include <occa/defines.hpp>
#include <occa/dtype/builtins.hpp>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>

namespace occa {

// A bit each; the larger of two types is that of an operation's result.
namespace primitiveType {
static const int none = 1 << 0;
static const int bool_ = 1 << 1;
static const int int8_ = 1 << 2;
static const int uint8_ = 1 << 3;
static const int int16_ = 1 << 4;
static const int uint16_ = 1 << 5;
static const int int32_ = 1 << 6;
static const int uint32_ = 1 << 7;
static const int int64_ = 1 << 8;
static const int uint64_ = 1 << 9;
static const int isSigned = int8_ | int16_ | int32_ | int64_;
static const int isUnsigned = uint8_ | uint16_ | uint32_ | uint64_;
static const int isInteger = isSigned | isUnsigned;
static const int float_ = 1 << 10;
static const int double_ = 1 << 11;
static const int isFloat = float_ | double_;
static const int ptr = 1 << 12;
} // namespace primitiveType

namespace detail {
// A number's type code, by kind and size.
template <class T> struct PrimitiveType {
    static const int wide = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 4 : 6;
    static const int value = std::is_same<T, bool>::value ? primitiveType::bool_
                             : std::is_floating_point<T>::value
                                 ? (sizeof(T) == 4 ? primitiveType::float_ : primitiveType::double_)
                             : std::is_signed<T>::value || std::is_same<T, char>::value ? primitiveType::int8_ << wide
                                                                              : primitiveType::uint8_ << wide;
};
template <class T> struct IsNumber : std::integral_constant<bool, std::is_arithmetic<T>::value && sizeof(T) <= 8> {};
} // namespace detail

class primitive {
  public:
    int type;
    // The text that it was read from; empty if it was not.
    std::string source;
    union {
        bool bool_;
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

    // None.
    primitive() : type(primitiveType::none) { value.uint64_ = 0; }
    // As load reads it; none if it is no number.
    primitive(const char *text);
    primitive(const std::string &text);
    template <class T, typename std::enable_if<detail::IsNumber<T>::value, int>::type = 0>
    primitive(const T number) : type(detail::PrimitiveType<T>::value) {
        value.uint64_ = 0;
        store(number);
    }
    primitive(const void *pointer) : type(primitiveType::ptr) {
        value.ptr = static_cast<char *>(const_cast<void *>(pointer));
    }
    primitive(std::nullptr_t) : type(primitiveType::ptr) { value.ptr = nullptr; }

    // Reads a number in C's spelling (also 0b101), and moves the text behind it; where there is none, it stays.
    static primitive load(const char *&text, bool includeSign = true);
    static primitive load(const std::string &text, bool includeSign = true);
    // Reads digits behind 0b and 0x.
    static primitive loadBinary(const char *&text, bool isNegative = false);
    static primitive loadHex(const char *&text, bool isNegative = false);

    dtype_t dtype() const;

    // Throws occa::exception if it is no number.
    template <class T> T to() const {
        switch (type) {
        case primitiveType::bool_: return static_cast<T>(value.bool_);
        case primitiveType::uint8_: return static_cast<T>(value.uint8_);
        case primitiveType::uint16_: return static_cast<T>(value.uint16_);
        case primitiveType::uint32_: return static_cast<T>(value.uint32_);
        case primitiveType::uint64_: return static_cast<T>(value.uint64_);
        case primitiveType::int8_: return static_cast<T>(value.int8_);
        case primitiveType::int16_: return static_cast<T>(value.int16_);
        case primitiveType::int32_: return static_cast<T>(value.int32_);
        case primitiveType::int64_: return static_cast<T>(value.int64_);
        case primitiveType::float_: return static_cast<T>(value.float_);
        case primitiveType::double_: return static_cast<T>(value.double_);
        default: OCCA_FORCE_ERROR("occa::primitive::to: it is no number");
        }
        return T();
    }
    operator bool() const { return to<bool>(); }
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

    bool isNaN() const { return (type & primitiveType::none) != 0; }
    bool isBool() const { return (type & primitiveType::bool_) != 0; }
    bool isSigned() const { return (type & primitiveType::isSigned) != 0; }
    bool isUnsigned() const { return (type & primitiveType::isUnsigned) != 0; }
    bool isInteger() const { return (type & primitiveType::isInteger) != 0; }
    bool isFloat() const { return (type & primitiveType::isFloat) != 0; }
    bool isPointer() const { return (type & primitiveType::ptr) != 0; }
    bool isNull() const { return isNaN() || (isPointer() && value.ptr == nullptr); }

    // The pointer that it is, or where its number is.
    const void *ptr() const;
    void *ptr() { return const_cast<void *>(static_cast<const primitive *>(this)->ptr()); }

    // Its source, or else all digits it needs, with an L behind 64 bits; empty for none.
    std::string toString() const;
    // An integer's digits as loadBinary and loadHex read them, behind 0b or 0x; throws for all else.
    std::string toBinaryString() const;
    std::string toHexString() const;
    // Bytes of the number; 0 for none.
    uint64_t sizeof_() const;

    // C's operators. Those over bits throw for anything but integers, as do steps of a bool.
    static primitive not_(const primitive &p);
    static primitive positive(const primitive &p);
    static primitive negative(const primitive &p);
    static primitive tilde(const primitive &p);
    static primitive &leftIncrement(primitive &p);
    static primitive &leftDecrement(primitive &p);
    static primitive rightIncrement(primitive &p);
    static primitive rightDecrement(primitive &p);

    static primitive lessThan(const primitive &a, const primitive &b);
    static primitive lessThanEq(const primitive &a, const primitive &b);
    static primitive equal(const primitive &a, const primitive &b);
    // -1, 0 or 1.
    static primitive compare(const primitive &a, const primitive &b);
    static primitive notEqual(const primitive &a, const primitive &b);
    static primitive greaterThanEq(const primitive &a, const primitive &b);
    static primitive greaterThan(const primitive &a, const primitive &b);
    static primitive and_(const primitive &a, const primitive &b);
    static primitive or_(const primitive &a, const primitive &b);

    static primitive mult(const primitive &a, const primitive &b);
    static primitive add(const primitive &a, const primitive &b);
    static primitive sub(const primitive &a, const primitive &b);
    // By an integer of 0 throws.
    static primitive div(const primitive &a, const primitive &b);
    static primitive mod(const primitive &a, const primitive &b);
    static primitive bitAnd(const primitive &a, const primitive &b);
    static primitive bitOr(const primitive &a, const primitive &b);
    static primitive xor_(const primitive &a, const primitive &b);
    static primitive rightShift(const primitive &a, const primitive &b);
    static primitive leftShift(const primitive &a, const primitive &b);

    static primitive &assign(primitive &a, const primitive &b) { return a = b; }
    static primitive &multEq(primitive &a, const primitive &b) { return a = mult(a, b); }
    static primitive &addEq(primitive &a, const primitive &b) { return a = add(a, b); }
    static primitive &subEq(primitive &a, const primitive &b) { return a = sub(a, b); }
    static primitive &divEq(primitive &a, const primitive &b) { return a = div(a, b); }
    static primitive &modEq(primitive &a, const primitive &b) { return a = mod(a, b); }
    static primitive &bitAndEq(primitive &a, const primitive &b) { return a = bitAnd(a, b); }
    static primitive &bitOrEq(primitive &a, const primitive &b) { return a = bitOr(a, b); }
    static primitive &xorEq(primitive &a, const primitive &b) { return a = xor_(a, b); }
    static primitive &rightShiftEq(primitive &a, const primitive &b) { return a = rightShift(a, b); }
    static primitive &leftShiftEq(primitive &a, const primitive &b) { return a = leftShift(a, b); }

  private:
    void store(bool number) { value.bool_ = number; }
    template <class T> void store(T number) {
        switch (detail::PrimitiveType<T>::value) {
        case primitiveType::uint8_: value.uint8_ = static_cast<uint8_t>(number); break;
        case primitiveType::uint16_: value.uint16_ = static_cast<uint16_t>(number); break;
        case primitiveType::uint32_: value.uint32_ = static_cast<uint32_t>(number); break;
        case primitiveType::uint64_: value.uint64_ = static_cast<uint64_t>(number); break;
        case primitiveType::int8_: value.int8_ = static_cast<int8_t>(number); break;
        case primitiveType::int16_: value.int16_ = static_cast<int16_t>(number); break;
        case primitiveType::int32_: value.int32_ = static_cast<int32_t>(number); break;
        case primitiveType::int64_: value.int64_ = static_cast<int64_t>(number); break;
        case primitiveType::float_: value.float_ = static_cast<float>(number); break;
        default: value.double_ = static_cast<double>(number);
        }
    }
};

inline std::ostream &operator<<(std::ostream &out, const primitive &p) { return out << p.toString(); }

} // namespace occa

#endif
