// OCCA_FUNCTION([=](const int i) -> float { … }) and OCCA_FUNCTION(scope, lambda): a lambda with its text.
#ifndef OCCA_FUNCTIONAL_UTILS_HPP
#define OCCA_FUNCTIONAL_UTILS_HPP

#include <occa/functional/scope.hpp>
#include <occa/functional/types.hpp>

#include <limits>
#include <type_traits>
#include <vector>

// Commas between the lambda's braces may be any.
#define OCCA_FUNCTION(...) ::occa::functional::inferFunction(#__VA_ARGS__, __VA_ARGS__)

namespace occa {

template <class Function> class function;

namespace functional {

// The type of a lambda's function object.
template <class T> struct inferFunctionHelper;
template <class R, class C, class... A> struct inferFunctionHelper<R (C::*)(A...) const> {
    typedef occa::function<R(A...)> occaFunctionType;
};
template <class R, class C, class... A> struct inferFunctionHelper<R (C::*)(A...)> {
    typedef occa::function<R(A...)> occaFunctionType;
};
template <class L> struct Infer {
    typedef typename inferFunctionHelper<decltype(&L::operator())>::occaFunctionType type;
};

template <class L> typename Infer<L>::type inferFunction(const char *source, const occa::scope &scope, const L &lambda) {
    return typename Infer<L>::type(scope, lambda, source);
}
template <class L> typename Infer<L>::type inferFunction(const char *source, const L &lambda) {
    return typename Infer<L>::type(occa::scope(), lambda, source);
}

[[noreturn]] void no_reduction(reductionType type, const char *of);

// What two values become; throws where a type has no such operation.
template <class T> T combine(reductionType type, const T &a, const T &b, std::true_type) {
    switch (type) {
    case reductionType::sum: return static_cast<T>(a + b);
    case reductionType::multiply: return static_cast<T>(a * b);
    case reductionType::bitOr: return static_cast<T>(a | b);
    case reductionType::bitAnd: return static_cast<T>(a & b);
    case reductionType::bitXor: return static_cast<T>(a ^ b);
    case reductionType::boolOr: return static_cast<T>(a || b);
    case reductionType::boolAnd: return static_cast<T>(a && b);
    case reductionType::min: return b < a ? b : a;
    default: return a < b ? b : a;
    }
}
template <class T> T combine(reductionType type, const T &a, const T &b, std::false_type) {
    switch (type) {
    case reductionType::sum: return a + b;
    case reductionType::multiply: return a * b;
    case reductionType::min: return b < a ? b : a;
    case reductionType::max: return a < b ? b : a;
    default: no_reduction(type, "floating-point numbers");
    }
}
template <class T> T combine(reductionType type, const T &a, const T &b) {
    return combine(type, a, b, std::integral_constant<bool, std::is_integral<T>::value>());
}

// Throws if values of the type cannot be put together so.
template <class T> void check(reductionType type) {
    static_assert(std::is_arithmetic<T>::value, "what is reduced has to become a number");
    const bool bits = type == reductionType::bitOr || type == reductionType::bitAnd || type == reductionType::bitXor;
    const bool truth = type == reductionType::boolOr || type == reductionType::boolAnd;
    if (std::is_same<T, bool>::value && !bits && !truth) no_reduction(type, "truth values");
    if (std::is_floating_point<T>::value && (bits || truth)) no_reduction(type, "floating-point numbers");
}

// What changes nothing.
template <class T> T identity(reductionType type) {
    typedef std::numeric_limits<T> Limits;
    switch (type) {
    case reductionType::multiply:
    case reductionType::boolAnd: return static_cast<T>(1);
    case reductionType::bitAnd:
        return std::is_same<T, bool>::value || std::is_floating_point<T>::value
                   ? static_cast<T>(1)
                   : static_cast<T>(Limits::is_signed ? static_cast<T>(-1) : Limits::max());
    case reductionType::min: return Limits::has_infinity ? Limits::infinity() : Limits::max();
    case reductionType::max: return Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
    default: return static_cast<T>(0);
    }
}

// All values of memory together.
template <class T> T hostReduction(reductionType type, occa::memory mem) {
    check<T>(type);
    const std::size_t count = static_cast<std::size_t>(mem.length());
    if (count == 0) return identity<T>(type);
    // std::vector<bool> has no bools.
    const std::unique_ptr<T[]> values(new T[count]);
    mem.copyTo(values.get());
    T all = values[0];
    for (std::size_t i = 1; i < count; ++i) all = combine<T>(type, all, values[i]);
    return all;
}

} // namespace functional
} // namespace occa

#endif
