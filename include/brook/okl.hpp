// OKL from C++ (C++17, header-only over abi.h): devices, memory, programs, kernels, queues.
//
//     brook::Device device = brook::Device::open();              // or "cuda:0", "opencl:1", "openmp"
//     brook::Program program = brook::Program::file(device, "axpy.okl", brook::BuildOptions().define("BLOCK", 256));
//     brook::Kernel axpy = program.kernel("axpy");
//     brook::Memory<float> x(device, host_x), y(device, n);
//     axpy(n, 2.0f, x, y);                                       // arguments are checked
//     y.read(host_y);
//
// What fails throws brook::Error, with the message that the Rust interface has. Where exceptions are switched off
// (-fno-exceptions), the first error of a thread is kept until brook::take_error() asks for it; objects that could not be
// made are empty (operator bool), and using them is another error.
//
// Memory and pinned memory are owned: they can be moved and not copied. Programs, kernels, queues, events and pools are
// shared by their copies. Everything may be used by several threads at once, except that one object is not assigned to
// while another thread uses it.
#ifndef BROOK_OKL_HPP
#define BROOK_OKL_HPP

#include <brook/Device.h>
#include <brook/Sequence.h>
#include <brook/abi.h>
#include <brook/argument.hpp>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace brook {

// What went wrong: what() is the message, code() what brook_last_error_code gives.
class Error : public std::runtime_error {
  public:
    Error(const char *message, int code) : std::runtime_error(message), status(code) {}
    // enum brook_status.
    int code() const noexcept { return status; }
    // Whether there is one.
    explicit operator bool() const noexcept { return status != BROOK_SUCCESS; }

  private:
    int status;
};

namespace detail {

// The first error that nobody asked for, without exceptions.
inline Error &pending() {
    static thread_local Error error("", BROOK_SUCCESS);
    return error;
}

inline void fail() {
#if defined(__cpp_exceptions)
    throw Error(brook_last_error(), brook_last_error_code());
#else
    if (!pending()) pending() = Error(brook_last_error(), brook_last_error_code());
#endif
}

inline void check(int status) {
    if (status != BROOK_SUCCESS) fail();
}

template <class T> T *made(T *handle) {
    if (handle == nullptr) fail();
    return handle;
}

// What is said of a number that is -1 if nobody can say it.
inline bool answer(int number) {
    if (number < 0) fail();
    return number > 0;
}

// A handle with a reference of its own.
template <class T, T *(*retain)(T *), void (*release)(T *)> class Shared {
  public:
    Shared() noexcept : handle(nullptr) {}
    explicit Shared(T *owned) noexcept : handle(owned) {}
    Shared(const Shared &other) : handle(other.handle == nullptr ? nullptr : retain(other.handle)) {}
    Shared(Shared &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    Shared &operator=(Shared other) noexcept {
        std::swap(handle, other.handle);
        return *this;
    }
    ~Shared() { release(handle); }
    T *get() const noexcept { return handle; }

  private:
    T *handle;
};

// A handle that nobody else has.
template <class T, void (*release)(T *)> class Owned {
  public:
    Owned() noexcept : handle(nullptr) {}
    explicit Owned(T *owned) noexcept : handle(owned) {}
    Owned(Owned &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    Owned &operator=(Owned &&other) noexcept {
        std::swap(handle, other.handle);
        return *this;
    }
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;
    ~Owned() { release(handle); }
    T *get() const noexcept { return handle; }

  private:
    T *handle;
};

// What an element of device memory is, for brook_memory_create.
template <class T, bool structure = IsStruct<T>::value> struct ElementOf {
    typedef Components<T> Parts;
    static constexpr int type = Scalar<typename Parts::scalar>::type;
    static constexpr unsigned width = Parts::width;
};
template <class T> struct ElementOf<T, true> {
    static constexpr int type = BROOK_STRUCTURE;
    static constexpr unsigned width = sizeof(T);
};
template <class T, std::size_t n> struct ElementOf<T[n], false> {
    static constexpr int type = ElementOf<T>::type;
    static constexpr unsigned width = n * ElementOf<T>::width;
};

} // namespace detail

// The first error of this thread since this was last asked, where exceptions are switched off; else none.
inline Error take_error() { return std::exchange(detail::pending(), Error("", BROOK_SUCCESS)); }

inline Device Device::open(const char *name) { return Device(detail::made(brook_device_open(name))); }
inline void Device::fuse(int fusion) const { detail::check(brook_device_fuse(handle, fusion)); }
inline void Device::finish() const { detail::check(brook_device_finish(handle)); }

template <class T> class ReadOnly;

// Device memory of elements of a type that lies there as it does here: numbers, brook's vectors, arrays and trivially
// copyable structs of them. A part of memory is the same memory, and what frees it is the end of its last part.
template <class T> class Memory {
    static_assert(std::is_trivially_copyable<T>::value, "device memory holds bytes: the type must be trivially copyable");
    static_assert(!std::is_const<T>::value && !std::is_pointer<T>::value, "device memory holds values");
    typedef detail::ElementOf<T> Element;

  public:
    typedef T value_type;

    // No memory.
    Memory() = default;
    // So many elements, all of them zero.
    Memory(const Device &device, std::size_t count) : Memory(device, nullptr, count) {}
    // With a copy of host memory; zeros for null.
    Memory(const Device &device, const T *from, std::size_t count)
        : handle(detail::made(brook_memory_create(device.get(), Element::type, Element::width, count, from))) {}
    Memory(const Device &device, const std::vector<T> &from)
        : Memory(device, from.empty() ? nullptr : from.data(), from.size()) {}
    // Gives what C has to C++.
    explicit Memory(brook_memory *owned) noexcept : handle(owned) {}

    // Somebody else's memory, which has to outlive this: an address that CUDA or HIP gave, a cl_mem, host memory for the
    // processor; from a byte on.
    static Memory import(const Device &device, void *native, std::size_t count, std::size_t offset = 0) {
        return Memory(detail::made(
            brook_memory_import(device.get(), Element::type, Element::width, count, native, offset)));
    }

    // Memory that kernels and the host both use, where host() says, zero at first; not on OpenCL's GPUs with memory of their
    // own.
    static Memory shared(const Device &device, std::size_t count) {
        return Memory(detail::made(brook_memory_create_shared(device.get(), Element::type, Element::width, count)));
    }
    // The host's own, for kernels where such devices are: it has to outlive this.
    static Memory import_host(const Device &device, T *host, std::size_t count) {
        return Memory(detail::made(brook_memory_import_host(device.get(), Element::type, Element::width, count, host)));
    }

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_memory *get() const noexcept { return handle.get(); }
    std::size_t size() const { return get() == nullptr ? 0 : brook_memory_count(get()); }
    std::size_t bytes() const { return size() * sizeof(T); }
    bool empty() const { return size() == 0; }
    Device device() const { return Device(detail::made(brook_memory_device(get()))); }

    // count elements from number first on: the same memory.
    Memory part(std::size_t first, std::size_t count) const {
        return Memory(detail::made(brook_memory_part(get(), first, count)));
    }
    // All of it: the same memory.
    Memory share() const { return Memory(detail::made(brook_memory_retain(get()))); }
    // The same memory as elements of another type.
    template <class U> Memory<U> cast() const {
        typedef detail::ElementOf<U> Other;
        return Memory<U>(detail::made(brook_memory_cast(get(), Other::type, Other::width)));
    }
    // Memory of its own with the same elements.
    Memory clone() const {
        Memory copy(device(), size());
        copy.copy_from(*this);
        return copy;
    }
    // For a kernel that must not write it.
    ReadOnly<T> read_only() const { return ReadOnly<T>(*this); }

    // Copies to the device: count elements, to those from number first on.
    void write(const T *from, std::size_t count, std::size_t first = 0) const {
        detail::check(brook_memory_write(get(), first, count, from));
    }
    void write(const std::vector<T> &from, std::size_t first = 0) const { write(from.data(), from.size(), first); }
    // Copies to the host, after everything launched so far.
    void read(T *to, std::size_t count, std::size_t first = 0) const {
        detail::check(brook_memory_read(get(), first, count, to));
    }
    // As many as there is room for.
    void read(std::vector<T> &to, std::size_t first = 0) const { read(to.data(), to.size(), first); }
    std::vector<T> to_vector() const {
        std::vector<T> all(size());
        read(all);
        return all;
    }
    // Fills it with zero bytes.
    void zero() const { detail::check(brook_memory_zero(get())); }
    // Copies count elements of other memory, of any device.
    void copy_from(const Memory &source, std::size_t count, std::size_t to = 0, std::size_t from = 0) const {
        detail::check(brook_memory_copy(get(), to, source.get(), from, count));
    }
    // All of them; there have to be as many as here.
    void copy_from(const Memory &source) const { copy_from(source, source.size() > size() ? source.size() : size()); }

    // Where it begins: an address, or a cl_mem and the byte in it.
    void *native(std::size_t *offset = nullptr) const { return brook_memory_native(get(), offset); }
    // Where the host finds it, if it is memory that both use; else null. What kernels write is there once they have ended.
    T *host() const { return static_cast<T *>(brook_memory_host(get())); }

  private:
    detail::Owned<brook_memory, brook_memory_release> handle;
};

// Memory that a kernel may read only: a pointer that is not to const refuses it. Not longer than the memory.
template <class T> class ReadOnly {
  public:
    explicit ReadOnly(const Memory<T> &memory) noexcept : handle(memory.get()) {}
    brook_memory *get() const noexcept { return handle; }

  private:
    brook_memory *handle;
};

// Device memory that is kept for the next who needs some.
class Pool {
  public:
    explicit Pool(const Device &device) : handle(detail::made(brook_pool_create(device.get()))) {}

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_pool *get() const noexcept { return handle.get(); }
    // So many elements, all of them zero.
    template <class T> Memory<T> memory(std::size_t count) const { return memory<T>(nullptr, count); }
    // With a copy of host memory.
    template <class T> Memory<T> memory(const T *from, std::size_t count) const {
        typedef detail::ElementOf<T> Element;
        return Memory<T>(detail::made(brook_pool_memory(get(), Element::type, Element::width, count, from)));
    }
    template <class T> Memory<T> memory(const std::vector<T> &from) const {
        return memory<T>(from.empty() ? nullptr : from.data(), from.size());
    }
    std::size_t used_bytes() const { return bytes().first; }
    std::size_t idle_bytes() const { return bytes().second; }
    // Gives what nobody uses back to the device.
    void trim() const { detail::check(brook_pool_trim(get())); }

  private:
    std::pair<std::size_t, std::size_t> bytes() const {
        std::size_t used = 0, idle = 0;
        detail::check(brook_pool_bytes(get(), &used, &idle));
        return {used, idle};
    }

    detail::Shared<brook_pool, brook_pool_retain, brook_pool_release> handle;
};

// Host memory that the device copies from and to without a detour, zeros at first.
template <class T> class Pinned {
    static_assert(std::is_trivially_copyable<T>::value, "pinned memory holds bytes: the type must be trivially copyable");
    static_assert(alignof(T) <= 64, "pinned memory is aligned to 64 bytes");

  public:
    typedef T value_type;

    Pinned(const Device &device, std::size_t count)
        : handle(count > static_cast<std::size_t>(-1) / sizeof(T)
                     ? detail::made(brook_pinned_create(device.get(), static_cast<std::size_t>(-1)))
                     : detail::made(brook_pinned_create(device.get(), count * sizeof(T)))),
          first(get() == nullptr ? nullptr : static_cast<T *>(brook_pinned_data(get()))),
          count_(first == nullptr ? 0 : count) {}
    Pinned(Pinned &&other) noexcept
        : handle(std::move(other.handle)), first(std::exchange(other.first, nullptr)),
          count_(std::exchange(other.count_, 0)) {}
    Pinned &operator=(Pinned &&other) noexcept {
        std::swap(handle, other.handle);
        std::swap(first, other.first);
        std::swap(count_, other.count_);
        return *this;
    }

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_pinned *get() const noexcept { return handle.get(); }
    T *data() noexcept { return first; }
    const T *data() const noexcept { return first; }
    std::size_t size() const noexcept { return count_; }
    T *begin() noexcept { return first; }
    T *end() noexcept { return first + count_; }
    const T *begin() const noexcept { return first; }
    const T *end() const noexcept { return first + count_; }
    T &operator[](std::size_t index) noexcept { return first[index]; }
    const T &operator[](std::size_t index) const noexcept { return first[index]; }

  private:
    detail::Owned<brook_pinned, brook_pinned_release> handle;
    T *first;
    std::size_t count_;
};

// A place in a queue.
class Event {
  public:
    // None.
    Event() = default;
    explicit Event(brook_event *owned) noexcept : handle(owned) {}

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_event *get() const noexcept { return handle.get(); }
    // Waits until everything before it has finished.
    void wait() const { detail::check(brook_event_wait(get())); }
    bool is_done() const { return detail::answer(brook_event_is_done(get())); }
    // Seconds since an earlier event of the same device, by the device's own clock where it has one.
    double seconds_since(const Event &earlier) const {
        double seconds = 0;
        detail::check(brook_event_elapsed(earlier.get(), get(), &seconds));
        return seconds;
    }
    // CUevent, hipEvent_t or cl_event; null where there is none.
    void *native() const { return brook_event_native(get()); }

  private:
    detail::Shared<brook_event, brook_event_retain, brook_event_release> handle;
};

// What is enqueued is done in order, beside the work of other queues and of the host. The end of the last copy waits.
class Queue {
  public:
    explicit Queue(const Device &device) : handle(detail::made(brook_queue_create(device.get()))) {}
    explicit Queue(brook_queue *owned) noexcept : handle(owned) {}
    // The queue of everything that names none.
    static Queue of(const Device &device) { return Queue(detail::made(brook_queue_default(device.get()))); }
    // Somebody else's, a CUstream, hipStream_t or cl_command_queue of the device, which has to outlive this: in order with
    // what they put there.
    static Queue import(const Device &device, void *native) {
        return Queue(detail::made(brook_queue_import(device.get(), native)));
    }

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_queue *get() const noexcept { return handle.get(); }
    Device device() const { return Device(detail::made(brook_queue_device(get()))); }
    // Waits for everything enqueued so far, and reports what failed of it.
    void wait() const { detail::check(brook_queue_wait(get())); }
    bool is_done() const { return detail::answer(brook_queue_is_done(get())); }
    // A mark behind everything enqueued so far.
    Event record() const { return Event(detail::made(brook_queue_record(get()))); }
    // What is enqueued from now on begins after the event, of any queue of any device.
    void wait_for(const Event &event) const { detail::check(brook_queue_wait_for(get(), event.get())); }

    // Copies: they may go on after the call, and until they have been made (wait, or an event behind them) the host's
    // memory is left alone.
    template <class T>
    void write(const Memory<T> &to, const T *from, std::size_t count, std::size_t first = 0) const {
        detail::check(brook_queue_write(get(), to.get(), first, count, from));
    }
    template <class T>
    void read(const Memory<T> &from, T *to, std::size_t count, std::size_t first = 0) const {
        detail::check(brook_queue_read(get(), from.get(), first, count, to));
    }
    template <class T> void write(const Memory<T> &to, const Pinned<T> &from, std::size_t first = 0) const {
        write(to, from.data(), from.size(), first);
    }
    template <class T> void read(const Memory<T> &from, Pinned<T> &to, std::size_t first = 0) const {
        read(from, to.data(), to.size(), first);
    }
    // Between memory of the queue's device that does not overlap.
    template <class T>
    void copy(const Memory<T> &to, const Memory<T> &from, std::size_t count, std::size_t to_first = 0,
              std::size_t from_first = 0) const {
        detail::check(brook_queue_copy(get(), to.get(), to_first, from.get(), from_first, count));
    }
    // CUstream, hipStream_t or cl_command_queue; null where there is none.
    void *native() const { return brook_queue_native(get()); }

  private:
    detail::Shared<brook_queue, brook_queue_retain, brook_queue_release> handle;
};

namespace detail {

// An argument of a launch. It points to what it is made of, which outlives the launch.
template <class T> brook_argument launched(const Memory<T> &memory) {
    brook_argument argument = brook_argument();
    argument.kind = BROOK_MEMORY;
    argument.data = memory.get();
    return argument;
}
template <class T> brook_argument launched(const ReadOnly<T> &memory) {
    brook_argument argument = brook_argument();
    argument.kind = BROOK_READ_ONLY_MEMORY;
    argument.data = memory.get();
    return argument;
}
inline brook_argument launched(const std::nullptr_t &) {
    brook_argument argument = brook_argument();
    argument.kind = BROOK_NULL;
    return argument;
}
template <class T> struct IsMemory : std::false_type {};
template <class T> struct IsMemory<Memory<T>> : std::true_type {};
template <class T> struct IsMemory<ReadOnly<T>> : std::true_type {};
template <> struct IsMemory<std::nullptr_t> : std::true_type {};

template <class T, std::enable_if_t<!IsMemory<T>::value, int> = 0> brook_argument launched(const T &value) {
    static_assert(!std::is_pointer<T>::value && !std::is_array<T>::value,
                  "kernels take brook::Memory instead of pointers of the host");
    static_assert(std::is_trivially_copyable<T>::value, "kernels take numbers, brook::Memory, and trivially copyable structs");
    if constexpr (IsStruct<T>::value) {
        brook_argument argument = brook_argument();
        argument.kind = BROOK_BYTES;
        argument.bytes = sizeof(T);
        argument.data = const_cast<void *>(static_cast<const void *>(&value));
        return argument;
    } else {
        return describe(BROOK_VALUE, &value);
    }
}

// A value as sources have it: numbers with all digits they need, and a float is one in the kernel, too.
inline std::string text_of(bool value) { return value ? "1" : "0"; }
template <class T> std::string text_of(T value) {
    if constexpr (std::is_integral<T>::value) {
        return std::to_string(value);
    } else {
        char text[64];
        std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
        std::string number = text;
        const bool is_whole = number.find_first_not_of("-0123456789") == std::string::npos;
        return number + (is_whole ? ".0" : "") + (std::is_same<T, float>::value ? "f" : "");
    }
}

// What kernels call a number's type, or a vector's.
template <class T> std::string type_name() {
    static_assert(!IsStruct<T>::value && !std::is_array<T>::value, "C++ does not say what kernels call it: give its name");
    typedef ElementOf<T> Element;
    static const char *const names[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                        "uint", "long", "ulong", "float", "double"};
    return std::string(names[Element::type]) + (Element::width == 1 ? "" : std::to_string(Element::width));
}

} // namespace detail

// A kernel of a program, ready to launch.
//
// A template is a kernel, too: the types of a launch's arguments say what its parameters are, Memory<float> for a T * that
// T is float, and the kernel for them is built at the first such launch. What they do not say is given by with().
class Kernel {
  public:
    // None.
    Kernel() = default;
    explicit Kernel(brook_kernel *owned) noexcept : handle(owned) {}

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_kernel *get() const noexcept { return handle.get(); }
    std::string name() const { return detail::made(brook_kernel_name(get())); }

    // The names of a template's parameters; none of other kernels.
    std::vector<std::string> template_parameters() const {
        std::vector<std::string> names;
        for (std::size_t i = 0; const char *one = brook_kernel_template_parameter(get(), i); ++i) names.push_back(one);
        return names;
    }
    // A template with one of its arguments, by the parameter's name: a type or a value as the source has it.
    Kernel with(const std::string &parameter, const std::string &argument) const {
        return Kernel(detail::made(brook_kernel_with(get(), parameter.c_str(), argument.c_str())));
    }
    Kernel with(const std::string &parameter, const char *argument) const {
        return with(parameter, std::string(argument));
    }
    // A number: with("N", 4).
    template <class T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0>
    Kernel with(const std::string &parameter, T value) const {
        return with(parameter, detail::text_of(value));
    }
    // The type of a number or of one of brook's vectors: with<float>("T").
    template <class T> Kernel with(const std::string &parameter) const {
        return with(parameter, detail::type_name<T>());
    }
    // The kernel that a launch with such arguments runs, built if there is none yet. Only the types count.
    template <class... A> Kernel instance(const A &...arguments) const {
        const brook_argument all[] = {detail::launched(arguments)..., brook_argument()};
        return Kernel(detail::made(brook_kernel_instance(get(), all, sizeof...(A))));
    }

    // Launches it in the device's own queue, and returns before it has ended. Number, types, constness and devices of
    // the arguments are checked; which elements it reads and writes is its own affair.
    template <class... A> void operator()(const A &...arguments) const { run(nullptr, arguments...); }
    // The same in a queue.
    template <class... A> void launch_on(const Queue &queue, const A &...arguments) const {
        if (!queue) return detail::check(brook_queue_wait(nullptr));
        run(queue.get(), arguments...);
    }
    // The same; the event happens when it has ended.
    template <class... A> Event launch_async(const Queue &queue, const A &...arguments) const {
        const brook_argument all[] = {detail::launched(arguments)..., brook_argument()};
        return Event(detail::made(brook_kernel_launch_async(get(), queue.get(), all, sizeof...(A))));
    }

  private:
    template <class... A> void run(const brook_queue *queue, const A &...arguments) const {
        // One more, since an array cannot be empty.
        const brook_argument all[] = {detail::launched(arguments)..., brook_argument()};
        detail::check(brook_kernel_launch(get(), queue, all, sizeof...(A)));
    }

    detail::Shared<brook_kernel, brook_kernel_retain, brook_kernel_release> handle;
};

// The arithmetic contract of a build.
enum class Math {
    standard = BROOK_MATH_DEFAULT,
    strict = BROOK_MATH_STRICT,
    fast = BROOK_MATH_FAST
};

// How a program is built.
class BuildOptions {
  public:
    // A macro; the name may have parameters: F(a).
    BuildOptions &define(const std::string &name, const std::string &value = "1") {
        defines.push_back(name + "=" + value);
        return *this;
    }
    BuildOptions &define(const std::string &name, const char *value) { return define(name, std::string(value)); }
    // A number, with all digits it needs; a float is one in the kernel, too.
    template <class T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0>
    BuildOptions &define(const std::string &name, T value) {
        return define(name, detail::text_of(value));
    }
    // Where includes are searched, after the source's own directory.
    BuildOptions &include_directory(const std::string &directory) {
        include_directories.push_back(directory);
        return *this;
    }
    // A file whose text stands before the source.
    BuildOptions &forced_include(const std::string &file) {
        forced_includes.push_back(file);
        return *this;
    }
    // A file that is not on the disk: what leads to this path finds the text first. What begins with embedded:/ is never
    // looked for on the disk.
    BuildOptions &file(const std::string &path, std::string_view text) {
        files.emplace_back(path, text);
        return *this;
    }
    // For the device's compiler.
    BuildOptions &flag(const std::string &text) {
        flags.push_back(text);
        return *this;
    }
    // A kernel of a template, which is then called by this name: f<float, 4>.
    BuildOptions &instantiate(const std::string &kernel) {
        instances.push_back(kernel);
        return *this;
    }
    // A table of functions that each backend spells in its own way.
    BuildOptions &intrinsics(const std::string &table) {
        intrinsics_text += table + "\n";
        return *this;
    }
    // In the words of the device's compiler: c++20, CL2.0.
    BuildOptions &standard(const std::string &name) {
        standard_name = name;
        return *this;
    }
    BuildOptions &math(Math contract) {
        options.math = static_cast<int>(contract);
        return *this;
    }
    // Whether to use the kernel cache.
    BuildOptions &cache(bool use) {
        options.no_cache = !use;
        return *this;
    }
    // Whether there are barriers between @inner loops where OKL implies them.
    BuildOptions &auto_barriers(bool insert) {
        options.no_auto_barriers = !insert;
        return *this;
    }
    // Whether items may run several iterations.
    BuildOptions &widen(bool allow) {
        options.no_widen = !allow;
        return *this;
    }
    // A folder with what `brook tune` found, for macros that are not defined here and for how items share out work; without it
    // BROOK_TUNED may name one.
    BuildOptions &tuned(const std::string &folder) {
        tuned_folder = folder;
        return *this;
    }
    // Of what was found there, that with these values and sizes, such as n=4096, in the place of the latest.
    BuildOptions &tuned_for(const std::string &shape) {
        tuned_shape = shape;
        return *this;
    }
    // Whether the compiler's messages name the source's lines.
    BuildOptions &line_directives(bool write) {
        options.line_directives = write;
        return *this;
    }

  private:
    friend class Program;
    friend class NativeProgram;
    friend class Communicator;

    // Calls f with the options as C has them.
    template <class F> auto with(F f) const {
        typedef std::vector<const char *> List;
        const auto list = [](const std::vector<std::string> &strings) {
            List all;
            for (const std::string &text : strings) all.push_back(text.c_str());
            all.push_back(nullptr);
            return all;
        };
        const List a = list(defines), b = list(include_directories), c = list(forced_includes), d = list(flags),
                   e = list(instances);
        std::vector<brook_file> texts;
        for (const auto &[name, text] : files) texts.push_back({name.c_str(), text.c_str(), text.size()});
        texts.push_back({nullptr, nullptr, 0});
        brook_build_options all = options;
        all.size = sizeof all;
        all.defines = a.data();
        all.include_directories = b.data();
        all.forced_includes = c.data();
        all.flags = d.data();
        all.instances = e.data();
        all.intrinsics = intrinsics_text.empty() ? nullptr : intrinsics_text.c_str();
        all.files = texts.data();
        all.standard = standard_name.empty() ? nullptr : standard_name.c_str();
        all.tuned = tuned_folder.empty() ? nullptr : tuned_folder.c_str();
        all.tuned_for = tuned_shape.empty() ? nullptr : tuned_shape.c_str();
        return f(&all);
    }

    std::vector<std::string> defines, include_directories, forced_includes, flags, instances;
    std::vector<std::pair<std::string, std::string>> files;
    std::string intrinsics_text, standard_name, tuned_folder, tuned_shape;
    brook_build_options options = brook_build_options();
};

// A source that was built for a device: translated, compiled and loaded, or taken from the kernel cache.
class Program {
  public:
    // None.
    Program() = default;
    explicit Program(brook_program *owned) noexcept : handle(owned) {}

    // Of a file.
    static Program file(const Device &device, const std::string &path, const BuildOptions &options = BuildOptions()) {
        return options.with([&](const brook_build_options *all) {
            return Program(detail::made(brook_program_build_file(device.get(), path.c_str(), all)));
        });
    }
    // Of a text; the name is what messages call it, and where includes are searched is beside that.
    static Program source(const Device &device, std::string_view text, const BuildOptions &options = BuildOptions(),
                          const std::string &name = "source.okl") {
        return options.with([&](const brook_build_options *all) {
            // Even an empty text begins somewhere.
            const char *first = text.data() == nullptr ? "" : text.data();
            return Program(
                detail::made(brook_program_build(device.get(), name.c_str(), first, text.size(), all)));
        });
    }

    // Of a source inside of the program, which brook_add_kernels of CMake has put there: its name is the end of its path.
    // The options come behind the program's own; if they ask for nothing, what was compiled ahead of time is loaded where
    // it fits.
    static Program embedded(const Device &device, const brook_embedded &sources, const std::string &name,
                            const BuildOptions &options = BuildOptions()) {
        return options.with([&](const brook_build_options *all) {
            return Program(detail::made(brook_program_build_embedded(device.get(), &sources, name.c_str(), all)));
        });
    }

    // What `brook compile` wrote, by no compiler; the name is the source's, where the file has several.
    static Program load(const Device &device, const std::string &path, const std::string &name = "") {
        const char *which = name.empty() ? nullptr : name.c_str();
        return Program(detail::made(brook_program_load(device.get(), path.c_str(), which)));
    }
    // The same of the file's bytes, which are not needed any more afterwards.
    static Program load(const Device &device, const void *bytes, std::size_t length, const std::string &name = "") {
        const char *which = name.empty() ? nullptr : name.c_str();
        return Program(detail::made(brook_program_load_bytes(device.get(), bytes, length, which)));
    }

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_program *get() const noexcept { return handle.get(); }
    Kernel kernel(const std::string &name) const {
        return Kernel(detail::made(brook_program_kernel(get(), name.c_str())));
    }
    std::vector<std::string> kernels() const {
        std::vector<std::string> names;
        for (std::size_t i = 0; const char *name = brook_program_kernel_name(get(), i); ++i) names.push_back(name);
        return names;
    }
    // The transpiler's; empty if there were none, or the program came from the cache.
    std::string warnings() const {
        const char *text = brook_program_warnings(get());
        return text == nullptr ? "" : text;
    }
    bool is_cached() const { return detail::answer(brook_program_is_cached(get())); }

  private:
    detail::Shared<brook_program, brook_program_retain, brook_program_release> handle;
};

// Launches without a queue and record() of copies in the function are recorded for the device instead of done.
template <class F> Sequence::Sequence(const Device &device, F &&work) : handle(nullptr) {
    detail::check(brook_record_begin_on(device.get()));
    struct End {
        brook_sequence *&handle;
        bool done;
        // Also where the function throws.
        ~End() {
            if (!done) brook_sequence_release(brook_record_end());
        }
    } end = {handle, false};
    std::forward<F>(work)();
    end.done = true;
    handle = detail::made(brook_record_end());
}

template <class Q> void Sequence::launch_on(const Q &queue) const {
    detail::check(brook_sequence_launch_on(handle, queue.get()));
}

// Records a copy between memory of the device whose sequence this thread records.
template <class T>
void record_copy(const Memory<T> &to, const Memory<T> &from, std::size_t count, std::size_t to_first = 0,
                 std::size_t from_first = 0) {
    detail::check(brook_record_copy(to.get(), to_first, from.get(), from_first, count));
}

} // namespace brook

#endif
