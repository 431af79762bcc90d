// See kernel.okl; the same algorithm as an OpenCL programmer writes it.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define NQ 8
#define NP (NQ * NQ * NQ)

__attribute__((reqd_work_group_size(8, 8, 1)))
__kernel void stiffness_layers(const int elements, const REAL lambda, __global const REAL *restrict geometry,
                               __global const REAL *restrict d, __global const REAL *restrict q,
                               __global REAL *restrict aq) {
  __local REAL s_d[NQ][NQ + 1], s_q[NQ][NQ + 1], s_r[NQ][NQ + 1], s_s[NQ][NQ + 1];
  const int e = get_group_id(0), i = get_local_id(0), j = get_local_id(1);
  REAL r_q[NQ], r_aq[NQ];
  s_d[j][i] = d[j * NQ + i];
  const int base = e * NP + j * NQ + i;
#pragma unroll
  for (int k = 0; k < NQ; ++k) {
    r_q[k] = q[base + k * NQ * NQ];
    r_aq[k] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < NQ; ++k) {
    s_q[j][i] = r_q[k];
    REAL t = 0;
#pragma unroll
    for (int m = 0; m < NQ; ++m) t += s_d[k][m] * r_q[m];
    barrier(CLK_LOCAL_MEM_FENCE);

    __global const REAL *g = geometry + e * 7 * NP + (k * NQ + j) * NQ + i;
    const REAL g00 = g[0], g01 = g[NP], g02 = g[2 * NP], g11 = g[3 * NP], g12 = g[4 * NP];
    const REAL g22 = g[5 * NP];
    REAL layer = g[6 * NP] * lambda * r_q[k];
    REAL r = 0, s = 0;
#pragma unroll
    for (int m = 0; m < NQ; ++m) {
      r += s_d[i][m] * s_q[j][m];
      s += s_d[j][m] * s_q[m][i];
    }
    s_r[j][i] = g00 * r + g01 * s + g02 * t;
    s_s[j][i] = g01 * r + g11 * s + g12 * t;
    const REAL gt = g02 * r + g12 * s + g22 * t;
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
    for (int m = 0; m < NQ; ++m) {
      layer += s_d[m][i] * s_r[j][m];
      layer += s_d[m][j] * s_s[m][i];
      r_aq[m] += s_d[k][m] * gt;
    }
    r_aq[k] += layer;
    // The next layer overwrites s_q and t; s_r and s_s only behind its first barrier.
  }
#pragma unroll
  for (int k = 0; k < NQ; ++k) aq[base + k * NQ * NQ] = r_aq[k];
}
