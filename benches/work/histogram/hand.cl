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

// The same of bytes, 16 at once.
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void bytes_shared(const int count, __global const uchar *restrict text, __global int *restrict bins) {
  __local int s_bins[256];
  const int item = get_local_id(0);
  s_bins[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int wides = count / 16, share = (wides / (int) get_num_groups(0) + 256) / 256 * 256;
  const int first = min((long) get_group_id(0) * share, (long) wides), last = min(first + share, wides);
#pragma unroll 2
  for (int i = first + item; i < last; i += 256) {
    const uint4 v = ((__global const uint4 *) text)[i];
    const uint words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) atomic_inc(&s_bins[words[k / 4] >> k % 4 * 8 & 255]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[item], s_bins[item]);
  if (get_group_id(0) == 0 && item < count % 16) atomic_inc(&bins[text[wides * 16 + item]]);
}

// A column of bins for each of 32 items side by side, in a bank of its own.
__attribute__((reqd_work_group_size(256, 1, 1)))
__kernel void bytes_columns(const int count, __global const uchar *restrict text, __global int *restrict bins) {
  __local int s_bins[256 * 32];
  const int item = get_local_id(0);
  for (int k = item; k < 256 * 32; k += 256) s_bins[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int wides = count / 16, share = (wides / (int) get_num_groups(0) + 256) / 256 * 256;
  const int first = min((long) get_group_id(0) * share, (long) wides), last = min(first + share, wides);
#pragma unroll 2
  for (int i = first + item; i < last; i += 256) {
    const uint4 v = ((__global const uint4 *) text)[i];
    const uint words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) atomic_inc(&s_bins[(words[k / 4] >> k % 4 * 8 & 255) * 32 + item % 32]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = 0; k < 32; ++k) sum += s_bins[item * 32 + (item + k) % 32];
  atomic_add(&bins[item], sum);
  if (get_group_id(0) == 0 && item < count % 16) atomic_inc(&bins[text[wides * 16 + item]]);
}
