// Sequential reference for dense_linear_algebra.okl.

#include <cmath>
#include <utility>
#include <vector>

void multiply(const int m, const int n, const int k, const double alpha, const double beta,
              const double *A, const double *B, double *C) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l) sum += A[i * k + l] * B[l * n + j];
      C[i * n + j] = beta * C[i * n + j] + alpha * sum;
    }
}

void multiplyVector(const int m, const int n, const int transposed, const double *A,
                    const double *x, double *y) {
  for (int i = 0; i < (transposed ? n : m); ++i) y[i] = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) y[transposed ? j : i] += A[i * n + j] * x[transposed ? i : j];
}

void rankUpdate(const int m, const int n, const double alpha, const double *x, const double *y,
                double *A) {
  for (int e = 0; e < m * n; ++e) A[e] += alpha * x[e / n] * y[e % n];
}

void rowNorms(const int m, const int n, const double *A, double *norm, int *where) {
  for (int i = 0; i < m; ++i) {
    norm[i] = where[i] = -1;
    for (int j = 0; j < n; ++j)
      if (std::fabs(A[i * n + j]) >= norm[i]) norm[i] = std::fabs(A[i * n + j]), where[i] = j;
  }
}

void equilibrate(const int batch, double *matrices, double *scales) {
  const int n = p_n;
  for (int b = 0; b < batch; ++b) {
    double *a = matrices + b * n * n;
    // First the rows, then the columns.
    for (int pass = 0; pass < 2; ++pass)
      for (int i = 0; i < n; ++i) {
        double most = 0;
        for (int k = 0; k < n; ++k) most = std::fmax(most, std::fabs(pass ? a[k * n + i] : a[i * n + k]));
        const double s = most > 0 ? 1 / most : 1;
        for (int k = 0; k < n; ++k) (pass ? a[k * n + i] : a[i * n + k]) *= s;
        scales[(b * 2 + pass) * n + i] = s;
      }
  }
}

void batchedLU(const int batch, double *matrices, int *pivot, int *singular) {
  const int n = p_n;
  for (int b = 0; b < batch; ++b) {
    double *a = matrices + b * n * n;
    singular[b] = 0;
    // Column by column (Crout), instead of eliminating step by step.
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        double sum = a[i * n + j];
        for (int k = 0; k < (i < j ? i : j); ++k) sum -= a[i * n + k] * a[k * n + j];
        a[i * n + j] = sum;
      }
      int best = j;
      for (int i = j; i < n; ++i)
        if (std::fabs(a[i * n + j]) > std::fabs(a[best * n + j])) best = i;
      pivot[b * n + j] = best;
      for (int c = 0; c < n; ++c) {
        if (best != j) std::swap(a[best * n + c], a[j * n + c]);
      }
      if (a[j * n + j] == 0) {
        if (!singular[b]) singular[b] = j + 1;
        continue;
      }
      for (int i = j + 1; i < n; ++i) a[i * n + j] /= a[j * n + j];
    }
  }
}

void batchedSolveLU(const int batch, const int columns, const double *matrices, const int *pivot,
                    double *rhs) {
  const int n = p_n;
  for (int b = 0; b < batch; ++b)
    for (int c = 0; c < columns; ++c) {
      const double *a = matrices + b * n * n;
      auto x = [&](int i) -> double & { return rhs[(b * n + i) * columns + c]; };
      for (int k = 0; k < n; ++k) std::swap(x(k), x(pivot[b * n + k]));
      for (int j = 0; j < n; ++j)
        for (int i = j + 1; i < n; ++i) x(i) -= a[i * n + j] * x(j);
      for (int j = n - 1; j >= 0; --j) {
        x(j) /= a[j * n + j];
        for (int i = 0; i < j; ++i) x(i) -= a[i * n + j] * x(j);
      }
    }
}

static void cholesky(int n, std::vector<double> &l) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = l[i * n + j];
      for (int k = 0; k < j; ++k) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = i == j ? std::sqrt(sum) : sum / l[j * n + j];
    }
}

void interleavedCholesky(const int batch, double *matrices) {
  const int n = p_n;
  for (int b = 0; b < batch; ++b) {
    std::vector<double> l(n * n);
    for (int e = 0; e < n * n; ++e) l[e] = matrices[e * batch + b];
    cholesky(n, l);
    for (int e = 0; e < n * n; ++e) matrices[e * batch + b] = e % n <= e / n ? l[e] : 0;
  }
}

void blockedCholesky(const int n, double *A) {
  std::vector<double> l(A, A + n * n);
  cholesky(n, l);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) A[i * n + j] = l[i * n + j];
}

void triangularSolve(const int n, const int transposed, const double *L, double *x) {
  for (int s = 0; s < n; ++s) {
    const int i = transposed ? n - 1 - s : s;
    for (int j = transposed ? i + 1 : 0; j < (transposed ? n : i); ++j)
      x[i] -= (transposed ? L[j * n + i] : L[i * n + j]) * x[j];
    x[i] /= L[i * n + i];
  }
}

// Householder reflections instead of rotations.
void leastSquares(const int batch, const double *systems, double *solution, double *residual) {
  const int m = p_rows, n = p_n, w = n + 1;
  for (int b = 0; b < batch; ++b) {
    std::vector<double> a(systems + b * m * w, systems + (b + 1) * m * w);
    for (int k = 0; k < n; ++k) {
      double norm = 0;
      for (int i = k; i < m; ++i) norm += a[i * w + k] * a[i * w + k];
      norm = std::sqrt(norm);
      std::vector<double> v(m);
      for (int i = k; i < m; ++i) v[i] = a[i * w + k];
      v[k] += v[k] > 0 ? norm : -norm;
      double vv = 0;
      for (double e : v) vv += e * e;
      for (int j = k; j < w && vv > 0; ++j) {
        double dot = 0;
        for (int i = k; i < m; ++i) dot += v[i] * a[i * w + j];
        for (int i = k; i < m; ++i) a[i * w + j] -= 2 * dot / vv * v[i];
      }
    }
    for (int i = n - 1; i >= 0; --i) {
      double sum = a[i * w + n];
      for (int j = i + 1; j < n; ++j) sum -= a[i * w + j] * solution[b * n + j];
      solution[b * n + i] = sum / a[i * w + i];
    }
    double sum = 0;
    for (int i = n; i < m; ++i) sum += a[i * w + n] * a[i * w + n];
    residual[b] = std::sqrt(sum);
  }
}
