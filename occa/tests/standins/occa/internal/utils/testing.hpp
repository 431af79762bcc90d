// Stands in for the assertions that public tests include from inside of OCCA; written from what they are called with.
#ifndef OCCA_STANDINS_TESTING_HPP
#define OCCA_STANDINS_TESTING_HPP

#include <occa.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <type_traits>

#include "string.hpp"

namespace occa {
namespace test {

// Floating-point numbers are equal if they are so but for rounding, texts if they read alike.
template <class T, class U> bool alike(const T &a, const U &b, std::true_type) {
    const long double x = a, y = b, size = std::max(std::fabs(x), std::fabs(y));
    const bool single = sizeof(T) == 4 || sizeof(U) == 4;
    return std::fabs(x - y) <= size * (single ? 1e-5l : 1e-12l);
}
template <class T, class U> bool alike(const T &a, const U &b, std::false_type) { return a == b; }
inline bool areEqual(const char *a, const char *b) { return std::strcmp(a, b) == 0; }
template <class T, class U> bool areEqual(const T &a, const U &b) {
    return alike(a, b, std::integral_constant<bool, std::is_arithmetic<T>::value && std::is_arithmetic<U>::value &&
                                                        (std::is_floating_point<T>::value ||
                                                         std::is_floating_point<U>::value)>());
}

// A line about a comparison that fails.
template <class T, class U> bool compared(bool good, const T &a, const U &b) {
    if (!good) std::cerr << "left:  [" << a << "]\nright: [" << b << "]\n";
    return good;
}

} // namespace test
} // namespace occa

#define OCCA_STANDIN_CHECK_(WHAT, ...) OCCA_ERROR("assertion failed: " WHAT, (__VA_ARGS__))
#define OCCA_STANDIN_COMPARE_(WHAT, A, B, ...)                                                   \
    do {                                                                                         \
        const auto &standin_compare = [&](const auto &left, const auto &right) {                 \
            return occa::test::compared(__VA_ARGS__, left, right);                               \
        };                                                                                       \
        OCCA_ERROR("assertion failed: " #A " " WHAT " " #B, standin_compare(A, B));              \
    } while (false)

#define ASSERT_EQ(A, B) OCCA_STANDIN_COMPARE_("==", A, B, occa::test::areEqual(left, right))
#define ASSERT_NEQ(A, B) OCCA_STANDIN_COMPARE_("!=", A, B, !occa::test::areEqual(left, right))
#define ASSERT_LT(A, B) OCCA_STANDIN_COMPARE_("<", A, B, left < right)
#define ASSERT_GT(A, B) OCCA_STANDIN_COMPARE_(">", A, B, right < left)
#define ASSERT_LE(A, B) OCCA_STANDIN_COMPARE_("<=", A, B, !(right < left))
#define ASSERT_GE(A, B) OCCA_STANDIN_COMPARE_(">=", A, B, !(left < right))
#define ASSERT_EQ_BINARY(A, B) ASSERT_EQ(A, B)
#define ASSERT_NEQ_BINARY(A, B) ASSERT_NEQ(A, B)
#define ASSERT_TRUE(A) OCCA_STANDIN_CHECK_("true", static_cast<bool>(A))
#define ASSERT_FALSE(A) OCCA_STANDIN_CHECK_("false", !static_cast<bool>(A))
#define ASSERT_IN(A, ALL) OCCA_STANDIN_CHECK_("in", std::find((ALL).begin(), (ALL).end(), A) != (ALL).end())
#define ASSERT_NOT_IN(A, ALL) OCCA_STANDIN_CHECK_("not in", std::find((ALL).begin(), (ALL).end(), A) == (ALL).end())
#define ASSERT_THROW(...)                                    \
    do {                                                     \
        bool standin_thrown = false;                         \
        try {                                                \
            __VA_ARGS__;                                     \
        } catch (const occa::exception &) {                  \
            standin_thrown = true;                           \
        }                                                    \
        OCCA_STANDIN_CHECK_("throws", standin_thrown);       \
    } while (false)

#endif
