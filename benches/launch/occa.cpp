// Launches through OCCA's interface, for occa.rs: a program that is built once over brook and once over OCCA.
//
// Its argument is a device's properties. What it reads is lines, "WHAT COUNT", and for each it writes how many nanoseconds
// one of so many calls took; "none" if that is not there.
#include <occa.hpp>
#include <occa/experimental.hpp>

#include <chrono>
#include <iostream>
#include <string>

namespace {

const char *const source = "@kernel void tiny(const float *x, float *y) {\n"
                           "  for (int o = 0; o < 1; ++o; @outer) for (int i = 0; i < 32; ++i; @inner) y[i] = x[i] + 1.0f;\n"
                           "}\n"
                           "@kernel void step(const int n, @restrict const float *x, @restrict float *y) {\n"
                           "  for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) y[i] = 0.5f * x[i] + 1.0f;\n"
                           "}\n"
                           "@kernel void few(const int n, const float *x, float *y) {\n"
                           "  for (int o = 0; o < 1; ++o; @outer) for (int i = 0; i < 1; ++i; @inner) y[i] = x[i] + n;\n"
                           "}\n";

// Elements, of which the kernels touch all.
const int n = 32;

struct State {
    occa::device device;
    occa::kernel tiny, step, few;
    occa::memory x, y;

    explicit State(const std::string &properties) : device(properties) {
        occa::setDevice(device);
        tiny = device.buildKernelFromString(source, "tiny");
        step = device.buildKernelFromString(source, "step");
        few = device.buildKernelFromString(source, "few");
        const float zeros[n] = {};
        x = device.malloc<float>(n, zeros);
        y = device.malloc<float>(n, zeros);
    }
};

template <class F> double each(State &state, int count, F call) {
    call();
    state.device.finish();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) call();
    const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    state.device.finish();
    return all / count * 1e9;
}

double measure(State &state, const std::string &what, int count) {
    occa::memory &x = state.x, &y = state.y;
    if (what == "two") return each(state, count, [&] { state.tiny(x, y); });
    if (what == "three") return each(state, count, [&] { state.step(n, x, y); });
    if (what == "jit") {
        return each(state, count, [&] {
            occa::scope scope({{"n", n}, {"x", x}, {"y", y}});
            OCCA_JIT(scope, (for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) { y[i] = 0.5f * x[i] + 1.0f; }));
        });
    }
    if (what == "loop") {
        return each(state, count, [&] {
            // The lambda's own names are the scope's.
            float *const a = nullptr, *const b = nullptr;
            occa::scope scope({{"a", x}, {"b", y}});
            occa::forLoop().tile({n, 256}).run(
                OCCA_FUNCTION(scope, [=](const int i) -> void { b[i] = 0.5f * a[i] + 1.0f; }));
        });
    }
    if (what == "max") {
        const occa::array<float> all(x);
        volatile float found = 0;
        return each(state, count, [&] { found = all.max(); });
    }
    // What max() has to do, by hand.
    if (what == "parts") {
        float found[1];
        return each(state, count, [&] {
            occa::memory parts = state.device.malloc<float>(1);
            state.few(n, x, parts);
            parts.copyTo(found);
        });
    }
    return -1;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    try {
        State state(argv[1]);
        std::string what;
        for (int count = 0; std::cin >> what >> count;) {
            try {
                std::cout << measure(state, what, count) << std::endl;
            } catch (const std::exception &error) {
                std::cerr << what << ": " << error.what() << std::endl;
                std::cout << "none" << std::endl;
            }
        }
    } catch (const std::exception &error) {
        std::cerr << error.what() << std::endl;
        return 1;
    }
    return 0;
}
