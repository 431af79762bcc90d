// Sequential reference for fourier.okl: sums as they are defined.

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

struct Complex {
  double re, im;
};
typedef std::complex<double> C;
static const double pi = std::acos(-1.0);

static std::vector<C> dft(const std::vector<C> &x, int direction) {
  const int n = (int)x.size();
  std::vector<C> y(n);
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      y[k] += x[j] * std::polar(1.0, direction * 2 * pi * ((long)j * k % n) / n);
  return y;
}

static void transform(const Complex *in, Complex *out, int n, int direction) {
  std::vector<C> x;
  for (int i = 0; i < n; ++i) x.emplace_back(in[i].re, in[i].im);
  x = dft(x, direction);
  for (int i = 0; i < n; ++i) out[i] = {x[i].real(), x[i].imag()};
}

void rowsRadix2(const int rows, const int stride, const int direction, Complex *data) {
  for (int r = 0; r < rows; ++r) transform(data + r * stride, data + r * stride, p_N, direction);
}
void rowsRadix4(const int rows, const int direction, const Complex *in, Complex *out) {
  for (int r = 0; r < rows; ++r) transform(in + r * p_N, out + r * p_N, p_N, direction);
}
void rowsRadix4Exclusive(const int rows, const int direction, const double *in, double *out) {
  rowsRadix4(rows, direction, (const Complex *)in, (Complex *)out);
}

void longTransform(const int logN, const int direction, Complex *data, Complex *work) {
  const int n = 1 << logN;
  std::vector<Complex> in(data, data + n);
  transform(in.data(), data, n, direction);
  if (logN == 0) return;
  // The work buffer holds the result, or the pass before it, whose last factor of two is undone.
  if (logN % 2 == 1) {
    for (int i = 0; i < n; ++i) work[i] = data[i];
  } else {
    for (int k = 0; k < n / 2; ++k) {
      const C a(data[k].re, data[k].im), b(data[k + n / 2].re, data[k + n / 2].im);
      const C even = 0.5 * (a + b), odd = 0.5 * (a - b) * std::polar(1.0, -direction * 2 * pi * k / n);
      work[k] = {even.real(), even.imag()};
      work[k + n / 2] = {odd.real(), odd.imag()};
    }
  }
}

void transpose(const int columns, const int rows, const double *in, double *out) {
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) out[x * rows + y] = in[y * columns + x];
}

void transposeSquare(const int n, Complex *m) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < y; ++x) std::swap(m[y * n + x], m[x * n + y]);
}

void filterLine(const int n, const double *taps, const double *in, double *out) {
  for (int i = 0; i < n; ++i) {
    out[i] = 0;
    for (int k = 0; k < p_taps; ++k) out[i] += taps[k] * in[std::clamp(i + k - p_taps / 2, 0, n - 1)];
  }
}

void filterSeparable(const int nx, const int ny, const int radius, const double sigma,
                     const double *in, double *between, double *out) {
  std::vector<double> w(2 * radius + 1);
  double total = 0;
  for (int k = -radius; k <= radius; ++k) total += w[k + radius] = std::exp(-0.5 * k * k / sigma / sigma);
  auto mirror = [](int i, int n) { return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i; };
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      double sum = 0;
      for (int k = -radius; k <= radius; ++k) sum += w[k + radius] * in[y * nx + mirror(x + k, nx)];
      between[y * nx + x] = sum / total;
    }
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      double sum = 0;
      for (int k = -radius; k <= radius; ++k) sum += w[k + radius] * between[mirror(y + k, ny) * nx + x];
      out[y * nx + x] = sum / total;
    }
}

void convolveRows(const int rows, const Complex *transfer, const double *in, double *out) {
  // The kernel in space, which may be complex; only the real part of the result is kept.
  std::vector<Complex> h(p_N);
  transform(transfer, h.data(), p_N, 1);
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < p_N; ++i) {
      double sum = 0;
      for (int j = 0; j < p_N; ++j) sum += in[r * p_N + j] * h[(i - j + p_N) % p_N].re / p_N;
      out[r * p_N + i] = sum;
    }
}

void welch(const int samples, const double *signal, double *power) {
  int segments = 0;
  for (int start = 0; start + p_N <= samples; start += p_N / 2) ++segments;
  for (int g = 0; g < segments; ++g) {
    std::vector<C> x(p_N);
    for (int t = 0; t < p_N; ++t)
      x[t] = std::pow(std::sin(pi * t / p_N), 2) * signal[g * p_N / 2 + t];
    x = dft(x, -1);
    for (int bin = 0; bin <= p_N / 2; ++bin) power[bin] += std::norm(x[bin]) / segments;
  }
}
