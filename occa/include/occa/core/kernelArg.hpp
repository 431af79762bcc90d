// What a kernel is launched with.
#ifndef OCCA_CORE_KERNELARG_HPP
#define OCCA_CORE_KERNELARG_HPP

#include <occa/types/primitive.hpp>
#include <occa/types/tuples.hpp>
#include <occa/types/typedefs.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace occa {

class device;
class memory;
class modeMemory_t;
class modeKernel_t;
class kernelArg;
class scopeKernelArg;

namespace detail {

template <class...> struct Void {
    typedef void type;
};
// Whether a class says itself how it is passed to kernels.
template <class T, class = void> struct Converts : std::false_type {};
template <class T>
struct Converts<T, typename Void<decltype(std::declval<const T &>().operator kernelArg())>::type> : std::true_type {};
template <class T, class = void> struct ConvertsIfMutable : std::false_type {};
template <class T>
struct ConvertsIfMutable<T, typename Void<decltype(std::declval<T &>().operator kernelArg())>::type> : std::true_type {};

// What is passed as its bytes.
template <class T>
struct IsBytes
    : std::integral_constant<bool, !IsNumber<T>::value && !std::is_pointer<T>::value && !std::is_array<T>::value &&
                                       !std::is_same<T, std::nullptr_t>::value && !std::is_same<T, memory>::value &&
                                       !std::is_same<T, primitive>::value && !std::is_same<T, kernelArg>::value &&
                                       !std::is_same<T, scopeKernelArg>::value &&
                                       !Converts<T>::value && !ConvertsIfMutable<T>::value> {};

} // namespace detail

// An argument: a number, a vector or a struct, memory, a pointer of the host (for kernels of the host), or null. It points
// to what it is made of, which has to live until the launch.
class kernelArg {
  public:
    // None: a null pointer.
    kernelArg() : kind(null_), type(0), bytes(0), pointer(nullptr), memory_(nullptr), number() {}
    kernelArg(std::nullptr_t) : kernelArg() {}
    template <class T, typename std::enable_if<detail::IsNumber<T>::value, int>::type = 0>
    kernelArg(const T value)
        : kind(number_), type(detail::PrimitiveType<T>::value), bytes(sizeof(T)), pointer(nullptr), memory_(nullptr), number() {
        std::memcpy(number.room, &value, sizeof value);
    }
    kernelArg(const primitive &value);
    kernelArg(modeMemory_t *value);
    // Memory of the host.
    template <class T> kernelArg(T *host) : kernelArg() {
        if (host != nullptr) {
            kind = host_;
            pointer = host;
        }
    }
    template <class T, typename std::enable_if<detail::IsBytes<T>::value, int>::type = 0>
    kernelArg(const T &value) : kernelArg() {
        static_assert(std::is_trivially_copyable<T>::value || std::is_trivially_destructible<T>::value,
                      "kernels take occa::memory, numbers, and structs that are their bytes");
        kind = bytes_;
        bytes = sizeof(T);
        pointer = &value;
    }

    // So many bytes, as a struct has them.
    static kernelArg bytesOf(const void *pointer, udim_t bytes) {
        kernelArg made;
        made.kind = bytes_;
        made.bytes = bytes;
        made.pointer = pointer;
        return made;
    }

    // How many arguments it is: one.
    int size() const { return 1; }
    // That of memory; none for all else.
    occa::device getDevice() const;

  private:
    friend class modeKernel_t;
    friend class scopeKernelArg;

    enum Kind { null_, number_, memory__, host_, bytes_ };

    Kind kind;
    // Of a number: primitiveType.
    int type;
    udim_t bytes;
    const void *pointer;
    modeMemory_t *memory_;
    union {
        uint64_t bits;
        char room[8];
    } number;
};

} // namespace occa

#endif
