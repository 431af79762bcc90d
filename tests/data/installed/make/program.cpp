#include "sum.h"

int main()
{
    brook::Stream<float> a(1, {2}), b(1, {2});
    float values[2] = {1.0f, 2.0f};
    a.read(values);
    sum(a, a, b);
    b.write(values);
    std::printf("%g %g\n", values[0], values[1]);
    return b.error();
}
