// The C++ face of brook's runtime (C++11 and later, header-only over brook.h): streams, and the
// kernels that generated host programs call.
//
// Any error of the runtime is printed, and ends the program.
#ifndef BROOK_BROOK_HPP
#define BROOK_BROOK_HPP

#include <brook/argument.hpp>
#include <brook/brook.h>
#include <brook/vector.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace brook {

// Whether an operation on a stream failed. Operations that fail end the program, so that none is
// ever found.
enum BRerror {
    BR_NO_ERROR = 0,
    BR_ERROR_DECLARATION,
    BR_ERROR_READ,
    BR_ERROR_WRITE,
    BR_ERROR_KERNEL,
    BR_ERROR_DOMAIN,
    BR_ERROR_INVALID_PARAMATER, // the specification's spelling
    BR_ERROR_NOT_SUPPORTED
};

namespace detail {

[[noreturn]] inline void fail() {
    std::fflush(stdout);
    std::fprintf(stderr, "brook: %s\n", brook_last_error());
    std::exit(brook_last_error_code());
}

inline void check(int status) {
    if (status != 0) fail();
}

template <class T> T *check(T *pointer) {
    if (pointer == nullptr) fail();
    return pointer;
}

// Structs, and arrays as elements: what kernels know of them is their size.
template <class T, class = void> struct IsNumber
    : std::integral_constant<bool, !std::is_class<T>::value && !std::is_array<T>::value> {};
template <class T> struct IsNumber<T, typename Void<typename T::scalar>::type> : std::true_type {};

template <class T, typename std::enable_if<!IsNumber<T>::value, int>::type = 0>
std::string element_name() {
    return "bytes:" + std::to_string(sizeof(T));
}

template <class T, typename std::enable_if<IsNumber<T>::value, int>::type = 0>
std::string element_name() {
    typedef Components<T> Parts;
    static const char *const names[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                        "uint", "long", "ulong", "float", "double"};
    std::string name = names[Scalar<typename Parts::scalar>::type];
    return Parts::width == 1 ? name : name + static_cast<char>('0' + Parts::width);
}

} // namespace detail

// Extents of a stream, slowest first.
struct Extents {
    unsigned rank;
    unsigned values[4];
};

namespace detail {

// An extent that is negative or too large becomes 0, which the runtime rejects.
template <class T> unsigned extent(T value) {
    return value > T(0) && static_cast<unsigned long long>(value) <= 0xffffffffull
               ? static_cast<unsigned>(value)
               : 0u;
}

} // namespace detail

// The extents of float s<rows, columns>.
template <class... T> Extents extents(T... values) {
    static_assert(sizeof...(T) >= 1 && sizeof...(T) <= 4, "a stream has one to four dimensions");
    Extents result = {sizeof...(T), {detail::extent(values)...}};
    return result;
}

// The values of an iterator stream: element i of n is low + (high - low) * i / n.
template <class T> struct Iterator {
    T low, high;
};
template <class T> Iterator<T> iter(T low, T high) { return Iterator<T>{low, high}; }

// A proxy for elements in device memory. Copies share them.
template <class T> class Stream {
  public:
    // dimensions[0] is the fastest: float A<3, 4> has dimensions {4, 3}.
    Stream(unsigned short rank, const unsigned *dimensions) : handle(nullptr) {
        unsigned slowest_first[4] = {0, 0, 0, 0};
        for (unsigned i = 0; i < rank && i < 4; ++i) slowest_first[i] = dimensions[rank - 1 - i];
        create(rank, slowest_first);
    }

    explicit Stream(const Extents &shape) : handle(nullptr) { create(shape.rank, shape.values); }

    // In two dimensions the x of an iterator runs over columns, the y over rows, and so on.
    template <class U> Stream(const Extents &shape, const Iterator<U> &range) : handle(nullptr) {
        create(shape.rank, shape.values);
        fill(shape, range);
    }

    Stream(const Stream &other) : handle(brook_stream_retain(other.handle)) {}
    Stream(Stream &&other) noexcept : handle(other.handle) { other.handle = nullptr; }
    Stream &operator=(Stream other) noexcept {
        std::swap(handle, other.handle);
        return *this;
    }
    ~Stream() { brook_stream_release(handle); }

    // Copies all elements from the host.
    void read(const void *from, const char * /*flags*/ = nullptr) const {
        detail::check(brook_stream_read(handle, from));
    }

    // Copies all elements to the host, after every kernel called so far.
    void write(void *to, const char * /*flags*/ = nullptr) const {
        detail::check(brook_stream_write(handle, to));
    }

    bool isSync() const { return true; }
    bool finish() const {
        detail::check(brook_finish());
        return true;
    }
    BRerror error() const { return BR_NO_ERROR; }
    const char *errorLog() const { return nullptr; }

    brook_stream *get() const { return handle; }

  private:
    brook_stream *handle;

    void create(unsigned rank, const unsigned *slowest_first) {
        const std::string name = detail::element_name<T>();
        handle = detail::check(brook_stream_create(name.c_str(), rank, slowest_first));
    }

    template <class U> void fill(const Extents &shape, const Iterator<U> &range) {
        typedef typename detail::Components<T>::scalar Scalar;
        static_assert(sizeof(U) == sizeof(T), "an iterator's bounds have its stream's type");
        const unsigned width = detail::Components<T>::width;
        Scalar low[4], high[4];
        std::memcpy(low, &range.low, sizeof(T));
        std::memcpy(high, &range.high, sizeof(T));
        std::vector<Scalar> values(brook_stream_bytes(handle) / sizeof(Scalar));
        for (std::size_t i = 0; i < values.size() / width; ++i) {
            std::size_t rest = i;
            for (unsigned c = 0; c < width; ++c) {
                // A scalar iterator over several dimensions counts the last one, as x does; in one
                // dimension all components go from their low to their high bound together.
                const unsigned axis = shape.rank == 1 ? 0 : c;
                if (axis == 0) rest = i;
                const unsigned n = axis < shape.rank ? shape.values[shape.rank - 1 - axis] : 1;
                const std::size_t index = rest % n;
                rest /= n;
                values[i * width + c] = static_cast<Scalar>(
                    low[c] + (high[c] - low[c]) * static_cast<Scalar>(index) / static_cast<Scalar>(n));
            }
        }
        read(values.data());
    }
};

namespace detail {

template <class T> brook_argument stream_argument(const Stream<T> &stream) {
    brook_argument argument = brook_argument();
    argument.kind = BROOK_STREAM;
    argument.data = stream.get();
    return argument;
}
template <class T> brook_argument argument(Stream<T> &stream) { return stream_argument(stream); }
template <class T> brook_argument argument(const Stream<T> &stream) {
    return stream_argument(stream);
}

// The kernels of one source; built when one of them is first called.
class Module {
  public:
    Module(const char *name, const char *source, const char *defines = nullptr)
        : handle(check(
              brook_module_create(name, source, std::strlen(source), defines))) {}
    Module(const Module &) = delete;
    Module &operator=(const Module &) = delete;
    ~Module() { brook_module_release(handle); }

    brook_module *get() const { return handle; }

  private:
    brook_module *handle;
};

// A kernel, called like a function.
class Kernel {
  public:
    Kernel(const Module &module_, const char *name_) : module(module_.get()), name(name_) {}

    template <class... A> void operator()(A &&...arguments) const {
        // One more, since an array cannot be empty.
        const brook_argument all[] = {argument(std::forward<A>(arguments))...,
                                      brook_argument()};
        check(brook_call(module, name, all, sizeof...(A)));
    }

  private:
    brook_module *module;
    const char *name;
};

} // namespace detail
} // namespace brook

// From host memory into a stream.
template <class T> void streamRead(const brook::Stream<T> &stream, const void *from) {
    stream.read(from);
}

// From a stream into host memory.
template <class T> void streamWrite(const brook::Stream<T> &stream, void *to) { stream.write(to); }

#endif
