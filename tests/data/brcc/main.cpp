// The host's other half: it knows the kernels by the header that brcc writes.
#include "sum.h"
#include <cstdio>

int main() {
    float values[4] = {1, 2, 3, 4};
    brook::Stream<float> a(brook::extents(4)), b(brook::extents(4));
    a.read(values);
    sum(a, a, b);
    b.write(values);
    float all = 0;
    total(b, all);
    inside(values);
    const Pair pair = {1, 2};
    std::printf("%g %g %g %d\n", all, half(all), values[3], pair.a + pair.b);
    return 0;
}
