#define MAP(NAME, RESULT)                                                              \
  __kernel void NAME(__global const float4 *xs, __global float4 *ys, uint n) {         \
    const uint i = get_global_id(0);                                                   \
    if (i < n / 4) {                                                                   \
      const float4 x = xs[i];                                                          \
      ys[i] = RESULT;                                                                  \
    }                                                                                  \
  }

__kernel void total(__global const float *xs, __global float *ys, uint n) {
  __local float all[256];
  const uint t = get_local_id(0);
  float sum = 0.0f;
  for (uint i = get_global_id(0); i < n / 4; i += get_num_groups(0) * 256) {
    const float4 x = ((__global const float4 *)xs)[i];
    sum += (x.x + x.y) + (x.z + x.w);
  }
  all[t] = sum;
  for (uint step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < step) all[t] += all[t + step];
  }
  if (t == 0) ys[get_group_id(0)] = all[0];
}
