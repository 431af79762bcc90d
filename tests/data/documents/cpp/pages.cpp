// What README.md, docs/cpp.md and docs/runtime.md show of the library from C++. The lines stand there as they stand here, and the
// numbers that are expected of them are worked out by hand.
#include <brook/okl.hpp>

#include <cstdio>
#include <string>
#include <vector>

static int failures = 0;

static void check(int line, bool so) {
    if (so) return;
    std::printf("pages.cpp:%d: not so\n", line);
    ++failures;
}
#define CHECK(WHAT) check(__LINE__, (WHAT))

static void readme() {
    brook::Device device = brook::Device::open();
    brook::Program program = brook::Program::file(device, "scale.okl");
    brook::Memory<float> x(device, std::vector<float>{1, 2, 3});
    program.kernel("scale")(3, 2.0f, x);

    CHECK((x.to_vector() == std::vector<float>{2, 4, 6}));
}

static void first() {
    #include <brook/okl.hpp>

    brook::Device device = brook::Device::open();                 // or "cuda:0", "hip:0", "opencl:1", "openmp"
    brook::Program program = brook::Program::file(device, "scale.okl", brook::BuildOptions().define("BLOCK", 256));
    brook::Kernel scale = program.kernel("scale");
    brook::Memory<float> x(device, std::vector<float>{1, 2, 3});
    scale(3, 2.0f, x);                                            // checked against the kernel's parameters
    std::vector<float> result = x.to_vector();                    // 2, 4, 6

    CHECK((result == std::vector<float>{2, 4, 6}));
}

static void templates() {
    brook::Device device = brook::Device::open();
    brook::Program program = brook::Program::file(device, "add.okl");
    const int n = 3;
    brook::Memory<float> a(device, std::vector<float>{1, 2, 3}), b(device, 3);

    brook::Kernel add = program.kernel("add");                     // template <typename T, int N> @kernel void add(…)
    brook::Kernel add4 = add.with("N", 4);                         // values; types as with<float>("T") or with("T", "Pair")
    add4(n, a, b, 2.0f);
    brook::Kernel same = program.kernel("add<float, 4>");          // all of it: built now
    brook::Kernel ready = add4.instance(n, a, b, 2.0f);            // the kernel for these types, without a launch

    CHECK((b.to_vector() == std::vector<float>{9, 10, 11}));
    same(n, b, a, 1.0f);
    CHECK((a.to_vector() == std::vector<float>{13, 14, 15}));
    ready(n, a, b, 0.0f);
    CHECK((b.to_vector() == std::vector<float>{13, 14, 15}));
}

static void sequences() {
    brook::Device device = brook::Device::open();
    brook::Kernel relax = brook::Program::file(device, "add.okl").kernel("relax");
    brook::Memory<float> a(device, std::vector<float>(8, 1.0f)), b(device, 8);

    brook::Sequence step([&] {
        relax(a, b);
        relax(b, a);
    });
    for (int i = 0; i < 1000; ++i) step.launch();

    // Halved 2000 times, which is less than the smallest float; what was recorded was not done besides.
    CHECK(a.to_vector() == std::vector<float>(8, 0.0f));
    a.write(std::vector<float>(8, 4.0f));
    step.launch();
    CHECK(a.to_vector() == std::vector<float>(8, 1.0f));
}

int main() {
    readme();
    first();
    templates();
    sequences();
    if (failures == 0) std::printf("all is as it should be\n");
    return failures == 0 ? 0 : 1;
}
