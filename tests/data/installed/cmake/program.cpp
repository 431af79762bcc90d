#include "saxpy.h"

int main()
{
    brook::Stream<float> x(1, {3}), y(1, {3});
    float values[3] = {1.0f, 2.0f, 3.0f};
    x.read(values);
    saxpy(x, y);
    y.write(values);
    std::printf("%g %g %g\n", values[0], values[1], values[2]);
    return y.error();
}
