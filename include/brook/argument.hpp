// From C++ values to arguments of a call.
#ifndef BROOK_ARGUMENT_HPP
#define BROOK_ARGUMENT_HPP

#include <brook/abi.h>
#include <brook/vector.hpp>

#include <cstddef>
#include <type_traits>

namespace brook {
namespace detail {

// The type code of a scalar, by kind and size: long is 32 or 64 bits wide, whatever the host says.
template <class T, bool integer = std::is_integral<T>::value || std::is_enum<T>::value>
struct Scalar {
    static_assert(std::is_floating_point<T>::value && sizeof(T) <= 8,
                  "kernels take numbers, vectors of them, arrays and streams");
    static constexpr int type = sizeof(T) == 4 ? BROOK_FLOAT : BROOK_DOUBLE;
};
template <class T> struct Scalar<T, true> {
    // char is signed in kernels, whatever it is here.
    static constexpr bool is_signed = std::is_same<T, char>::value || T(-1) < T(0);
    static constexpr int wide = sizeof(T) == 1   ? BROOK_CHAR
                                : sizeof(T) == 2 ? BROOK_SHORT
                                : sizeof(T) == 4 ? BROOK_INT
                                                 : BROOK_LONG;
    static constexpr int type = is_signed ? wide : wide + 1;
};
template <> struct Scalar<bool, true> { static constexpr int type = BROOK_BOOL; };

// Components of a value: itself, or those of a vector.
template <class T, class = void> struct Components {
    typedef T scalar;
    static constexpr unsigned width = 1;
};
template <class...> struct Void { typedef void type; };
template <class T> struct Components<T, typename Void<typename T::scalar>::type> {
    typedef typename T::scalar scalar;
    static constexpr unsigned width = sizeof(T) / sizeof(scalar);
};

// Structs of the program: their bytes.
template <class T, class = void> struct IsStruct : std::integral_constant<bool, std::is_class<T>::value> {};
template <class T> struct IsStruct<T, typename Void<typename T::scalar>::type> : std::false_type {};

template <class T> brook_argument describe_struct(int kind, const T &value) {
    brook_argument argument = brook_argument();
    argument.kind = kind;
    argument.type = BROOK_UCHAR;
    argument.width = 1;
    argument.rank = 1;
    argument.extents[0] = sizeof(T);
    argument.bytes = sizeof(T);
    argument.data = const_cast<void *>(static_cast<const void *>(&value));
    return argument;
}

template <class T> brook_argument describe(int kind, const T *data) {
    typedef Components<typename std::remove_cv<T>::type> Parts;
    brook_argument argument = brook_argument();
    argument.kind = kind;
    argument.type = Scalar<typename Parts::scalar>::type;
    argument.width = Parts::width;
    argument.bytes = sizeof(T);
    argument.data = const_cast<void *>(static_cast<const void *>(data));
    return argument;
}

template <class T, bool array = std::is_array<T>::value> struct Convert {
    static brook_argument from(T &variable) { return describe(BROOK_VARIABLE, &variable); }
};
template <class T> brook_argument pointer(const T *elements, std::false_type);
template <class T> brook_argument pointer(const T *elements, std::true_type);

template <class T> struct Convert<T *, false> {
    static brook_argument from(T *elements) {
        typedef typename std::remove_cv<typename std::remove_all_extents<T>::type>::type Element;
        const void *first = elements;
        return pointer(static_cast<const Element *>(first), IsStruct<Element>());
    }
};
template <class T> struct Convert<T *const, false> : Convert<T *, false> {};
template <class T> struct Convert<const T, false> {
    static brook_argument from(const T &value) { return describe(BROOK_VALUE, &value); }
};
template <class T> struct Convert<T, true> {
    typedef typename std::remove_all_extents<T>::type Element;
    static_assert(std::rank<T>::value <= 4, "kernels take arrays of at most four dimensions");

    static brook_argument from(T &array) {
        brook_argument argument = of(&array, IsStruct<typename std::remove_cv<Element>::type>());
        argument.rank = std::rank<T>::value;
        const std::size_t extents[4] = {std::extent<T, 0>::value, std::extent<T, 1>::value,
                                        std::extent<T, 2>::value, std::extent<T, 3>::value};
        for (int i = 0; i < 4; ++i) argument.extents[i] = static_cast<unsigned>(extents[i]);
        // Structs are so many bytes: another dimension.
        if (IsStruct<typename std::remove_cv<Element>::type>::value) {
            static_assert(!IsStruct<typename std::remove_cv<Element>::type>::value || std::rank<T>::value <= 3,
                          "kernels take arrays of structs of at most three dimensions");
            argument.extents[argument.rank++ & 3] = sizeof(Element);
        }
        argument.bytes = sizeof(T);
        return argument;
    }

  private:
    static brook_argument of(const void *data, std::false_type) {
        return describe(BROOK_ARRAY, static_cast<const Element *>(data));
    }
    static brook_argument of(const void *data, std::true_type) {
        return describe_struct(BROOK_ARRAY, *static_cast<const Element *>(data));
    }
};

// An array that came as a function's parameter, for a kernel's parameter that has sizes.
template <class T> brook_argument pointer(const T *elements, std::false_type) {
    brook_argument argument = describe(BROOK_POINTER, elements);
    argument.bytes = 0;
    return argument;
}
template <class T> brook_argument pointer(const T *elements, std::true_type) {
    brook_argument argument = describe_struct(BROOK_POINTER, *elements);
    argument.bytes = 0;
    return argument;
}

// A variable of the caller's is passed with its address, so that a reduction can store its result.
template <class T, typename std::enable_if<!IsStruct<typename std::remove_cv<T>::type>::value, int>::type = 0>
brook_argument argument(T &variable) {
    return Convert<T>::from(variable);
}
template <class T, typename std::enable_if<!IsStruct<T>::value, int>::type = 0>
brook_argument argument(const T &value) {
    return Convert<const T>::from(value);
}
template <class T, typename std::enable_if<IsStruct<T>::value, int>::type = 0>
brook_argument argument(T &variable) {
    return describe_struct(BROOK_VARIABLE, variable);
}
template <class T, typename std::enable_if<IsStruct<T>::value, int>::type = 0>
brook_argument argument(const T &value) {
    return describe_struct(BROOK_ARRAY, value);
}

} // namespace detail
} // namespace brook

#endif
