// Sequential reference for elliptic2d_ipdg.okl.

#include <vector>

namespace {

const int NpT = (p_N + 1) * (p_N + 2) / 2;
const int Nfp = p_N + 1;
const int Nface = 3 * Nfp;

using Vector = std::vector<dfloat>;

// y = M x for a matrix stored by columns.
Vector multiply(const dfloat *M, const Vector &x, int rows) {
  Vector y(rows, 0);
  for (int c = 0; c < (int)x.size(); ++c) {
    for (int r = 0; r < rows; ++r) y[r] += M[r + c * rows] * x[c];
  }
  return y;
}

struct Gradient {
  dfloat x, y, z, w;
};

}  // namespace

void ipdgGradientTri2D(const dlong Nelements, const dfloat *vgeo, const dfloat *D, const dfloat *q,
                       dfloat *gradq) {
  for (int e = 0; e < Nelements; ++e) {
    const Vector u(q + e * NpT, q + (e + 1) * NpT);
    const Vector ur = multiply(D, u, NpT), us = multiply(D + NpT * NpT, u, NpT);
    for (int n = 0; n < NpT; ++n) {
      dfloat *out = gradq + 4 * (e * NpT + n);
      out[0] = vgeo[5 * e + 0] * ur[n] + vgeo[5 * e + 2] * us[n];
      out[1] = vgeo[5 * e + 1] * ur[n] + vgeo[5 * e + 3] * us[n];
      out[2] = 0;
      out[3] = u[n];
    }
  }
}

void ipdgAxTri2D(const dlong Nelements, const dfloat lambda, const dfloat tau, const dlong *vmapM,
                 const dlong *vmapP, const int *EToB, const dfloat *vgeo, const dfloat *sgeo,
                 const dfloat *x, const dfloat *y, const dfloat *D, const dfloat *LIFT,
                 const dfloat *MM, const dfloat *gradq, dfloat *Aq) {
  const Gradient *grad = reinterpret_cast<const Gradient *>(gradq);
  for (int e = 0; e < Nelements; ++e) {
    const dfloat *g = vgeo + 5 * e;
    Vector fx(Nface), fy(Nface), fn(Nface);
    for (int n = 0; n < Nface; ++n) {
      const int f = n / Nfp;
      const dfloat *s = sgeo + 5 * (3 * e + f);
      const dfloat nx = s[0], ny = s[1];
      const int M = vmapM[e * Nface + n];
      const int P = vmapP[e * Nface + n] < 0 ? M : vmapP[e * Nface + n];
      const Gradient in = grad[M];
      Gradient out = grad[P];
      const int bc = EToB[3 * e + f];
      if (bc == 1) {
        out = in;
        out.w = -in.w;
      } else if (bc == 2) {
        const dfloat normal = nx * in.x + ny * in.y;
        out = {in.x - 2 * normal * nx, in.y - 2 * normal * ny, 0, in.w};
      } else if (bc == 3) {
        out = in;
        out.w = 0.75 * in.w + x[M] - y[M];
      }
      const dfloat scale = s[2] * s[3] / 2;
      fx[n] = scale * nx * (out.w - in.w);
      fy[n] = scale * ny * (out.w - in.w);
      fn[n] = scale * (nx * (out.x - in.x) + ny * (out.y - in.y) + tau * s[4] * (out.w - in.w));
    }
    Vector gx = multiply(LIFT, fx, NpT), gy = multiply(LIFT, fy, NpT);
    const Vector lift = multiply(LIFT, fn, NpT);
    for (int n = 0; n < NpT; ++n) {
      gx[n] += grad[e * NpT + n].x;
      gy[n] += grad[e * NpT + n].y;
    }
    const dfloat *Ds = D + NpT * NpT;
    const Vector xr = multiply(D, gx, NpT), xs = multiply(Ds, gx, NpT);
    const Vector yr = multiply(D, gy, NpT), ys = multiply(Ds, gy, NpT);
    Vector residual(NpT);
    for (int n = 0; n < NpT; ++n) {
      const dfloat div = g[0] * xr[n] + g[2] * xs[n] + g[1] * yr[n] + g[3] * ys[n] + lift[n];
      residual[n] = g[4] * (lambda * grad[e * NpT + n].w - div);
    }
    residual = multiply(MM, residual, NpT);
    for (int n = 0; n < NpT; ++n) Aq[e * NpT + n] = residual[n];
  }
}
