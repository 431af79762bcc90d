// Sequential reference for geometry.okl.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace {

const int N = p_Nq;
const int Np = N * N * N;
const int Nfp = N * N;

using Vec = std::array<dfloat, 3>;

Vec operator-(Vec a, const Vec &b) {
  for (int d = 0; d < 3; ++d) a[d] -= b[d];
  return a;
}
Vec operator+(Vec a, const Vec &b) {
  for (int d = 0; d < 3; ++d) a[d] += b[d];
  return a;
}
Vec operator*(dfloat s, Vec a) {
  for (dfloat &v : a) v *= s;
  return a;
}
dfloat dot(const Vec &a, const Vec &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
dfloat length(const Vec &a) { return std::sqrt(dot(a, a)); }
Vec cross(const Vec &a, const Vec &b) {
  Vec c;
  for (int i = 0; i < 3; ++i) {
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  }
  return c;
}

// The derivative along direction d at node n of an N^k array.
dfloat slope(const dfloat *D, const dfloat *u, int d, int n) {
  const int stride = d == 0 ? 1 : d == 1 ? N : N * N;
  const int a = n / stride % N;
  dfloat sum = 0;
  for (int m = 0; m < N; ++m) sum += D[a * N + m] * u[n + (m - a) * stride];
  return sum;
}

}  // namespace

void geometricFactorsHex3D(const dlong Nelements, const dfloat *D, const dfloat *w,
                           const dfloat *x, const dfloat *y, const dfloat *z, dfloat *vgeo,
                           int *negative) {
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < Np; ++n) {
      Vec tangent[3];
      for (int d = 0; d < 3; ++d) {
        tangent[d] = {slope(D, x + e * Np, d, n), slope(D, y + e * Np, d, n),
                      slope(D, z + e * Np, d, n)};
      }
      const dfloat J = dot(tangent[0], cross(tangent[1], tangent[2]));
      dfloat *out = vgeo + e * 12 * Np + n;
      for (int d = 0; d < 3; ++d) {
        const Vec g = cross(tangent[(d + 1) % 3], tangent[(d + 2) % 3]);
        for (int c = 0; c < 3; ++c) out[(3 * d + c) * Np] = g[c] / J;
      }
      const dfloat weighted = J * w[n % N] * w[n / N % N] * w[n / N / N];
      out[9 * Np] = J;
      out[10 * Np] = weighted;
      out[11 * Np] = 1 / weighted;
      if (!(J > 0)) ++*negative;
    }
  }
}

void metricIdentitiesHex3D(const dlong Nelements, const dfloat *D, const dfloat *xyz,
                           dfloat *Jgrad) {
  for (int e = 0; e < Nelements; ++e) {
    for (int c = 0; c < 3; ++c) {
      const dfloat *a = xyz + (3 * e + (c + 1) % 3) * Np;
      const dfloat *b = xyz + (3 * e + (c + 2) % 3) * Np;
      std::vector<dfloat> product[3];
      for (int d = 0; d < 3; ++d) {
        for (int n = 0; n < Np; ++n) product[d].push_back(slope(D, a, d, n) * b[n]);
      }
      for (int d = 0; d < 3; ++d) {
        const int d1 = (d + 1) % 3, d2 = (d + 2) % 3;
        for (int n = 0; n < Np; ++n) {
          Jgrad[(9 * e + 3 * d + c) * Np + n] =
              slope(D, product[d1].data(), d2, n) - slope(D, product[d2].data(), d1, n);
        }
      }
    }
  }
}

void surfaceFactorsHex3D(const dlong Nelements, const int *faceNodes, const dfloat *w,
                         const dfloat *vgeo, dfloat *sgeo) {
  const int direction[6] = {2, 1, 0, 1, 0, 2};
  const int side[6] = {-1, -1, 1, 1, -1, 1};
  for (int e = 0; e < Nelements; ++e) {
    for (int id = 0; id < 6 * Nfp; ++id) {
      const int face = id / Nfp;
      const dfloat *v = vgeo + e * 12 * Np + faceNodes[id];
      Vec normal;
      for (int c = 0; c < 3; ++c) normal[c] = side[face] * v[(3 * direction[face] + c) * Np];
      const dfloat size = length(normal), J = v[9 * Np];
      dfloat *out = sgeo + 6 * (e * 6 * Nfp + id);
      for (int c = 0; c < 3; ++c) out[c] = normal[c] / size;
      out[3] = J * size;
      out[4] = J * size * w[id % N] * w[id / N % N];
      out[5] = 1 / J;
    }
  }
}

void penaltyLengths(const dlong Nelements, const dlong *mapP, const dfloat *sgeo, dfloat *hinv,
                    dfloat *hmin) {
  for (int id = 0; id < Nelements * 6 * Nfp; ++id) {
    const dfloat own = sgeo[6 * id + 3] * sgeo[6 * id + 5];
    const dfloat other = sgeo[6 * mapP[id] + 3] * sgeo[6 * mapP[id] + 5];
    hinv[id] = std::max(own, other);
    dfloat &h = hmin[id / (6 * Nfp)];
    h = id % (6 * Nfp) == 0 ? 1 / own : std::min(h, 1 / own);
  }
}

void geometricFactorsTet3D(const dlong Nelements, const dlong *EToV, const dfloat *VXYZ,
                           dfloat *vgeo, dfloat *sgeo) {
  for (int e = 0; e < Nelements; ++e) {
    Vec v[4];
    for (int i = 0; i < 4; ++i) std::copy_n(VXYZ + 3 * EToV[4 * e + i], 3, v[i].begin());
    const Vec r = 0.5 * (v[1] - v[0]), s = 0.5 * (v[2] - v[0]), t = 0.5 * (v[3] - v[0]);
    const dfloat J = dot(cross(r, s), t);
    const Vec gradients[3] = {(1 / J) * cross(s, t), (1 / J) * cross(t, r), (1 / J) * cross(r, s)};
    for (int d = 0; d < 9; ++d) vgeo[10 * e + d] = gradients[d / 3][d % 3];
    vgeo[10 * e + 9] = J;
    // Normals from the faces' own edges; the opposite vertex tells the side.
    const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {1, 2, 3, 0}, {0, 2, 3, 1}};
    for (int f = 0; f < 4; ++f) {
      Vec n = cross(v[face[f][1]] - v[face[f][0]], v[face[f][2]] - v[face[f][0]]);
      if ((dot(n, v[face[f][3]] - v[face[f][0]]) > 0) == (J > 0)) n = -1.0 * n;
      dfloat *out = sgeo + 5 * (4 * e + f);
      for (int d = 0; d < 3; ++d) out[d] = n[d] / length(n);
      out[3] = (J > 0 ? 1 : -1) * length(n) / 4;
      out[4] = 1 / J;
    }
  }
}

void physicalNodesTet3D(const dlong Nelements, const int Nnodes, const dlong *EToV,
                        const dfloat *VXYZ, const dfloat *rst, dfloat *xyz) {
  for (int e = 0; e < Nelements; ++e) {
    for (int n = 0; n < Nnodes; ++n) {
      const dfloat l[4] = {-(1 + rst[3 * n] + rst[3 * n + 1] + rst[3 * n + 2]) / 2,
                           (1 + rst[3 * n]) / 2, (1 + rst[3 * n + 1]) / 2,
                           (1 + rst[3 * n + 2]) / 2};
      for (int d = 0; d < 3; ++d) {
        dfloat sum = 0;
        for (int v = 0; v < 4; ++v) sum += l[v] * VXYZ[3 * EToV[4 * e + v] + d];
        xyz[(3 * e + d) * Nnodes + n] = sum;
      }
    }
  }
}

void geometricFactorsShell(const dlong Nelements, const dfloat *D, const dfloat *w,
                           const dfloat *xyz, dfloat *normals, dfloat *metric, dfloat *areas) {
  for (int e = 0; e < Nelements; ++e) {
    areas[e] = 0;
    for (int n = 0; n < Nfp; ++n) {
      Vec r, s;
      for (int d = 0; d < 3; ++d) {
        r[d] = slope(D, xyz + (3 * e + d) * Nfp, 0, n);
        s[d] = slope(D, xyz + (3 * e + d) * Nfp, 1, n);
      }
      const Vec up = cross(r, s);
      const dfloat area = length(up);
      for (int d = 0; d < 3; ++d) normals[(3 * e + d) * Nfp + n] = up[d] / area;
      metric[3 * e * Nfp + n] = dot(s, s) / area;
      metric[(3 * e + 1) * Nfp + n] = -dot(r, s) / area;
      metric[(3 * e + 2) * Nfp + n] = dot(r, r) / area;
      areas[e] += w[n % N] * w[n / N] * area;
    }
  }
}

void smoothNormals(const dlong Nlocal, const dlong Nglobal, const dlong *globalIds,
                   const dfloat *normals, const dfloat *areas, dfloat *smooth) {
  for (int n = 0; n < Nlocal; ++n) {
    for (int d = 0; d < 3; ++d) smooth[3 * globalIds[n] + d] += areas[n] * normals[3 * n + d];
  }
  for (int g = 0; g < Nglobal; ++g) {
    const dfloat size = std::hypot(smooth[3 * g], smooth[3 * g + 1], smooth[3 * g + 2]);
    for (int d = 0; d < 3 && size > 0; ++d) smooth[3 * g + d] /= size;
  }
}
