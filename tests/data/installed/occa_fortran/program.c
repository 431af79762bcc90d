#include <occa.h>

#include <stdio.h>

int main(void) {
    const float host[] = {1, 2, 3};
    float result[3];
    occaMemory x = occaTypedMalloc(3, occaDtypeFloat, host, occaDefault);
    occaKernel twice = occaBuildKernelFromString("@kernel void twice(const int n, float *x) {\n"
                                                 "  for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) x[i] *= 2;\n"
                                                 "}\n",
                                                 "twice", occaDefault);
    occaKernelRun(twice, occaInt(3), x);
    occaCopyMemToPtr(result, x, occaAllBytes, 0, occaDefault);
    printf("%g %g %g\n", result[0], result[1], result[2]);
    return 0;
}
