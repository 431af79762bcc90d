#include "scale.h"
#include <cstdio>
extern "C" int twice(int);
int main(int argc, char **argv) {
    brook::Stream<float> a(1, 4u), b(1, 4u);
    float v[4] = {1, 2, 3, 4};
    a.read(v);
    scale(a, 10.0f, b);
    b.write(v);
    std::printf("%g %g %g %g, %g, %d\n", v[0], v[1], v[2], v[3], scaled(2.0f), twice(21));
    return b.error();
}
