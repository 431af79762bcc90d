// Streams.
#ifndef BROOK_STREAM_H
#define BROOK_STREAM_H

// The functions of the interface before this one, unless BROOK_NO_OLD_API says otherwise.
#if !defined(USE_OLD_API) && !defined(BROOK_NO_OLD_API)
#define USE_OLD_API
#endif

#include <brook/Device.h>
#include <brook/abi.h>
#include <brook/argument.hpp>
#include <brook/vector.hpp>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef USE_OLD_API
// What the headers of that interface brought along, and old programs take for granted.
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <iostream>
#endif

namespace brook {

// What went wrong with a stream.
enum BRerror {
    BR_NO_ERROR = 0,
    BR_ERROR_DECLARATION,       // the stream could not be made
    BR_ERROR_READ,              // in Stream::read
    BR_ERROR_WRITE,             // in Stream::write
    BR_ERROR_KERNEL,            // in the call of a kernel
    BR_ERROR_DOMAIN,            // in domain or execDomain
    BR_ERROR_INVALID_PARAMATER, // the specification's spelling
    BR_ERROR_NOT_SUPPORTED,     // by this implementation or by the device
    BR_ERROR_ASSIGN,            // in Stream::assign
    BR_ERROR_WARNING            // for old programs; warnings are in errorLog() only
};
typedef BRerror BError;

// Extents of a stream, slowest first.
struct Extents {
    unsigned rank;
    unsigned values[4];
};

namespace detail {

// Structs, and arrays as elements: what kernels know of them is their size.
template <class T, class = void> struct IsNumber
    : std::integral_constant<bool, !std::is_class<T>::value && !std::is_array<T>::value> {};
template <class T> struct IsNumber<T, typename Void<typename T::scalar>::type> : std::true_type {};

// BrookGPU's fixed point (brt.hpp): what component an element of these consists of.
template <class T, class = void> struct FixedPoint {
    static constexpr int type = -1;
    typedef unsigned char component;
};
template <class T> struct FixedPoint<T, typename Void<typename T::fixed_point>::type> {
    typedef typename T::fixed_point component;
    static constexpr int type = sizeof(component) == 1 ? BROOK_FIXED : BROOK_SHORTFIXED;
};

// By the type's code.
inline const char *scalar_name(int type) {
    static const char *const names[] = {"bool", "char",  "uchar", "short",  "ushort", "int",       "uint",
                                        "long", "ulong", "float", "double", "fixed",  "shortfixed"};
    return names[type];
}

template <class T, typename std::enable_if<!IsNumber<T>::value, int>::type = 0>
std::string element_name() {
    typedef FixedPoint<T> Fixed;
    if (Fixed::type < 0) return "bytes:" + std::to_string(sizeof(T));
    const std::size_t width = sizeof(T) / sizeof(typename Fixed::component);
    const std::string name = scalar_name(Fixed::type);
    return width == 1 ? name : name + static_cast<char>('0' + width);
}

template <class T, typename std::enable_if<IsNumber<T>::value, int>::type = 0>
std::string element_name() {
    typedef Components<T> Parts;
    std::string name = scalar_name(Scalar<typename Parts::scalar>::type);
    return Parts::width == 1 ? name : name + static_cast<char>('0' + Parts::width);
}

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
// Bounds are vectors of one type, or numbers of any.
template <class T, typename std::enable_if<std::is_class<T>::value, int>::type = 0>
Iterator<T> iterate(T low, T high) {
    return Iterator<T>{low, high};
}
template <class A, class B, typename std::enable_if<!std::is_class<A>::value, int>::type = 0>
Iterator<double> iterate(A low, B high) {
    return Iterator<double>{static_cast<double>(low), static_cast<double>(high)};
}

#ifdef USE_OLD_API
// What the elements of a stream are, for those that are declared without: lists that end with __BRTNONE, one
// entry for each number or vector in an element. The names are those of the interface.
enum StreamType {
    __BRTNONE = -1,
    __BRTFLOAT = BROOK_FLOAT * 8 + 1,
    __BRTFLOAT2,
    __BRTFLOAT3,
    __BRTFLOAT4,
    __BRTDOUBLE = BROOK_DOUBLE * 8 + 1,
    __BRTDOUBLE2,
    __BRTCHAR = BROOK_CHAR * 8 + 1,
    __BRTCHAR2,
    __BRTCHAR3,
    __BRTCHAR4,
    __BRTINT = BROOK_INT * 8 + 1,
    __BRTFIXED = BROOK_FIXED * 8 + 1,
    __BRTFIXED2,
    __BRTFIXED3,
    __BRTFIXED4,
    __BRTSHORTFIXED = BROOK_SHORTFIXED * 8 + 1,
    __BRTSHORTFIXED2,
    __BRTSHORTFIXED3,
    __BRTSHORTFIXED4,
    // From here on: structs of so many bytes.
    __BRTBYTES = 1 << 16
};

namespace detail {

template <class T, typename std::enable_if<IsNumber<T>::value, int>::type = 0>
constexpr int stream_type() {
    return Scalar<typename Components<T>::scalar>::type * 8 + static_cast<int>(Components<T>::width);
}
template <class T, typename std::enable_if<!IsNumber<T>::value, int>::type = 0>
constexpr int stream_type() {
    typedef FixedPoint<T> Fixed;
    return Fixed::type < 0
               ? __BRTBYTES + static_cast<int>(sizeof(T))
               : Fixed::type * 8 + static_cast<int>(sizeof(T) / sizeof(typename Fixed::component));
}

// Bytes of one entry.
inline std::size_t type_size(StreamType type) {
    if (type >= __BRTBYTES) return static_cast<std::size_t>(type - __BRTBYTES);
    static const std::size_t sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1, 2};
    return sizes[type / 8] * static_cast<std::size_t>(type % 8);
}

// What the runtime calls an element of these.
inline std::string element_name(const StreamType *types) {
    std::size_t bytes = 0;
    for (const StreamType *type = types; *type != __BRTNONE; ++type) bytes += type_size(*type);
    if (types[0] == __BRTNONE || types[1] != __BRTNONE || types[0] >= __BRTBYTES) {
        return "bytes:" + std::to_string(bytes);
    }
    const std::string name = scalar_name(types[0] / 8);
    return types[0] % 8 == 1 ? name : name + static_cast<char>('0' + types[0] % 8);
}

} // namespace detail

// Programs specialise it for structs of their own.
template <class T> const StreamType *getStreamType(T * = nullptr) {
    static const StreamType types[] = {static_cast<StreamType>(detail::stream_type<T>()), __BRTNONE};
    return types;
}
#endif

#ifdef USE_OLD_API
class stream;

// What BrookGPU's programs ask a stream for: s->getExtents(), f(const brook::StreamInterface *), ...
class StreamInterface {
  public:
    inline void Read(const void *from) const;
    inline void Write(void *to) const;
    // Slowest first; valid as long as the stream is.
    inline const unsigned *getExtents() const;
    inline unsigned getDimension() const;
    inline unsigned getTotalSize() const;
    // Bytes.
    inline unsigned getElementSize() const;
    inline unsigned getFieldCount() const;
    inline StreamType getIndexedFieldType(unsigned index) const;

  protected:
    StreamInterface() = default;

  private:
    inline brook_stream *stream_of() const;
    mutable unsigned extents[4] = {0, 0, 0, 0};
};
#endif

// A stream whose elements' type the compiler does not know. Copies are the same stream.
class stream
#ifdef USE_OLD_API
    : public StreamInterface
#endif
{
  public:
    stream() : handle(nullptr) {}
#ifdef USE_OLD_API
    // stream(getStreamType((float *)0), rows, columns, -1): extents, slowest first, up to the -1.
    template <class... N> explicit stream(const StreamType *types, int first, N... rest) {
        const int given[] = {first, static_cast<int>(rest)..., -1};
        unsigned extents[5] = {0, 0, 0, 0, 0}, rank = 0;
        for (; rank < 5 && given[rank] >= 0; ++rank) extents[rank] = static_cast<unsigned>(given[rank]);
        handle = brook_stream_declare(detail::element_name(types).c_str(), rank, extents, nullptr);
    }
    stream(const unsigned *extents, unsigned rank, const StreamType *types)
        : handle(brook_stream_declare(detail::element_name(types).c_str(), rank, extents, nullptr)) {}
    // stream::create<float>(rows, columns)
    template <class T, class... N> static stream create(N... extents) {
        return stream(getStreamType(static_cast<T *>(nullptr)), static_cast<int>(extents)..., -1);
    }

    operator StreamInterface *() const {
        return const_cast<StreamInterface *>(static_cast<const StreamInterface *>(this));
    }
    StreamInterface *operator->() const { return *this; }

    stream domain(int start, int end) const { return corners<1>({start}, {end}); }
    stream domain(int2 start, int2 end) const { return corners<2>({start.x, start.y}, {end.x, end.y}); }
    stream domain(int3 start, int3 end) const {
        return corners<3>({start.x, start.y, start.z}, {end.x, end.y, end.z});
    }
    stream domain(int4 start, int4 end) const {
        return corners<4>({start.x, start.y, start.z, start.w}, {end.x, end.y, end.z, end.w});
    }
#endif
    stream(const stream &other) : stream(brook_stream_retain(other.handle)) {}
    stream(stream &&other) noexcept : stream(other.handle) { other.handle = nullptr; }
    stream &operator=(stream other) noexcept {
        std::swap(handle, other.handle);
        return *this;
    }
    ~stream() { brook_stream_release(handle); }

    // Copies all elements from the host. flags holds words: "async", "nocopy"; where one of them
    // cannot be heeded the plain way is taken. With "async" the copy may go on after the call: until
    // isSync() or finish() the host leaves its memory alone. Without it that may be freed.
    void read(const void *from, const char *flags = nullptr) const {
        brook_stream_read(handle, from, flags);
    }

    // Copies all elements to the host, after every kernel called so far. With "async" the copy may go
    // on after the call: until isSync() or finish() the host leaves its memory alone.
    void write(void *to, const char *flags = nullptr) const { brook_stream_write(handle, to, flags); }

    // Whether all copies and kernels asked for are done.
    bool isSync() const { return brook_stream_is_sync(handle) != 0; }
    // Waits until they are; false if one of them failed.
    bool finish() const { return brook_stream_finish(handle) == 0; }

    // Gives each device of the stream's set so many rows, in order, instead of as many as the others: there is a number for each, and their
    // sum is the number of rows.
    bool shareOut(std::size_t parts, const std::size_t *counts) const {
        return brook_stream_share_out(handle, parts, counts) == 0;
    }
    // Has rows brought to a device of the set before a kernel there reads them.
    bool prefetch(std::size_t part, std::size_t first, std::size_t count) const {
        return brook_stream_prefetch(handle, part, first, count) == 0;
    }
    // The rows that a device of the set has as they are now: pairs of a first row and how many there are, of which there may be more than
    // room for. How many there are.
    std::size_t rowsOn(std::size_t part, std::size_t *rows, std::size_t room) const {
        return brook_stream_rows_on(handle, part, rows, room);
    }

    // The first error since the last call, here or in a stream that this one was computed from.
    BRerror error() const { return static_cast<BRerror>(brook_stream_error(handle)); }
    // The messages of all errors so far; never null, valid until the call after another
    // error.
    const char *errorLog() const { return brook_stream_error_log(handle); }

    // Describes the other interface's memory that the stream is in.
    void setProperty(const char *name, void *value) const {
        brook_stream_set_property(handle, name, value);
    }

    // The device that holds the elements: a list of one.
    Device *getDevices(unsigned *count = nullptr) const {
        Device *device = detail::Devices::single(brook_stream_device(handle));
        if (count != nullptr) *count = device == nullptr ? 0 : 1;
        return device;
    }

    // Where the elements begin: an address of CUDA, HIP or the host, a cl_mem; null if nobody says.
    void *native() const { return brook_stream_native(handle); }

    brook_stream *get() const { return handle; }
    // Where the handle is: a kernel's variable output puts another stream there.
    brook_stream **variable() { return &handle; }

  protected:
    explicit stream(brook_stream *given) : handle(given) {}

    // A negative place becomes one behind every stream, which the runtime rejects.
    template <unsigned count>
    stream corners(const int (&start)[count], const int (&end)[count]) const {
        unsigned from[count], to[count];
        for (unsigned i = 0; i < count; ++i) {
            from[i] = static_cast<unsigned>(start[i]);
            to[i] = static_cast<unsigned>(end[i]);
        }
        return stream(brook_stream_domain(handle, count, from, to));
    }

    brook_stream *handle;
};

#ifdef USE_OLD_API
inline brook_stream *StreamInterface::stream_of() const {
    return static_cast<const stream *>(this)->get();
}
inline void StreamInterface::Read(const void *from) const { brook_stream_read(stream_of(), from, nullptr); }
inline void StreamInterface::Write(void *to) const { brook_stream_write(stream_of(), to, nullptr); }
inline const unsigned *StreamInterface::getExtents() const {
    brook_stream_extents(stream_of(), extents);
    return extents;
}
inline unsigned StreamInterface::getDimension() const { return brook_stream_extents(stream_of(), extents); }
inline unsigned StreamInterface::getTotalSize() const {
    const unsigned rank = getDimension();
    unsigned size = 1;
    for (unsigned i = 0; i < rank; ++i) size *= extents[i];
    return size;
}
inline unsigned StreamInterface::getElementSize() const {
    const unsigned size = getTotalSize();
    return size == 0 ? 0 : static_cast<unsigned>(brook_stream_bytes(stream_of()) / size);
}
// A struct counts as one field: its bytes.
inline unsigned StreamInterface::getFieldCount() const { return 1; }
inline StreamType StreamInterface::getIndexedFieldType(unsigned index) const {
    unsigned width = 1;
    const int type = brook_stream_element(stream_of(), &width);
    if (index != 0) return __BRTNONE;
    return static_cast<StreamType>(type < 0 ? __BRTBYTES + static_cast<int>(getElementSize())
                                            : type * 8 + static_cast<int>(width));
}
#endif

// A proxy for elements in device memory, with what went wrong in computing them. Copies are the same
// stream.
template <class T> class Stream : public stream {
  public:
    // dimensions[0] is the fastest: float A<3, 4> has dimensions {4, 3}. binding names the interface
    // whose memory the stream shall be (Device::getBindings).
    Stream(unsigned short rank, const unsigned *dimensions, const char *binding = nullptr) {
        unsigned slowest_first[4] = {0, 0, 0, 0};
        for (unsigned i = 0; dimensions != nullptr && i < rank && i < 4; ++i) {
            slowest_first[rank <= 4 ? rank - 1 - i : i] = dimensions[i];
        }
        create(rank, slowest_first, binding);
    }

    // Stream<float>(2, {4, 3}).
    Stream(unsigned short rank, std::initializer_list<unsigned> dimensions)
        : Stream(rank, rank == dimensions.size() ? dimensions.begin() : nullptr) {}

    // One dimension of that length.
    template <class N, class = typename std::enable_if<std::is_integral<N>::value>::type>
    Stream(unsigned short rank, N length) {
        const unsigned extents[4] = {detail::extent(length), 0, 0, 0};
        create(rank, extents, nullptr);
    }

    explicit Stream(const Extents &shape) { create(shape.rank, shape.values, nullptr); }

    // In two dimensions the x of an iterator runs over columns, the y over rows, and so on.
    template <class U> Stream(const Extents &shape, const Iterator<U> &range) {
        create(shape.rank, shape.values, nullptr);
        fill(shape, range);
    }

    // Copies all elements of a stream of the same shape, on any device.
    void assign(const Stream &source) const { brook_stream_assign(handle, source.handle); }

    // The part from start up to, but without, end: (column, row, ...). It shares the elements.
    Stream domain(const unsigned *start, const unsigned *end) const { return part(0, start, end); }

    // This stream as an output of kernels that run for its first elements only.
    Stream execDomain(int threads) const {
        return Stream(brook_stream_exec_domain(handle, threads));
    }

#ifdef USE_OLD_API
    Stream domain(int start, int end) const { return typed(stream::domain(start, end)); }
    Stream domain(int2 start, int2 end) const { return typed(stream::domain(start, end)); }
    Stream domain(int3 start, int3 end) const { return typed(stream::domain(start, end)); }
    Stream domain(int4 start, int4 end) const { return typed(stream::domain(start, end)); }
#endif

  private:
    explicit Stream(brook_stream *given) : stream(given) {}

    void create(unsigned rank, const unsigned *slowest_first, const char *binding) {
        const std::string name = detail::element_name<T>();
        handle = brook_stream_declare(name.c_str(), rank, slowest_first, binding);
    }

    Stream part(unsigned count, const unsigned *start, const unsigned *end) const {
        return Stream(brook_stream_domain(handle, count, start, end));
    }

    static Stream typed(const stream &part) { return Stream(brook_stream_retain(part.get())); }

    template <class U> void fill(const Extents &shape, const Iterator<U> &range) {
        typedef typename detail::Components<T>::scalar Scalar;
        typedef typename detail::Components<U>::scalar Bound;
        const unsigned width = detail::Components<T>::width;
        static_assert(detail::FixedPoint<T>::type < 0, "iterators are of numbers, not of fixed point");
        static_assert(detail::Components<U>::width == detail::Components<T>::width,
                      "an iterator's bounds have as many components as its stream");
        Bound from[4], to[4];
        std::memcpy(from, &range.low, sizeof(U));
        std::memcpy(to, &range.high, sizeof(U));
        Scalar low[4], high[4];
        for (unsigned c = 0; c < width; ++c) {
            low[c] = static_cast<Scalar>(from[c]);
            high[c] = static_cast<Scalar>(to[c]);
        }
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
        if (!values.empty()) read(values.data());
    }
};

#ifdef USE_OLD_API
// BrookGPU's iterator as a variable: iter(__BRTFLOAT2, rows, columns, -1, low.x, low.y, high.x, high.y, -1).
class iter : public stream {
  public:
    template <class... N> explicit iter(StreamType type, N... numbers) {
        const double given[] = {static_cast<double>(numbers)..., -1.0};
        const unsigned count = sizeof...(N);
        Extents shape = {0, {0, 0, 0, 0}};
        unsigned at = 0;
        for (; at < count && given[at] >= 0.0; ++at) {
            // More than four are as wrong as none.
            if (at < 4) shape.values[at] = detail::extent(given[at]);
            shape.rank = at + 1;
        }
        float bounds[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        for (unsigned i = 0; i < 8 && at + 1 + i < count; ++i) bounds[i] = static_cast<float>(given[at + 1 + i]);
        switch (static_cast<int>(type)) {
        case __BRTFLOAT: make<float>(shape, bounds); break;
        case __BRTFLOAT2: make<float2>(shape, bounds); break;
        case __BRTFLOAT3: make<float3>(shape, bounds); break;
        case __BRTFLOAT4: make<float4>(shape, bounds); break;
        // There are no others, which the name says.
        default: handle = brook_stream_declare("iterator", shape.rank, shape.values, nullptr);
        }
    }

  private:
    template <class T> void make(const Extents &shape, const float *bounds) {
        Iterator<T> range;
        std::memcpy(static_cast<void *>(&range.low), bounds, sizeof(T));
        std::memcpy(static_cast<void *>(&range.high), bounds + sizeof(T) / sizeof(float), sizeof(T));
        stream::operator=(Stream<T>(shape, range));
    }
};
#endif

namespace detail {

inline brook_argument argument(const stream &given) {
    brook_argument argument = brook_argument();
    argument.kind = BROOK_STREAM;
    argument.data = given.get();
    return argument;
}
inline brook_argument argument(stream &variable) {
    brook_argument argument = brook_argument();
    argument.kind = BROOK_STREAM_VARIABLE;
    argument.data = variable.variable();
    return argument;
}
template <class T> brook_argument argument(Stream<T> &given) {
    return argument(static_cast<stream &>(given));
}
template <class T> brook_argument argument(const Stream<T> &given) {
    return argument(static_cast<const stream &>(given));
}
#ifdef USE_OLD_API
inline brook_argument argument(iter &given) { return argument(static_cast<const stream &>(given)); }
inline brook_argument argument(const iter &given) { return argument(static_cast<const stream &>(given)); }
#endif

} // namespace detail
} // namespace brook

#ifdef USE_OLD_API
// From host memory into a stream.
inline void streamRead(const brook::stream &stream, const void *from) { stream.read(from); }

// From a stream into host memory.
inline void streamWrite(const brook::stream &stream, void *to) { stream.write(to); }
#endif

#endif
