// Launches through the C and C++ interfaces, for faces.rs: a library beside the program that is measured.
#include <brook/okl.hpp>

#include <chrono>
#include <cstring>
#include <memory>

namespace {

struct State {
    brook::Device device;
    brook::Kernel tiny, step;
    brook::Memory<float> x, y;
};

std::unique_ptr<State> state;

template <class F> double each(int count, F call) {
    state->device.finish();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / count;
}

brook_argument memory(const brook::Memory<float> &data, int kind) {
    brook_argument argument = brook_argument();
    argument.kind = kind;
    argument.data = data.get();
    return argument;
}

} // namespace

// Builds the kernels for a device; 0 if that went well.
extern "C" int faces_open(const char *name, const char *source, int n) {
    try {
        const brook::Device device = brook::Device::open(name);
        const brook::Program program = brook::Program::source(device, source, brook::BuildOptions().cache(false));
        state.reset(new State{device, program.kernel("tiny"), program.kernel("step"), brook::Memory<float>(device, n),
                              brook::Memory<float>(device, n)});
        return 0;
    } catch (const brook::Error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

extern "C" void faces_close() { state.reset(); }

// Seconds of a launch of two arguments, in C.
extern "C" double faces_c(int count) {
    const brook_argument arguments[2] = {memory(state->x, BROOK_READ_ONLY_MEMORY), memory(state->y, BROOK_MEMORY)};
    const brook_kernel *kernel = state->tiny.get();
    return each(count, [&] { brook_kernel_launch(kernel, nullptr, arguments, 2); });
}

// The same in C++.
extern "C" double faces_cpp(int count) {
    return each(count, [] { state->tiny(state->x.read_only(), state->y); });
}

// Of three arguments, one of them a number, in C.
extern "C" double faces_c_number(int count) {
    int n = 32;
    brook_argument arguments[3] = {brook_argument(), memory(state->x, BROOK_READ_ONLY_MEMORY), memory(state->y, BROOK_MEMORY)};
    arguments[0].kind = BROOK_VALUE;
    arguments[0].type = BROOK_INT;
    arguments[0].width = 1;
    arguments[0].bytes = sizeof n;
    arguments[0].data = &n;
    const brook_kernel *kernel = state->step.get();
    return each(count, [&] { brook_kernel_launch(kernel, nullptr, arguments, 3); });
}

// The same in C++.
extern "C" double faces_cpp_number(int count) {
    return each(count, [] { state->step(32, state->x.read_only(), state->y); });
}
