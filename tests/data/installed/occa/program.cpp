#include <occa.hpp>

#include <iostream>

int main() {
    occa::device device({{"mode", "OpenMP"}});
    const float host[] = {1, 2, 3};
    occa::memory x = device.malloc<float>(3, host);
    occa::kernel scale = device.buildKernelFromString("@kernel void scale(const int n, float *x) {\n"
                                                      "  for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) x[i] *= FACTOR;\n"
                                                      "}\n",
                                                      "scale", {{"defines/FACTOR", 3}});
    scale(3, x);
    float result[3];
    x.copyTo(result);
    std::cout << result[0] << ' ' << result[1] << ' ' << result[2] << '\n';
}
