// What a user of the advection solver supplies: the velocity, the boundary
// values, and the initial state.
#pragma once

// A rotation about an axis through (0.2, -0.1), with a drift that decays.
inline void advectionVelocity(const dfloat x, const dfloat y, const dfloat z, const dfloat t,
                              dfloat *ax, dfloat *ay, dfloat *az) {
  *ax = -(y + (dfloat) 0.1);
  *ay = x - (dfloat) 0.2;
  *az = (dfloat) 0.5 / (1 + t) + (dfloat) 0.1 * z;
}

#define advectionInflow 1
#define advectionOutflow 2
#define advectionWall 3

// The outer state at a boundary node.
inline dfloat advectionBoundary(const int bc, const dfloat qM, const dfloat x, const dfloat t) {
  dfloat qB = qM;
  switch (bc) {
    case advectionInflow: qB = x - (dfloat) 0.3 * t; break;
    case advectionOutflow: break;
    case advectionWall: qB = -qM; break;
  }
  return qB;
}
