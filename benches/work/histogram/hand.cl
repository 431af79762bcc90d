__kernel void clear(__global int *bins) {
  bins[get_local_id(0)] = 0;
}

// Every group counts in local memory, then adds its counts to the result.
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void bins_shared(const int n, __global const unsigned int *restrict values,
                          __global int *restrict bins) {
  __local int s_bins[256];
  const int item = get_local_id(0);
  s_bins[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int share = (n / (int) get_num_groups(0) + 256) / 256 * 256;
  const int first = min((long) get_group_id(0) * share, (long) n), last = min(first + share, n);
#pragma unroll 4
  for (int i = first + item; i < last; i += 256) atomic_inc(&s_bins[values[i] % 256]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[item], s_bins[item]);
}
