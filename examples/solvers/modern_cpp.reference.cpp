// Sequential reference for modern_cpp.okl, in plain C++.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

template <std::size_t N> using State = std::array<double, N>;

template <std::size_t N, class F>
static void rungeKutta(State<N> &y, double t, double dt, F f) {
  State<N> k[4], stage = y;
  static const double c[4] = {0, 0.5, 0.5, 1}, w[4] = {1, 2, 2, 1};
  for (int s = 0; s < 4; ++s) {
    for (std::size_t i = 0; i < N; ++i) stage[i] = y[i] + (s ? c[s] * dt * k[s - 1][i] : 0);
    k[s] = f(t + c[s] * dt, stage);
  }
  for (int s = 0; s < 4; ++s)
    for (std::size_t i = 0; i < N; ++i) y[i] += dt * w[s] / 6 * k[s][i];
}

void lorenz(const int n, const int steps, const double dt, const double *parameters,
            double *states) {
  for (int i = 0; i < n; ++i) {
    const double *p = parameters + 3 * i;
    State<3> y = {states[3 * i], states[3 * i + 1], states[3 * i + 2]};
    for (int s = 0; s < steps; ++s)
      rungeKutta(y, s * dt, dt, [=](double, const State<3> &x) {
        return State<3>{p[0] * (x[1] - x[0]), x[0] * (p[1] - x[2]) - x[1], x[0] * x[1] - p[2] * x[2]};
      });
    for (int c = 0; c < 3; ++c) states[3 * i + c] = y[c];
  }
}

void charges(const int n, const int steps, const double dt, const double omega, double *positions,
             double *velocities) {
  for (int i = 0; i < n; ++i) {
    double *x = positions + 3 * i, *v = velocities + 3 * i;
    State<6> y = {x[0], x[1], x[2], v[0], v[1], v[2]};
    for (int s = 0; s < steps; ++s)
      rungeKutta(y, s * dt, dt, [=](double t, const State<6> &q) {
        const double b = 1 + 0.5 * std::cos(omega * t);
        return State<6>{q[3], q[4], q[5], q[4] * b - std::sin(omega * t), -q[3] * b - 0.1 * q[1],
                        -0.1 * q[2]};
      });
    for (int c = 0; c < 3; ++c) x[c] = y[c], v[c] = y[c + 3];
  }
}

void solveKepler(const int n, const double *eccentricity, const double *mean, double *anomaly,
                 int *enough) {
  for (int i = 0; i < n; ++i) {
    // By bisection: the left-hand side grows.
    double low = mean[i] - 1.5, high = mean[i] + 1.5;
    for (int k = 0; k < 200; ++k) {
      const double middle = (low + high) / 2;
      (middle - eccentricity[i] * std::sin(middle) < mean[i] ? low : high) = middle;
    }
    anomaly[i] = low;
    enough[i] = 1;
  }
}

void lookUp(const int n, const int scheme, const int entries, const double *table,
            const double *where, double *values) {
  auto at = [=](int i) { return table[std::clamp(i, 0, entries - 1)]; };
  for (int i = 0; i < n; ++i) {
    const int k = (int)std::floor(where[i]);
    const double t = where[i] - k;
    if (scheme == 0) values[i] = t < 0.5 ? at(k) : at(k + 1);
    if (scheme == 1) values[i] = at(k) + t * (at(k + 1) - at(k));
    if (scheme == 2) {
      // Catmull and Rom, with the weights of the four points.
      const double t2 = t * t, t3 = t2 * t;
      values[i] = (-t + 2 * t2 - t3) / 2 * at(k - 1) + (2 - 5 * t2 + 3 * t3) / 2 * at(k) +
                  (t + 4 * t2 - 3 * t3) / 2 * at(k + 1) + (t3 - t2) / 2 * at(k + 2);
    }
  }
}

void react(const int cells, const int steps, const double dt, const double *temperature,
           double *concentration) {
  for (int cell = 0; cell < cells; ++cell) {
    const double T = temperature[cell];
    auto speed = [=](double a, double n, double e) { return a * std::pow(T / 300, n) * std::exp(-e / T); };
    const double k1 = speed(1.5, 0.5, 900), k2 = speed(0.75, -0.25, 1200), k3 = speed(0.25, 1, 2400);
    double y[4];
    for (int s = 0; s < 4; ++s) y[s] = concentration[s * cells + cell];
    for (int step = 0; step < steps; ++step) {
      const double low = speed(0.5, 0, 600) * (y[0] + y[1] + y[2] + y[3]), high = speed(2, 0.25, 800);
      const double r1 = k1 * y[0] * y[1], r2 = k2 * y[2] * y[0], r3 = k3 * y[1] * y[1];
      const double r4 = low * high / (low + high) * y[3];
      y[0] += dt * (-r1 - r2 + r3);
      y[1] += dt * (-r1 - 2 * r3 + r4);
      y[2] += dt * (r1 - r2);
      y[3] += dt * (r2 - r4);
    }
    for (int s = 0; s < 4; ++s) concentration[s * cells + cell] = y[s];
  }
}

void tetrahedra(const int elements, const double lambda, const double mu, const int *corners,
                const double *rest, const double *now, double *force, double *energy) {
  typedef std::array<std::array<double, 3>, 4> Corners;
  for (int t = 0; t < elements; ++t) {
    Corners X, x;
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 3; ++k) {
        X[c][k] = rest[3 * corners[4 * t + c] + k];
        x[c][k] = now[3 * corners[4 * t + c] + k];
      }
    // Gradients of the linear shape functions: normals of the faces across.
    double N[4][3], volume = 0;
    for (int c = 1; c < 4; ++c) {
      const int a = c == 1 ? 2 : c == 2 ? 3 : 1, b = c == 1 ? 3 : c == 2 ? 1 : 2;
      for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        N[c][k] = (X[a][l] - X[0][l]) * (X[b][m] - X[0][m]) - (X[a][m] - X[0][m]) * (X[b][l] - X[0][l]);
      }
      if (c == 1)
        for (int k = 0; k < 3; ++k) volume += (X[1][k] - X[0][k]) * N[1][k];
    }
    for (int k = 0; k < 3; ++k) {
      N[0][k] = 0;
      for (int c = 1; c < 4; ++c) N[c][k] /= volume, N[0][k] -= N[c][k];
    }
    volume = std::fabs(volume) / 6;
    double F[3][3] = {}, E[3][3], trace = 0, squares = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int c = 0; c < 4; ++c) F[i][j] += x[c][i] * N[c][j];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        E[i][j] = i == j ? -0.5 : 0;
        for (int k = 0; k < 3; ++k) E[i][j] += F[k][i] * F[k][j] / 2;
        squares += E[i][j] * E[i][j];
        if (i == j) trace += E[i][i];
      }
    energy[0] += volume * (mu * squares + lambda / 2 * trace * trace);
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            force[3 * corners[4 * t + c] + k] -=
                volume * F[k][i] * (2 * mu * E[i][j] + (i == j ? lambda * trace : 0)) * N[c][j];
  }
}

void boundingBoxes(const int n, const double *points, double *boxes) {
  for (int g = 0; 32 * g < n; ++g)
    for (int c = 0; c < 3; ++c) {
      double low = 1e300, high = -1e300, sum = 0;
      for (int t = 0; t < 32; ++t) {
        const double p = points[3 * std::min(32 * g + t, n - 1) + c];
        low = std::min(low, p);
        high = std::max(high, p);
        sum += p;
      }
      boxes[9 * g + c] = low;
      boxes[9 * g + 3 + c] = high;
      boxes[9 * g + 6 + c] = sum / 32;
    }
}

void mirrorBlocks(const int blocks, double *values) {
  for (int b = 0; b < blocks; ++b) std::reverse(values + 32 * b, values + 32 * (b + 1));
}
