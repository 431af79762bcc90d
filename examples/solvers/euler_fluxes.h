// Thermodynamics and numerical fluxes of the compressible Euler equations. All
// functions work on one state; states are arrays in whatever memory the caller
// has them: registers, shared or global.
//
// Conserved: rho, rho u, rho v, rho w, E. Primitive: rho, u, v, w, p.
#ifndef EULER_FLUXES_H
#define EULER_FLUXES_H

#define p_Nfields 5

enum { RHO = 0, VX = 1, VY = 2, VZ = 3, PRES = 4, ENER = 4 };

#define AVG(a, b) (((a) + (b)) / 2)

// The logarithmic mean (a - b) / (log a - log b), by a series where a and b are
// close.
inline dfloat logMean(const dfloat a, const dfloat b) {
  const dfloat zeta = a / b;
  const dfloat f = (zeta - 1) / (zeta + 1);
  const dfloat u = f * f;
  dfloat F;
  if (u < 1e-4) {
    F = 1 + u * (1.0 / 3 + u * (1.0 / 5 + u / 7));
  } else {
    F = log(zeta) / (2 * f);
  }
  return (a + b) / (2 * F);
}

inline void conservedToPrimitive(@restrict const dfloat *q, const dfloat gamma,
                                 @restrict dfloat *W) {
  const dfloat rho = q[0];
  W[RHO] = rho;
  dfloat momentum2 = 0;
  for (int d = 0; d < 3; ++d) {
    W[VX + d] = q[1 + d] / rho;
    momentum2 += q[1 + d] * q[1 + d];
  }
  W[PRES] = (gamma - 1) * (q[ENER] - momentum2 / (2 * rho));
}

inline void primitiveToConserved(@restrict const dfloat *W, const dfloat gamma,
                                 @restrict dfloat *q) {
  q[0] = W[RHO];
  for (int d = 0; d < 3; ++d) q[1 + d] = W[RHO] * W[VX + d];
  q[ENER] = W[PRES] / (gamma - 1)
          + W[RHO] * (W[VX] * W[VX] + W[VY] * W[VY] + W[VZ] * W[VZ]) / 2;
}

inline dfloat soundSpeed(@restrict const dfloat *W, const dfloat gamma) {
  return sqrt(gamma * W[PRES] / W[RHO]);
}

inline dfloat normalVelocity(@restrict const dfloat *W, @restrict const dfloat *n) {
  return W[VX] * n[0] + W[VY] * n[1] + W[VZ] * n[2];
}

// The flux through a plane with normal n (of any length).
inline void physicalFlux(@restrict const dfloat *W, @restrict const dfloat *n,
                         const dfloat gamma, @restrict dfloat *F) {
  dfloat q[p_Nfields];
  primitiveToConserved(W, gamma, q);
  const dfloat un = normalVelocity(W, n);
  F[0] = q[0] * un;
  for (int d = 0; d < 3; ++d) F[1 + d] = q[1 + d] * un + W[PRES] * n[d];
  F[ENER] = (q[ENER] + W[PRES]) * un;
}

// The entropy-conserving and kinetic-energy-preserving flux of two states.
inline void entropyConservingFlux(@restrict const dfloat *WL, @restrict const dfloat *WR,
                                  @restrict const dfloat *n, const dfloat gamma,
                                  @restrict dfloat *F) {
  const dfloat betaL = WL[RHO] / (2 * WL[PRES]);
  const dfloat betaR = WR[RHO] / (2 * WR[PRES]);
  const dfloat rhoLog = logMean(WL[RHO], WR[RHO]);
  const dfloat betaLog = logMean(betaL, betaR);
  const dfloat pHat = AVG(WL[RHO], WR[RHO]) / (2 * AVG(betaL, betaR));

  dfloat mean[3], squares = 0, un = 0;
  for (int d = 0; d < 3; ++d) {
    mean[d] = AVG(WL[VX + d], WR[VX + d]);
    squares += AVG(WL[VX + d] * WL[VX + d], WR[VX + d] * WR[VX + d]);
    un += mean[d] * n[d];
  }

  F[0] = rhoLog * un;
  F[ENER] = F[0] * (1 / (2 * (gamma - 1) * betaLog) - squares / 2);
  for (int d = 0; d < 3; ++d) {
    F[1 + d] = F[0] * mean[d] + pHat * n[d];
    F[ENER] += F[1 + d] * mean[d];
  }
}

// Dissipation by the largest wave speed, on top of the conserving flux.
inline void laxFriedrichsFlux(@restrict const dfloat *WL, @restrict const dfloat *WR,
                              @restrict const dfloat *n, const dfloat gamma,
                              @restrict dfloat *F) {
  dfloat qL[p_Nfields], qR[p_Nfields];
  primitiveToConserved(WL, gamma, qL);
  primitiveToConserved(WR, gamma, qR);
  entropyConservingFlux(WL, WR, n, gamma, F);
  const dfloat speed = fmax(fabs(normalVelocity(WL, n)) + soundSpeed(WL, gamma),
                            fabs(normalVelocity(WR, n)) + soundSpeed(WR, gamma));
  for (int f = 0; f < p_Nfields; ++f) F[f] -= speed / 2 * (qR[f] - qL[f]);
}

// Harten, Lax, van Leer with the contact restored; n has unit length.
inline void hllcFlux(@restrict const dfloat *WL, @restrict const dfloat *WR,
                     @restrict const dfloat *n, const dfloat gamma, @restrict dfloat *F) {
  const dfloat unL = normalVelocity(WL, n), unR = normalVelocity(WR, n);
  const dfloat cL = soundSpeed(WL, gamma), cR = soundSpeed(WR, gamma);
  const dfloat SL = fmin(unL - cL, unR - cR);
  const dfloat SR = fmax(unL + cL, unR + cR);

  if (SL >= 0) {
    physicalFlux(WL, n, gamma, F);
    return;
  }
  if (SR <= 0) {
    physicalFlux(WR, n, gamma, F);
    return;
  }

  const dfloat massL = WL[RHO] * (SL - unL), massR = WR[RHO] * (SR - unR);
  const dfloat SM = (WR[PRES] - WL[PRES] + massL * unL - massR * unR) / (massL - massR);

  // The side that the contact leaves behind.
  const bool left = SM >= 0;
  dfloat W[p_Nfields], q[p_Nfields];
  for (int f = 0; f < p_Nfields; ++f) W[f] = left ? WL[f] : WR[f];
  const dfloat S = left ? SL : SR, un = left ? unL : unR;
  primitiveToConserved(W, gamma, q);
  physicalFlux(W, n, gamma, F);

  const dfloat rhoStar = W[RHO] * (S - un) / (S - SM);
  dfloat star[p_Nfields];
  star[0] = rhoStar;
  for (int d = 0; d < 3; ++d) star[1 + d] = rhoStar * (W[VX + d] + (SM - un) * n[d]);
  star[ENER] = rhoStar * (q[ENER] / W[RHO] + (SM - un) * (SM + W[PRES] / (W[RHO] * (S - un))));
  for (int f = 0; f < p_Nfields; ++f) F[f] += S * (star[f] - q[f]);
}

// Entropy variables, and the mathematical entropy.
inline dfloat entropyVariables(@restrict const dfloat *W, const dfloat gamma,
                               @restrict dfloat *v) {
  const dfloat s = log(W[PRES]) - gamma * log(W[RHO]);
  const dfloat beta2 = W[RHO] / W[PRES];
  v[0] = (gamma - s) / (gamma - 1)
       - beta2 * (W[VX] * W[VX] + W[VY] * W[VY] + W[VZ] * W[VZ]) / 2;
  v[1] = beta2 * W[VX];
  v[2] = beta2 * W[VY];
  v[3] = beta2 * W[VZ];
  v[4] = -beta2;
  return -W[RHO] * s / (gamma - 1);
}

#endif
