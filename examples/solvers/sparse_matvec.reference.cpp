// Sequential reference for sparse_matvec.okl. Matrices are made dense where that helps.

#include <cmath>
#include <vector>

typedef std::vector<double> Vector;

static void multiply(int rows, const int *start, const int *column, const double *value,
                     const double *x, double *y) {
  for (int r = 0; r < rows; ++r) {
    y[r] = 0;
    for (int e = start[r]; e < start[r + 1]; ++e) y[r] += value[e] * x[column[e]];
  }
}

void csrScalar(const int rows, const double alpha, const double beta, const int *start,
               const int *column, const double *value, const double *x, double *y) {
  Vector product(rows);
  multiply(rows, start, column, value, x, product.data());
  for (int r = 0; r < rows; ++r) y[r] = beta * y[r] + alpha * product[r];
}
void csrVector(const int rows, const int *start, const int *column, const double *value,
               const double *x, double *y) {
  multiply(rows, start, column, value, x, y);
}
void csrVectorPersistent(const int rows, const int, const int *start, const int *column,
                         const double *value, const double *x, double *y) {
  multiply(rows, start, column, value, x, y);
}
void csrWarp(const int rows, const int *start, const int *column, const double *value,
             const double *x, double *y) {
  multiply(rows, start, column, value, x, y);
}

void rowStatistics(const int rows, const int *start, int *longest, long *entries) {
  for (int r = 0; r < rows; ++r)
    if (start[r + 1] - start[r] > longest[0]) longest[0] = start[r + 1] - start[r];
  entries[0] += start[rows] - start[0];
}

void csrToEll(const int rows, const int width, const int *start, const int *column,
              const double *value, int *ellColumn, double *ellValue) {
  for (int i = 0; i < rows * width; ++i) ellColumn[i] = -1, ellValue[i] = 0;
  for (int r = 0; r < rows; ++r)
    for (int e = start[r], k = r; e < start[r + 1] && k < rows * width; ++e, k += rows)
      ellColumn[k] = column[e], ellValue[k] = value[e];
}

void ell(const int rows, const int width, const int *ellColumn, const double *ellValue,
         const double *x, double *y) {
  for (int r = 0; r < rows; ++r) y[r] = 0;
  for (int i = 0; i < rows * width; ++i)
    if (ellColumn[i] >= 0) y[i % rows] += ellValue[i] * x[ellColumn[i]];
}

void slicedEll(const int rows, const int slices, const int *sliceStart, const int *order,
               const int *column, const double *value, const double *x, double *y) {
  for (int r = 0; r < rows; ++r) y[r] = 0;
  for (int s = 0; s < slices; ++s)
    for (int e = sliceStart[s]; e < sliceStart[s + 1]; ++e) {
      const int sorted = s * 8 + (e - sliceStart[s]) % 8;
      if (sorted < rows && column[e] >= 0) y[order[sorted]] += value[e] * x[column[e]];
    }
}

void blockCsr(const int blockRows, const int *start, const int *blockColumn, const double *value,
              const double *x, double *y) {
  for (int i = 0; i < blockRows * p_bs; ++i) y[i] = 0;
  for (int r = 0; r < blockRows; ++r)
    for (int b = start[r]; b < start[r + 1]; ++b)
      for (int i = 0; i < p_bs * p_bs; ++i)
        y[r * p_bs + i / p_bs] += value[b * p_bs * p_bs + i] * x[blockColumn[b] * p_bs + i % p_bs];
}

void symmetric(const int rows, const int *start, const int *column, const double *value,
               const double *x, double *y) {
  Vector dense(rows * rows);
  for (int r = 0; r < rows; ++r)
    for (int e = start[r]; e < start[r + 1]; ++e)
      dense[r * rows + column[e]] = dense[column[e] * rows + r] = value[e];
  for (int r = 0; r < rows; ++r) {
    y[r] = 0;
    for (int c = 0; c < rows; ++c) y[r] += dense[r * rows + c] * x[c];
  }
}

void inverseDiagonal(const int rows, const int *start, const int *column, const double *value,
                     double *inverse) {
  for (int r = 0; r < rows; ++r) {
    inverse[r] = 1;
    for (int e = start[r]; e < start[r + 1]; ++e)
      if (column[e] == r && value[e] != 0) inverse[r] = 1 / value[e];
  }
}

void conjugateGradients(const int n, const int iterations, const int *start, const int *column,
                        const double *value, const double *inverse, const double *rhs, double *x,
                        double *r, double *p, double *q, double *rz, double *pq) {
  auto dot = [&](auto f, double *parts) {
    for (int b = 0; b < 3; ++b) parts[b] = 0;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      parts[i / 64 % 3] += f(i);
      sum += f(i);
    }
    return sum;
  };
  auto norm = [&](int i) { return r[i] * r[i] * inverse[i]; };
  Vector ax(n);
  multiply(n, start, column, value, x, ax.data());
  for (int i = 0; i < n; ++i) r[i] = rhs[i] - ax[i], p[i] = inverse[i] * r[i];
  double rho = dot(norm, rz);
  for (int it = 0; it < iterations; ++it) {
    multiply(n, start, column, value, p, q);
    const double step = rho / dot([&](int i) { return p[i] * q[i]; }, pq);
    for (int i = 0; i < n; ++i) x[i] += step * p[i], r[i] -= step * q[i];
    const double next = dot(norm, rz + (it % 2 ? 0 : 3));
    for (int i = 0; i < n; ++i) p[i] = r[i] * inverse[i] + next / rho * p[i];
    rho = next;
  }
}
