// Kernels as generated host programs call them.
#ifndef BROOK_KERNEL_INTERFACE_H
#define BROOK_KERNEL_INTERFACE_H

#include <brook/Stream.h>
#include <brook/abi.h>
#include <brook/argument.hpp>
#include <brook/vector.hpp>

#include <atomic>
#include <cstring>
#include <type_traits>
#include <utility>

namespace brook {

// What can be said about a kernel before it is called. Kernels are objects of each thread; what is
// said holds for the thread's next call.
class KernelInterface {
  public:
    constexpr KernelInterface() : domain{0, 0, {0, 0, 0, 0}, {1, 1, 1, 1}} {}

    // The first element that the kernel runs for: column, row. instance() still counts from the
    // stream's beginning.
    void domainOffset(uint4 offset) {
        domain.has_offset = 1;
        set(domain.offset, offset);
    }
    // For how many elements it runs.
    void domainSize(uint4 size) {
        domain.has_size = 1;
        set(domain.size, size);
    }

  protected:
    brook_domain domain;

  private:
    static void set(unsigned (&to)[4], const uint4 &from) {
        to[0] = from.x;
        to[1] = from.y;
        to[2] = from.z;
        to[3] = from.w;
    }
};

namespace detail {

// The kernels of one source. Needs no initialisation at run time, so that kernels can be called
// before main.
class Module {
  public:
    constexpr Module(const char *name_, const char *source_, const char *defines_ = nullptr)
        : name(name_), source(source_), defines(defines_), handle(nullptr) {}
    Module(const Module &) = delete;
    Module &operator=(const Module &) = delete;
    ~Module() { brook_module_release(handle.load()); }

    // Null if the library does not take the source; brook_call says so.
    brook_module *get() {
        brook_module *known = handle.load();
        if (known != nullptr) return known;
        brook_module *made = brook_module_create(name, source, std::strlen(source), defines);
        if (handle.compare_exchange_strong(known, made)) return made;
        // Another thread was faster.
        brook_module_release(made);
        return known;
    }

  private:
    const char *name, *source, *defines;
    std::atomic<brook_module *> handle;
};

// A kernel, called like a function. Its errors stay with the streams it writes, or where it writes
// none with those it reads.
class Kernel : public KernelInterface {
  public:
    constexpr Kernel(Module &module_, const char *name_) : module(&module_), name(name_) {}

    template <class... A> void operator()(A &&...arguments) {
        // One more, since an array cannot be empty.
        const brook_argument all[] = {argument(std::forward<A>(arguments))..., brook_argument()};
        const brook_domain given = domain;
        domain.has_offset = domain.has_size = 0;
        const bool has_domain = given.has_offset != 0 || given.has_size != 0;
        brook_call(module->get(), name, has_domain ? &given : nullptr, all, sizeof...(A));
    }

    // The kernels that this one belongs to, and its name among them.
    brook_module *source() const { return module->get(); }
    const char *called() const { return name; }

  private:
    Module *module;
    const char *name;
};

// void if one of the arguments is a stream.
template <class... A> struct AnyStream : std::false_type {};
template <class A, class... B>
struct AnyStream<A, B...>
    : std::integral_constant<bool, std::is_base_of<stream, typename std::decay<A>::type>::value ||
                                       AnyStream<B...>::value> {};
template <class... A> using IfStreams = typename std::enable_if<AnyStream<A...>::value>::type;

} // namespace detail
} // namespace brook

// The function of a kernel that cannot be an object, because there are other functions of its name.
#define BROOK_KERNEL_FUNCTION(NAME)                                                             \
    template <class... A> ::brook::detail::IfStreams<A...> NAME(A &&...arguments) {             \
        brook_kernel_##NAME(::std::forward<A>(arguments)...);                                   \
    }

#endif
