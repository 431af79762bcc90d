// What programs written for Stanford's BrookGPU call besides streamRead and streamWrite.
#ifndef BROOK_BROOKGPU_HPP
#define BROOK_BROOKGPU_HPP

#include <brook/Device.h>
#include <brook/KernelInterface.h>
#include <brook/Stream.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#define BRTALIGNED __attribute__((aligned(16)))

typedef long long brint64;

namespace brook {

typedef brint64 int64;

// Runtimes are the library's own business.
class Runtime;

// Names for initialize, the processor's first; null behind the last.
inline const char **runtimeTargets() {
    static std::vector<const char *> &names = *new std::vector<const char *>([] {
        std::vector<const char *> found;
        for (const char *type : {"cpu", "cal"}) {
            unsigned count = 0;
            const Device *devices = getDevices(type, &count);
            for (unsigned i = 0; i < count; ++i) found.push_back(devices[i].getName());
        }
        found.push_back(nullptr);
        return found;
    }());
    return names.data();
}

// From now on this thread's streams are made on that device: one of runtimeTargets(), or "cpu" for the processor.
// Other names are those of interfaces of the time ("ogl", "dx9", "ctm"), and leave the choice to the library.
inline Runtime *initialize(const char *name, void * = nullptr) {
    for (const char *type : {"all", "cpu"}) {
        unsigned count = 0;
        Device *devices = getDevices(type, &count);
        for (unsigned i = 0; i < count && name != nullptr; ++i) {
            if (std::strcmp(name, std::strcmp(type, "cpu") == 0 ? "cpu" : devices[i].getName()) != 0) continue;
            useDevices(devices + i, 1);
            return nullptr;
        }
    }
    return nullptr;
}

// Waits until all that was asked of the device is done.
inline void finish() { brook_finish(); }
inline void finalize() { brook_finish(); }
// Before and after others use the device.
inline void unbind() { brook_finish(); }
inline void bind() {}

inline int64 microseconds() {
    const std::chrono::steady_clock::duration time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
}

// What stands for no element in the results of variable outputs.
inline float getSentinel() { return std::numeric_limits<float>::infinity(); }
// A stream of so many dimensions that has this one element.
inline stream *sentinelStream(int rank) {
    static thread_local stream known[4];
    if (rank < 1 || rank > 4) return nullptr;
    stream &found = known[rank - 1];
    if (found.get() == nullptr) {
        const unsigned extents[4] = {1, 1, 1, 1};
        const float value = getSentinel();
        found = stream(extents, static_cast<unsigned>(rank), getStreamType<float>());
        found.read(&value);
    }
    return &found;
}

namespace detail {

// An operation of streamGatherOp or streamScatterOp that is no kernel.
struct GatherOperation {
    int code;
};
struct ScatterOperation {
    int code;
};

inline void print(int type, const unsigned char *from) {
    double number = 0;
    switch (type) {
    case BROOK_FLOAT: {
        float value;
        std::memcpy(&value, from, sizeof value);
        number = static_cast<double>(value);
        break;
    }
    case BROOK_DOUBLE: std::memcpy(&number, from, sizeof number); break;
    // As kernels see it.
    case BROOK_FIXED: number = *from / 255.0; break;
    case BROOK_SHORTFIXED: {
        std::uint16_t value;
        std::memcpy(&value, from, sizeof value);
        number = value / 65535.0;
        break;
    }
    case BROOK_BOOL:
    case BROOK_UCHAR: std::printf("%u", static_cast<unsigned>(*from)); return;
    case BROOK_CHAR: std::printf("%d", static_cast<int>(static_cast<signed char>(*from))); return;
    case BROOK_SHORT:
    case BROOK_USHORT: {
        std::int16_t value;
        std::memcpy(&value, from, sizeof value);
        std::printf("%d", type == BROOK_SHORT ? static_cast<int>(value)
                                              : static_cast<int>(static_cast<std::uint16_t>(value)));
        return;
    }
    case BROOK_INT:
    case BROOK_UINT: {
        std::int32_t value;
        std::memcpy(&value, from, sizeof value);
        if (type == BROOK_INT) std::printf("%ld", static_cast<long>(value));
        else std::printf("%lu", static_cast<unsigned long>(static_cast<std::uint32_t>(value)));
        return;
    }
    default: {
        std::int64_t value;
        std::memcpy(&value, from, sizeof value);
        std::printf("%lld", static_cast<long long>(value));
        return;
    }
    }
    if (std::isnan(number)) std::printf("NaN");
    else if (std::isinf(number)) std::printf("inf");
    else std::printf("%3.2f", std::fabs(number) < 1e-6 ? 0.0 : number);
}

} // namespace detail
} // namespace brook

// Extents, x the fastest; what a stream has not got is 0.
inline brook::float4 streamSize(const brook::stream &stream) {
    unsigned extents[4] = {0, 0, 0, 0};
    const unsigned rank = brook_stream_extents(stream.get(), extents);
    float size[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (unsigned i = 0; i < rank; ++i) size[i] = static_cast<float>(extents[rank - 1 - i]);
    return brook::float4(size[0], size[1], size[2], size[3]);
}

// Each becomes what the other one was, whatever their shapes.
inline void streamSwap(brook::stream &a, brook::stream &b) { std::swap(*a.variable(), *b.variable()); }

// Prints all elements, a row a line; in one line if flat.
inline void streamPrint(const brook::stream &stream, bool flat = false) {
    unsigned extents[4] = {0, 0, 0, 0}, width = 1;
    const unsigned rank = brook_stream_extents(stream.get(), extents);
    int type = brook_stream_element(stream.get(), &width);
    std::vector<unsigned char> bytes(brook_stream_bytes(stream.get()));
    if (rank == 0 || bytes.empty()) return;
    stream.write(bytes.data());
    std::size_t count = 1;
    for (unsigned i = 0; i < rank; ++i) count *= extents[i];
    // Structs are printed as if they were of numbers of type float.
    if (type < 0) {
        type = BROOK_FLOAT;
        width = static_cast<unsigned>(bytes.size() / count / sizeof(float));
    }
    const std::size_t size = bytes.size() / count / (width == 0 ? 1 : width);
    for (std::size_t i = 0; i < count; ++i) {
        if (width != 1) std::printf("{");
        for (unsigned c = 0; c < width; ++c) {
            if (c != 0) std::printf(", ");
            brook::detail::print(type, &bytes[(i * width + c) * size]);
        }
        std::printf(width != 1 ? "}" : " ");
        if (!flat && (i + 1) % extents[rank - 1] == 0) std::printf("\n");
    }
}

inline void streamPrint(const brook::StreamInterface *given, bool flat = false) {
    streamPrint(*static_cast<const brook::stream *>(given), flat);
}

// Host memory that is aligned for any vector. Before it stand its size and where the whole begins.
inline void *brmalloc(std::size_t size) {
    const std::size_t alignment = 32, room = alignment + 2 * sizeof(void *);
    if (size > static_cast<std::size_t>(-1) - room) return nullptr;
    char *whole = static_cast<char *>(std::malloc(size + room));
    if (whole == nullptr) return nullptr;
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(whole) + 2 * sizeof(void *);
    char *aligned = whole + 2 * sizeof(void *) + (alignment - at % alignment) % alignment;
    std::memcpy(aligned - sizeof(void *), &whole, sizeof whole);
    std::memcpy(aligned - 2 * sizeof(void *), &size, sizeof size);
    return aligned;
}
// Gives back what these functions gave.
inline void brfree(void *memory) {
    if (memory == nullptr) return;
    void *whole;
    std::memcpy(&whole, static_cast<char *>(memory) - sizeof(void *), sizeof whole);
    std::free(whole);
}
inline void *brcalloc(std::size_t count, std::size_t size) {
    if (size != 0 && count > static_cast<std::size_t>(-1) / size) return nullptr;
    void *memory = brmalloc(count * size);
    if (memory != nullptr) std::memset(memory, 0, count * size);
    return memory;
}
inline void *brrealloc(void *memory, std::size_t size) {
    void *larger = brmalloc(size);
    if (memory == nullptr || larger == nullptr) return larger;
    std::size_t before;
    std::memcpy(&before, static_cast<char *>(memory) - 2 * sizeof(void *), sizeof before);
    std::memcpy(larger, memory, before < size ? before : size);
    brfree(memory);
    return larger;
}
// For the containers of C++.
template <class T> struct brallocator {
    typedef T value_type;
    brallocator() = default;
    template <class U> brallocator(const brallocator<U> &) {}
    T *allocate(std::size_t count) {
        void *memory = brcalloc(count, sizeof(T));
        if (memory == nullptr) throw std::bad_alloc();
        return static_cast<T *>(memory);
    }
    void deallocate(T *memory, std::size_t) { brfree(memory); }
    template <class U> bool operator==(const brallocator<U> &) const { return true; }
    template <class U> bool operator!=(const brallocator<U> &) const { return false; }
};

// The same for C.
inline const char **brruntimes() { return brook::runtimeTargets(); }
inline void brsetruntime(const char *name) { brook::initialize(name); }
inline brint64 brmicroseconds() { return brook::microseconds(); }

inline float isinf_float(double x) { return std::isinf(x) ? 1.0f : 0.0f; }
inline float isnan_float(double x) { return std::isnan(x) ? 1.0f : 0.0f; }
inline float finite_float(double x) { return std::isfinite(x) ? 1.0f : 0.0f; }

constexpr brook::detail::GatherOperation STREAM_GATHER_FETCH = {BROOK_GATHER_FETCH};
constexpr brook::detail::GatherOperation STREAM_GATHER_INC = {BROOK_GATHER_INC};
constexpr brook::detail::ScatterOperation STREAM_SCATTER_ASSIGN = {BROOK_SCATTER_ASSIGN};
constexpr brook::detail::ScatterOperation STREAM_SCATTER_ADD = {BROOK_SCATTER_ADD};
constexpr brook::detail::ScatterOperation STREAM_SCATTER_MUL = {BROOK_SCATTER_MUL};
#define STREAM_GATHER_FLOAT_INC STREAM_GATHER_INC
#define STREAM_GATHER_INTEGER_INC STREAM_GATHER_INC
#define STREAM_SCATTER_FLOAT_ADD STREAM_SCATTER_ADD
#define STREAM_SCATTER_INTEGER_ADD STREAM_SCATTER_ADD
#define STREAM_SCATTER_FLOAT_MUL STREAM_SCATTER_MUL
#define STREAM_SCATTER_INTEGER_MUL STREAM_SCATTER_MUL

// t[i] = array[index[i]]; then the operation changes the array's element.
inline void streamGatherOp(const brook::stream &t, const brook::stream &index, const brook::stream &array,
                           brook::detail::GatherOperation operation) {
    brook_gather(t.get(), index.get(), array.get(), operation.code, nullptr, nullptr);
}
inline void streamGatherOp(const brook::stream &t, const brook::stream &index, const brook::stream &array,
                           const brook::detail::Kernel &operation) {
    brook_gather(t.get(), index.get(), array.get(), BROOK_KERNEL, operation.source(), operation.called());
}

// array[index[i]] = operation(s[i], array[index[i]]). BrookGPU's documentation says so; its runtime did
// s[i] = operation(array[index[i]], s[i]), which BROOK_SCATTER_ORDER_RUNTIME asks for.
namespace brook {
namespace detail {
inline void scatter(const stream &s, const stream &index, const stream &array, int code, brook_module *module,
                    const char *kernel) {
#ifdef BROOK_SCATTER_ORDER_RUNTIME
    code |= BROOK_RUNTIME_ORDER;
#endif
    brook_scatter(s.get(), index.get(), array.get(), code, module, kernel);
}
} // namespace detail
} // namespace brook
inline void streamScatterOp(const brook::stream &s, const brook::stream &index, const brook::stream &array,
                            brook::detail::ScatterOperation operation) {
    brook::detail::scatter(s, index, array, operation.code, nullptr, nullptr);
}
inline void streamScatterOp(const brook::stream &s, const brook::stream &index, const brook::stream &array,
                            const brook::detail::Kernel &operation) {
    brook::detail::scatter(s, index, array, BROOK_KERNEL, operation.source(), operation.called());
}

#endif
