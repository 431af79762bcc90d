// Sizes, layouts and small geometry functions shared by the Helmholtz kernels.
#ifndef AXHELM_GEOMETRY_H
#define AXHELM_GEOMETRY_H

#ifndef dfloat
#define dfloat double
#endif
#ifndef dlong
#define dlong int
#endif
#ifndef p_Nq
#define p_Nq 4
#endif

#define p_Nq2 (p_Nq * p_Nq)
#define p_Np (p_Nq * p_Nq * p_Nq)

// `ggeo`: six numbers of the symmetric metric tensor (times weight and
// Jacobian), then the mass. Node is fastest, then the number, then the element.
#define p_Nggeo 7
enum {
  G00ID = 0,
  G01ID = 1,
  G02ID = 2,
  G11ID = 3,
  G12ID = 4,
  G22ID = 5,
  GWJID = 6
};

// `vgeo`: derivatives of reference by physical coordinates, and the Jacobian
// with and without the quadrature weight.
#define p_Nvgeo 11
#define RXID 0
#define RYID 1
#define RZID 2
#define SXID 3
#define SYID 4
#define SZID 5
#define TXID 6
#define TYID 7
#define TZID 8
#define JID 9
#define JWID 10

// The macros that solvers wrap around nodes. Arguments are evaluated once.
#define NODE(k, j, i) ((k) * p_Nq2 + (j) * p_Nq + (i))
#define GGEO(e, n, id) ggeo[(e) * p_Np * p_Nggeo + (id) * p_Np + (n)]
#define VGEO(e, n, id) vgeo[(e) * p_Np * p_Nvgeo + (id) * p_Np + (n)]

// Loops over the nodes of a layer, one iteration a node: an @inner pair.
#define FOR_LAYER                              \
  for (int j = 0; j < p_Nq; ++j; @inner(1))    \
    for (int i = 0; i < p_Nq; ++i; @inner(0))

#define UNROLL_NQ _Pragma("unroll")

// Determinant and inverse of the Jacobi matrix `A` = (xr xs xt, yr ys yt, ...).
inline dfloat invert3x3(const dfloat *A, dfloat *Ainv) {
  const dfloat c00 = A[4] * A[8] - A[5] * A[7];
  const dfloat c01 = A[5] * A[6] - A[3] * A[8];
  const dfloat c02 = A[3] * A[7] - A[4] * A[6];
  const dfloat det = A[0] * c00 + A[1] * c01 + A[2] * c02;
  const dfloat idet = 1 / det;
  Ainv[0] = idet * c00;
  Ainv[1] = idet * (A[2] * A[7] - A[1] * A[8]);
  Ainv[2] = idet * (A[1] * A[5] - A[2] * A[4]);
  Ainv[3] = idet * c01;
  Ainv[4] = idet * (A[0] * A[8] - A[2] * A[6]);
  Ainv[5] = idet * (A[2] * A[3] - A[0] * A[5]);
  Ainv[6] = idet * c02;
  Ainv[7] = idet * (A[1] * A[6] - A[0] * A[7]);
  Ainv[8] = idet * (A[0] * A[4] - A[1] * A[3]);
  return det;
}

// One row of the Jacobi matrix of a trilinear element: the derivatives of the
// coordinate whose eight corner values are `xv` (first index fastest).
inline void trilinearDerivatives(@restrict const dfloat *xv,
                                 const dfloat r, const dfloat s, const dfloat t,
                                 dfloat *xr, dfloat *xs, dfloat *xt) {
  const dfloat r0 = (1 - r) / 2, r1 = (1 + r) / 2;
  const dfloat s0 = (1 - s) / 2, s1 = (1 + s) / 2;
  const dfloat t0 = (1 - t) / 2, t1 = (1 + t) / 2;

  *xr = (t0 * (s0 * (xv[1] - xv[0]) + s1 * (xv[3] - xv[2]))
         + t1 * (s0 * (xv[5] - xv[4]) + s1 * (xv[7] - xv[6]))) / 2;
  *xs = (t0 * (r0 * (xv[2] - xv[0]) + r1 * (xv[3] - xv[1]))
         + t1 * (r0 * (xv[6] - xv[4]) + r1 * (xv[7] - xv[5]))) / 2;
  *xt = (s0 * (r0 * (xv[4] - xv[0]) + r1 * (xv[5] - xv[1]))
         + s1 * (r0 * (xv[6] - xv[2]) + r1 * (xv[7] - xv[3]))) / 2;
}

#endif
