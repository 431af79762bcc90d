#include <brook/okl.hpp>

std::vector<float> scaled(const brook::Device &device, const std::vector<float> &x);
