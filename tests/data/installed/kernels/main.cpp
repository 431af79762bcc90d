#include "plain_kernels.h"
#include "saxpy.h"
#include "scaling.h"

int main()
{
    const brook::Device device = brook::Device::open("openmp");
    const std::vector<float> y = scaled(device, {1, 2});
    std::printf("%g %g\n", y[0], y[1]);

    brook::Stream<float> a(1, {1}), b(1, {1});
    float value = 1;
    a.read(&value);
    saxpy(a, b);
    b.write(&value);
    std::printf("%g\n", value);

#ifdef WORDS
    const char *name = "sub/shift.okl";
#else
    const char *name = "shift.okl";
#endif
    const brook::Program program = brook::Program::embedded(device, plain_kernels, name);
    const brook::Memory<float> memory(device, y);
    program.kernel("shift")(2, memory);
    std::printf("%g\n", memory.to_vector()[1]);
    return b.error();
}
