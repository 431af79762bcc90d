// Indexing, loops and parameters shared by the kernels of the hydrodynamics code.
#ifndef MULTIMATERIAL_HYDRO_H
#define MULTIMATERIAL_HYDRO_H

#ifndef dfloat
#define dfloat double
#endif

// Materials in the problem.
#ifndef p_M
#define p_M 3
#endif

#ifndef p_TX
#define p_TX 16
#endif
#ifndef p_TY
#define p_TY 2
#endif

// Two rows of halo cells on every side. Nodes: one more than cells each way; node (i, j) is the
// lower left corner of cell (i, j).
#define HALO 2
#define CELL_ROW (nx + 2 * HALO)
#define NODE_ROW (nx + 2 * HALO + 1)
#define CELL_COUNT (CELL_ROW * (ny + 2 * HALO))
#define C(i, j) (((j) + HALO) * CELL_ROW + (i) + HALO)
#define N(i, j) (((j) + HALO) * NODE_ROW + (i) + HALO)
// Material m of a cell.
#define MC(m, i, j) ((m) * CELL_COUNT + C(i, j))

#define IN(name) @restrict const dfloat *name
#define INOUT(name) @restrict dfloat *name
#define GRID const int nx, const int ny

// Cells with g rows of halo, and nodes without any.
#define FOR_CELLS(i, j, g)                                                    \
  for (int j = -(g); j < ny + (g); ++j; @tile(p_TY, @outer(1), @inner(1)))    \
    for (int i = -(g); i < nx + (g); ++i; @tile(p_TX, @outer(0), @inner(0)))
#define FOR_NODES(i, j)                                              \
  for (int j = 0; j <= ny; ++j; @tile(p_TY, @outer(1), @inner(1)))   \
    for (int i = 0; i <= nx; ++i; @tile(p_TX, @outer(0), @inner(0)))

#define AVERAGE4(f, a, b, c, d) (0.25 * (f[a] + f[b] + f[c] + f[d]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SIGN(a) ((a) < 0 ? -1.0 : 1.0)
#define SQ(a) ((a) * (a))

// Less of a material than this in a cell counts as none.
#define p_trace 1e-8

#endif
