// Boundary conditions of the two-dimensional problem, as users of the solver
// supply them: one macro an equation. Types: 1 Dirichlet, 2 Neumann, 3 Robin.
#pragma once

#define p_robin 0.25

#define ellipticDirichlet2D(x, y, uM, uxM, uyM, uB, uxB, uyB) \
  {                                                           \
    *(uB) = -(uM);                                            \
    *(uxB) = uxM;                                             \
    *(uyB) = uyM;                                             \
  }

#define ellipticNeumann2D(x, y, nx, ny, uM, uxM, uyM, uB, uxB, uyB)     \
  {                                                                     \
    const dfloat normalM = (nx) * (uxM) + (ny) * (uyM);                 \
    *(uB) = uM;                                                         \
    *(uxB) = (uxM) - 2 * normalM * (nx);                                \
    *(uyB) = (uyM) - 2 * normalM * (ny);                                \
  }

#define ellipticBoundary2D(bc, x, y, nx, ny, uM, uxM, uyM, uB, uxB, uyB)   \
  {                                                                        \
    if ((bc) == 1) {                                                       \
      ellipticDirichlet2D(x, y, uM, uxM, uyM, uB, uxB, uyB)                \
    } else if ((bc) == 2) {                                                \
      ellipticNeumann2D(x, y, nx, ny, uM, uxM, uyM, uB, uxB, uyB)          \
    } else if ((bc) == 3) {                                                \
      *(uB) = (1 - p_robin) * (uM) + (x) - (y);                            \
      *(uxB) = (uxM);                                                      \
      *(uyB) = (uyM);                                                      \
    }                                                                      \
  }
