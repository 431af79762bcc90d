// Boundary conditions of the flow, as a user's case supplies them. Types: 1
// no-slip wall, 2 inflow, 3 outflow, 4 symmetry.
#ifndef FLOW_BOUNDARY_H
#define FLOW_BOUNDARY_H

#define bcNone 0
#define bcWall 1
#define bcInflow 2
#define bcOutflow 3
#define bcSymmetry 4

struct bcData {
  int idM;
  int id;
  dfloat time;
  dfloat x, y, z;
  dfloat nx, ny, nz;
  dfloat uM, vM, wM, pM;
  dfloat uP, vP, wP, pP;
  @globalPtr const dfloat *usrwrk;  // whatever the case needs, on the device
};

// The velocity at walls, inflow and symmetry planes.
void velocityDirichletConditions(bcData *bc) {
  if (bc->id == bcInflow) {
    const dfloat radius2 = bc->y * bc->y + bc->z * bc->z;
    bc->uP = (1 - radius2) * (1 + bc->usrwrk[bc->idM % 8]);
    bc->vP = 0;
    bc->wP = 0.1 * cos(bc->time) * bc->x;
  } else if (bc->id == bcSymmetry) {
    const dfloat un = bc->nx * bc->uM + bc->ny * bc->vM + bc->nz * bc->wM;
    bc->uP = bc->uM - un * bc->nx;
    bc->vP = bc->vM - un * bc->ny;
    bc->wP = bc->wM - un * bc->nz;
  } else {
    bc->uP = bc->vP = bc->wP = 0;
  }
}

// The pressure at outflow: backflow is damped.
void pressureDirichletConditions(bcData *bc) {
  const dfloat un = bc->nx * bc->uM + bc->ny * bc->vM + bc->nz * bc->wM;
  bc->pP = (un < 0) ? 0.5 * un * un : 0;
}

#endif
