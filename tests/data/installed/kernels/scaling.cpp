#include "scaling.h"
#include "scale_sources.h"

std::vector<float> scaled(const brook::Device &device, const std::vector<float> &x)
{
    const brook::Program program = brook::Program::embedded(device, scale_sources, "scale.okl");
    const brook::Memory<float> memory(device, x);
    program.kernel("scale")(static_cast<int>(x.size()), memory);
    return memory.to_vector();
}
