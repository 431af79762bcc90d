// What the kernels share: a square of n x n points, row by row, that is 0 around.

// The value at a point, or that of the edge.
float at(const float *u, const int n, const int x, const int y) {
  return (x < 0 || y < 0 || x >= n || y >= n) ? 0.0f : u[y * n + x];
}

// Five points' share of the second derivatives.
float laplacian(const float *u, const int n, const int x, const int y) {
  return at(u, n, x - 1, y) + at(u, n, x + 1, y) + at(u, n, x, y - 1) + at(u, n, x, y + 1) -
         4.0f * at(u, n, x, y);
}
