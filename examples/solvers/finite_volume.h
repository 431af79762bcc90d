// Limiters and Riemann solvers of the finite-volume kernels.
#pragma once

#ifndef dfloat
#define dfloat double
#endif

#define p_ghost 2

// Which limiter: 0 none (first order), 1 minmod, 2 van Leer, 3 monotonised central, 4 superbee.
#ifndef p_limiter
#define p_limiter 2
#endif

inline dfloat larger(const dfloat a, const dfloat b) { return a > b ? a : b; }
inline dfloat smaller(const dfloat a, const dfloat b) { return a < b ? a : b; }
inline dfloat magnitude(const dfloat a) { return a < 0 ? -a : a; }

// The slope of a cell from the differences to its neighbours.
inline dfloat limited(const dfloat a, const dfloat b) {
#if p_limiter == 0
  return 0;
#else
  if (a * b <= 0) return 0;
  const dfloat sign = a > 0 ? 1 : -1;
  const dfloat p = magnitude(a), q = magnitude(b);
#if p_limiter == 1
  return sign * smaller(p, q);
#elif p_limiter == 2
  return sign * 2 * p * q / (p + q);
#elif p_limiter == 3
  return sign * smaller(0.5 * (p + q), 2 * smaller(p, q));
#else
  return sign * larger(smaller(2 * p, q), smaller(p, 2 * q));
#endif
#endif
}

// ---- Shallow water ---------------------------------------------------------------------------

typedef struct {
  dfloat h;   // depth
  dfloat hu;  // momentum across the face
  dfloat hv;  // momentum along the face
} Water;

// Below this depth a cell is dry: its water does not move.
#define p_dry 1e-6

inline dfloat velocity(const Water w, const dfloat momentum) {
  return w.h > p_dry ? momentum / w.h : 0;
}

inline Water physicalFlux(const Water w, const dfloat g) {
  const dfloat u = velocity(w, w.hu);
  Water f;
  f.h = w.hu;
  f.hu = w.hu * u + 0.5 * g * w.h * w.h;
  f.hv = w.hv * u;
  return f;
}

// HLL with the wave speeds of Einfeldt, and those of a dam break beside a dry cell. The momentum
// along the face goes with the water.
inline Water riemannWater(const Water l, const Water r, const dfloat g) {
  Water f;
  if (l.h <= p_dry && r.h <= p_dry) {
    f.h = f.hu = f.hv = 0;
    return f;
  }
  const dfloat ul = velocity(l, l.hu), ur = velocity(r, r.hu);
  const dfloat cl = sqrt(g * l.h), cr = sqrt(g * r.h);
  dfloat sl, sr;
  if (l.h <= p_dry) {
    sl = ur - 2 * cr;
    sr = ur + cr;
  } else if (r.h <= p_dry) {
    sl = ul - cl;
    sr = ul + 2 * cl;
  } else {
    const dfloat wl = sqrt(l.h), wr = sqrt(r.h);
    const dfloat u = (wl * ul + wr * ur) / (wl + wr), c = sqrt(0.5 * g * (l.h + r.h));
    sl = smaller(ul - cl, u - c);
    sr = larger(ur + cr, u + c);
  }
  const Water fl = physicalFlux(l, g), fr = physicalFlux(r, g);
  if (sl >= 0) return fl;
  if (sr <= 0) return fr;
  f.h = (sr * fl.h - sl * fr.h + sl * sr * (r.h - l.h)) / (sr - sl);
  f.hu = (sr * fl.hu - sl * fr.hu + sl * sr * (r.hu - l.hu)) / (sr - sl);
  f.hv = f.h * (f.h > 0 ? velocity(l, l.hv) : velocity(r, r.hv));
  return f;
}

// ---- Euler -----------------------------------------------------------------------------------

// Properties of the gas, given by value to the kernels.
typedef struct {
  dfloat gamma;
  dfloat smallest;  // of density and pressure
} Gas;

// Density, momenta across and along the face, energy.
typedef struct {
  dfloat q[4];
} Conserved;

// Density, velocities across and along the face, pressure.
typedef struct {
  dfloat rho, u, v, p;
} Primitive;

inline Primitive toPrimitive(const Conserved c, const Gas gas) {
  Primitive w;
  w.rho = larger(c.q[0], gas.smallest);
  w.u = c.q[1] / w.rho;
  w.v = c.q[2] / w.rho;
  w.p = larger((gas.gamma - 1) * (c.q[3] - 0.5 * w.rho * (w.u * w.u + w.v * w.v)), gas.smallest);
  return w;
}

inline Conserved toConserved(const Primitive w, const Gas gas) {
  Conserved c;
  c.q[0] = w.rho;
  c.q[1] = w.rho * w.u;
  c.q[2] = w.rho * w.v;
  c.q[3] = w.p / (gas.gamma - 1) + 0.5 * w.rho * (w.u * w.u + w.v * w.v);
  return c;
}

inline dfloat soundSpeed(const Primitive w, const Gas gas) { return sqrt(gas.gamma * w.p / w.rho); }

inline Conserved eulerFlux(const Primitive w, const Gas gas) {
  const Conserved c = toConserved(w, gas);
  Conserved f;
  f.q[0] = c.q[1];
  f.q[1] = c.q[1] * w.u + w.p;
  f.q[2] = c.q[2] * w.u;
  f.q[3] = (c.q[3] + w.p) * w.u;
  return f;
}

// HLLC after Toro: two intermediate states beside the contact.
inline Conserved riemannHLLC(const Primitive l, const Primitive r, const Gas gas) {
  const dfloat cl = soundSpeed(l, gas), cr = soundSpeed(r, gas);
  const dfloat sl = smaller(l.u - cl, r.u - cr), sr = larger(l.u + cl, r.u + cr);
  if (sl >= 0) return eulerFlux(l, gas);
  if (sr <= 0) return eulerFlux(r, gas);
  const dfloat ml = l.rho * (sl - l.u), mr = r.rho * (sr - r.u);
  const dfloat middle = (r.p - l.p + ml * l.u - mr * r.u) / (ml - mr);
  const bool left = middle >= 0;
  const Primitive k = left ? l : r;
  const dfloat s = left ? sl : sr;
  const dfloat m = left ? ml : mr;

  const Conserved c = toConserved(k, gas);
  Conserved f = eulerFlux(k, gas);
  const dfloat rho = m / (s - middle);
  f.q[0] += s * (rho - c.q[0]);
  f.q[1] += s * (rho * middle - c.q[1]);
  f.q[2] += s * (rho * k.v - c.q[2]);
  f.q[3] += s * (rho * (c.q[3] / k.rho + (middle - k.u) * (middle + k.p / m)) - c.q[3]);
  return f;
}

// The local Lax-Friedrichs flux, for cells where HLLC is not robust enough.
inline Conserved riemannRusanov(const Primitive l, const Primitive r, const Gas gas) {
  const dfloat s = larger(magnitude(l.u) + soundSpeed(l, gas), magnitude(r.u) + soundSpeed(r, gas));
  const Conserved a = toConserved(l, gas), b = toConserved(r, gas);
  const Conserved fa = eulerFlux(l, gas), fb = eulerFlux(r, gas);
  Conserved f;
  for (int m = 0; m < 4; ++m) f.q[m] = 0.5 * (fa.q[m] + fb.q[m] - s * (b.q[m] - a.q[m]));
  return f;
}

// A value of a cell moved to its side: half a slope, and half a time step of the linearised
// equations in primitive form (Hancock's predictor).
inline Primitive predicted(const Primitive w, const Primitive slope, const dfloat side,
                           const dfloat ratio, const Gas gas) {
  const dfloat ahead = 0.5 * ratio;
  Primitive e;
  e.rho = w.rho + 0.5 * side * slope.rho - ahead * (w.u * slope.rho + w.rho * slope.u);
  e.u = w.u + 0.5 * side * slope.u - ahead * (w.u * slope.u + slope.p / w.rho);
  e.v = w.v + 0.5 * side * slope.v - ahead * w.u * slope.v;
  e.p = w.p + 0.5 * side * slope.p - ahead * (w.u * slope.p + gas.gamma * w.p * slope.u);
  e.rho = larger(e.rho, gas.smallest);
  e.p = larger(e.p, gas.smallest);
  return e;
}

inline Primitive slopes(const Primitive a, const Primitive b, const Primitive c) {
  Primitive s;
  s.rho = limited(b.rho - a.rho, c.rho - b.rho);
  s.u = limited(b.u - a.u, c.u - b.u);
  s.v = limited(b.v - a.v, c.v - b.v);
  s.p = limited(b.p - a.p, c.p - b.p);
  return s;
}
