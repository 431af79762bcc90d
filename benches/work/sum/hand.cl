#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Partial sums of groups that walk over the array 16 bytes an item, four accesses in flight; then one group
// adds up the groups' sums.

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define WIDTH_float 4
#define WIDTH_double 2
#define WIDTH JOIN(WIDTH_, REAL)
#define WIDE JOIN(REAL, WIDTH)

static float of_float4(const float4 v) {
  return (v.x + v.y) + (v.z + v.w);
}

static double of_double2(const double2 v) {
  return v.x + v.y;
}

static REAL of_group(__local REAL *sums, const REAL sum) {
  const int item = get_local_id(0);
  sums[item] = sum;
  for (int other = 128; other > 0; other /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < other) sums[item] += sums[item + other];
  }
  return sums[0];
}

#define PARTIAL(NAME, PARAMETERS, TERM)                                                    \
  __attribute__((reqd_work_group_size(256, 1, 1)))                                         \
  __kernel void NAME(const int n, PARAMETERS, __global REAL *restrict partial) {           \
    __local REAL sums[256];                                                                \
    const int item = get_global_id(0), items = get_global_size(0), count = n / WIDTH;      \
    WIDE wide[4] = {(WIDE) 0, (WIDE) 0, (WIDE) 0, (WIDE) 0};                               \
    long i = item;                                                                         \
    for (; i + 3l * items < count; i += 4l * items) {                                      \
      wide[0] += TERM(WIDE, i);                                                            \
      wide[1] += TERM(WIDE, i + items);                                                    \
      wide[2] += TERM(WIDE, i + 2l * items);                                               \
      wide[3] += TERM(WIDE, i + 3l * items);                                               \
    }                                                                                      \
    for (; i < count; i += items) wide[0] += TERM(WIDE, i);                                \
    REAL sum = JOIN(of_, WIDE)((wide[0] + wide[1]) + (wide[2] + wide[3]));                 \
    const int rest = count * WIDTH + item;                                                 \
    if (rest < n) sum += TERM(REAL, rest);                                                 \
    sum = of_group(sums, sum);                                                             \
    if (get_local_id(0) == 0) partial[get_group_id(0)] = sum;                              \
  }

#define ONE __global const REAL *restrict x
#define COMMA ,
#define BOTH ONE COMMA __global const REAL *restrict y
#define SUM(T, i) (((__global const T *) x)[i])
#define DOT(T, i) (((__global const T *) x)[i] * ((__global const T *) y)[i])

PARTIAL(sum_partial, ONE, SUM)
PARTIAL(dot_partial, BOTH, DOT)

__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void final(const int groups, __global const REAL *restrict partial, __global REAL *restrict result) {
  __local REAL sums[256];
  REAL sum = 0;
  for (int i = get_local_id(0); i < groups; i += 256) sum += partial[i];
  sum = of_group(sums, sum);
  if (get_local_id(0) == 0) *result = sum;
}
