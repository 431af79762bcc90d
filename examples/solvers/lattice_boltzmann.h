// Velocity sets and collision models of the lattice-Boltzmann kernels.
#ifndef LATTICE_BOLTZMANN_H
#define LATTICE_BOLTZMANN_H

#ifndef dfloat
#define dfloat double
#endif

// ---- D2Q9 ------------------------------------------------------------------------------------
// 0 rests; 1-4 go along the axes, 5-8 along the diagonals, counter-clockwise from +x.
#define p_Q2 9

const int c2x[p_Q2] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
const int c2y[p_Q2] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
const int back2[p_Q2] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
const dfloat w2[p_Q2] = {4.0 / 9.0,  1.0 / 9.0,  1.0 / 9.0,  1.0 / 9.0, 1.0 / 9.0,
                         1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0};

// Density and momentum of one cell.
typedef struct {
  dfloat rho;
  dfloat jx, jy, jz;
} Moments;

inline Moments moments2(const dfloat *f) {
  Moments m;
  m.rho = 0;
  m.jx = m.jy = m.jz = 0;
  for (int q = 0; q < p_Q2; ++q) {
    m.rho += f[q];
    m.jx += f[q] * c2x[q];
    m.jy += f[q] * c2y[q];
  }
  return m;
}

inline dfloat equilibrium2(const int q, const Moments m) {
  const dfloat ux = m.jx / m.rho, uy = m.jy / m.rho;
  const dfloat cu = c2x[q] * ux + c2y[q] * uy;
  return w2[q] * m.rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
}

// One relaxation time for everything. Changes the nine populations in place.
inline void collideBGK2(dfloat *f, const dfloat omega) {
  const Moments m = moments2(f);
  for (int q = 0; q < p_Q2; ++q) f[q] -= omega * (f[q] - equilibrium2(q, m));
}

// Multiple relaxation times after Lallemand and Luo: energy, its square, heat flux and stress each
// relax with a rate of their own. Density and momentum are conserved.
typedef struct {
  dfloat energy, energySquared, heat, stress;
} Rates2;

inline void collideMRT2(dfloat *f, const Rates2 s) {
  const Moments m = moments2(f);
  const dfloat axes = f[1] + f[2] + f[3] + f[4];
  const dfloat diagonals = f[5] + f[6] + f[7] + f[8];
  const dfloat jj = (m.jx * m.jx + m.jy * m.jy) / m.rho;

  const dfloat e = -4 * f[0] - axes + 2 * diagonals;
  const dfloat eps = 4 * f[0] - 2 * axes + diagonals;
  const dfloat qx = -2 * (f[1] - f[3]) + (f[5] - f[6] - f[7] + f[8]);
  const dfloat qy = -2 * (f[2] - f[4]) + (f[5] + f[6] - f[7] - f[8]);
  const dfloat pxx = f[1] - f[2] + f[3] - f[4];
  const dfloat pxy = f[5] - f[6] + f[7] - f[8];

  // What each moment loses, already divided by the norm of its row.
  const dfloat de = s.energy * (e - (-2 * m.rho + 3 * jj)) / 36;
  const dfloat deps = s.energySquared * (eps - (m.rho - 3 * jj)) / 36;
  const dfloat dqx = s.heat * (qx + m.jx) / 12;
  const dfloat dqy = s.heat * (qy + m.jy) / 12;
  const dfloat dpxx = s.stress * (pxx - (m.jx * m.jx - m.jy * m.jy) / m.rho) / 4;
  const dfloat dpxy = s.stress * (pxy - m.jx * m.jy / m.rho) / 4;

  f[0] -= -4 * de + 4 * deps;
  f[1] -= -de - 2 * deps - 2 * dqx + dpxx;
  f[2] -= -de - 2 * deps - 2 * dqy - dpxx;
  f[3] -= -de - 2 * deps + 2 * dqx + dpxx;
  f[4] -= -de - 2 * deps + 2 * dqy - dpxx;
  f[5] -= 2 * de + deps + dqx + dqy + dpxy;
  f[6] -= 2 * de + deps - dqx + dqy - dpxy;
  f[7] -= 2 * de + deps - dqx - dqy + dpxy;
  f[8] -= 2 * de + deps + dqx - dqy - dpxy;
}

// ---- D3Q19 -----------------------------------------------------------------------------------
// Opposite directions are neighbours in the list: 1 and 2, 3 and 4, and so on.
#define p_Q3 19
#define BACK3(q) ((q) == 0 ? 0 : (((q) - 1) ^ 1) + 1)

const int c3x[p_Q3] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
const int c3y[p_Q3] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
const int c3z[p_Q3] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};

inline dfloat weight3(const int q) {
  return q == 0 ? 1.0 / 3.0 : (q <= 6 ? 1.0 / 18.0 : 1.0 / 36.0);
}

inline Moments moments3(const dfloat *f) {
  Moments m = {0, 0, 0, 0};
  for (int q = 0; q < p_Q3; ++q) {
    m.rho += f[q];
    m.jx += f[q] * c3x[q];
    m.jy += f[q] * c3y[q];
    m.jz += f[q] * c3z[q];
  }
  return m;
}

inline dfloat equilibrium3(const int q, const Moments m) {
  const dfloat inv = 1 / m.rho;
  const dfloat cu = (c3x[q] * m.jx + c3y[q] * m.jy + c3z[q] * m.jz) * inv;
  const dfloat uu = (m.jx * m.jx + m.jy * m.jy + m.jz * m.jz) * inv * inv;
  return weight3(q) * m.rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * uu);
}

// Row k, column q of the matrix of d'Humieres et al.: the orthogonal polynomials of the velocities.
// All entries are whole numbers.
inline int basis3(const int k, const int q) {
  const int x = c3x[q], y = c3y[q], z = c3z[q];
  const int cc = x * x + y * y + z * z;
  switch (k) {
    case 0: return 1;
    case 1: return 19 * cc - 30;
    case 2: return (21 * cc * cc - 53 * cc + 24) / 2;
    case 3: return x;
    case 4: return (5 * cc - 9) * x;
    case 5: return y;
    case 6: return (5 * cc - 9) * y;
    case 7: return z;
    case 8: return (5 * cc - 9) * z;
    case 9: return 3 * x * x - cc;
    case 10: return (3 * cc - 5) * (3 * x * x - cc);
    case 11: return y * y - z * z;
    case 12: return (3 * cc - 5) * (y * y - z * z);
    case 13: return x * y;
    case 14: return y * z;
    case 15: return x * z;
    case 16: return (y * y - z * z) * x;
    case 17: return (z * z - x * x) * y;
    default: return (x * x - y * y) * z;
  }
}

// The equilibrium of moment k.
inline dfloat equilibriumMoment3(const int k, const Moments m) {
  const dfloat inv = 1 / m.rho;
  const dfloat jj = (m.jx * m.jx + m.jy * m.jy + m.jz * m.jz) * inv;
  const dfloat pxx = (3 * m.jx * m.jx) * inv - jj;
  const dfloat pww = (m.jy * m.jy - m.jz * m.jz) * inv;
  switch (k) {
    case 0: return m.rho;
    case 1: return -11 * m.rho + 19 * jj;
    case 2: return 3 * m.rho - 5.5 * jj;
    case 3: return m.jx;
    case 4: return -2.0 / 3.0 * m.jx;
    case 5: return m.jy;
    case 6: return -2.0 / 3.0 * m.jy;
    case 7: return m.jz;
    case 8: return -2.0 / 3.0 * m.jz;
    case 9: return pxx;
    case 10: return -0.5 * pxx;
    case 11: return pww;
    case 12: return -0.5 * pww;
    case 13: return m.jx * m.jy * inv;
    case 14: return m.jy * m.jz * inv;
    case 15: return m.jx * m.jz * inv;
    default: return 0;
  }
}

#endif
