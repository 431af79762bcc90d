// Lagrange bases on arbitrary nodes, by the barycentric formula.
#ifndef INTERPOLATION_BASIS_H
#define INTERPOLATION_BASIS_H

#ifndef p_tolerance
#define p_tolerance 1e-14
#endif

// Values of all basis functions at `r`. Nodes and weights, like the result,
// may lie in any kind of memory.
void lagrangeBasis(const int count, const dfloat *nodes, const dfloat *weights, const dfloat r,
                   dfloat *phi) {
  int hit = -1;
  dfloat total = 0;
  for (int n = 0; n < count; ++n) {
    const dfloat distance = r - nodes[n];
    if (fabs(distance) < p_tolerance) {
      hit = n;
      break;
    }
    phi[n] = weights[n] / distance;
    total += phi[n];
  }
  for (int n = 0; n < count; ++n) {
    if (hit >= 0)
      phi[n] = (n == hit) ? 1 : 0;
    else
      phi[n] /= total;
  }
}

// Legendre polynomials P_0(x) ... P_{count-1}(x), normalised on [-1, 1].
void legendreBasis(const int count, const dfloat x, dfloat *P) {
  dfloat before = 0, current = 1;
  for (int n = 0; n < count; ++n) {
    P[n] = current * sqrt(n + 0.5);
    const dfloat next = ((2 * n + 1) * x * current - n * before) / (n + 1);
    before = current;
    current = next;
  }
}

#endif
