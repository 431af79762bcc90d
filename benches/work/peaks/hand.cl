// As many multiply-adds as the device can do: eight independent chains of four numbers an item.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define CHAINS(NAME, T, T4)                                                           \
  __kernel void NAME(const int rounds, __global T *restrict result) {                 \
    T4 x[8];                                                                          \
    const T4 m = (T4)((T)0.999999), b = (T4)((T)1e-6);                                \
    for (int k = 0; k < 8; ++k) x[k] = (T4)((T)(get_local_id(0) + k));                \
    for (int round = 0; round < rounds; ++round)                                      \
      for (int repeat = 0; repeat < 2; ++repeat)                                      \
        for (int k = 0; k < 8; ++k) x[k] = fma(x[k], m, b);                           \
    T4 sum = 0;                                                                       \
    for (int k = 0; k < 8; ++k) sum += x[k];                                          \
    result[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;                         \
  }

CHAINS(fma_float, float, float4)
CHAINS(fma_double, double, double4)
