// Kernels in a device's own language (CUDA C++, HIP, OpenCL C), from C++17: okl.hpp has those of OKL.
#ifndef BROOK_NATIVE_HPP
#define BROOK_NATIVE_HPP

#include <brook/okl.hpp>

#include <array>

namespace brook {

// A kernel of a NativeProgram. Copies share it.
class NativeKernel {
  public:
    // None.
    NativeKernel() = default;
    explicit NativeKernel(brook_native_kernel *owned) noexcept : handle(owned) {}

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_native_kernel *get() const noexcept { return handle.get(); }

    // Launches it in the device's own queue, over so many groups of so many items along x, y and z. Nothing is known of its
    // parameters: numbers are passed as what they are, and nothing is checked but the memory's device.
    template <class... A>
    void launch(std::array<std::size_t, 3> groups, std::array<unsigned, 3> items, const A &...arguments) const {
        run(nullptr, groups, items, arguments...);
    }
    // The same in a queue.
    template <class... A>
    void launch_on(const Queue &queue, std::array<std::size_t, 3> groups, std::array<unsigned, 3> items,
                   const A &...arguments) const {
        if (!queue) return detail::check(brook_queue_wait(nullptr));
        run(queue.get(), groups, items, arguments...);
    }

  private:
    template <class... A>
    void run(const brook_queue *queue, const std::array<std::size_t, 3> &groups, const std::array<unsigned, 3> &items,
             const A &...arguments) const {
        // One more, since an array cannot be empty.
        const brook_argument all[] = {detail::launched(arguments)..., brook_argument()};
        detail::check(
            brook_native_kernel_launch(get(), queue, groups.data(), items.data(), all, sizeof...(A)));
    }

    detail::Shared<brook_native_kernel, brook_native_kernel_retain, brook_native_kernel_release> handle;
};

// A text in the device's own language, compiled as it is. The processor has no such language.
class NativeProgram {
  public:
    // None.
    NativeProgram() = default;
    // The name is what the compiler's messages call it. Of the options it takes macros, directories, files that stand
    // before it, flags, the standard, and the arithmetic contract.
    NativeProgram(const Device &device, std::string_view text, const BuildOptions &options = BuildOptions(),
                  const std::string &name = "source")
        : handle(options.with([&](const brook_build_options *all) {
              const char *first = text.data() == nullptr ? "" : text.data();
              return detail::made(brook_native_program_build(device.get(), name.c_str(), first, text.size(), all));
          })) {}

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_native_program *get() const noexcept { return handle.get(); }
    // In CUDA and HIP one of extern "C".
    NativeKernel kernel(const std::string &name) const {
        return NativeKernel(detail::made(brook_native_program_kernel(get(), name.c_str())));
    }

  private:
    detail::Shared<brook_native_program, brook_native_program_retain, brook_native_program_release> handle;
};

} // namespace brook

#endif
