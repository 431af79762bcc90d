// Sequential reference for molecular_dynamics.okl, in double precision inside.

#include <cmath>
#include <vector>

// The layout of the device's vectors.
struct alignas(16) float4 {
  float c[4];
};
struct alignas(8) float2 {
  float c[2];
};
struct alignas(8) int2 {
  int c[2];
};
struct alignas(16) int4 {
  int c[4];
};
struct alignas(16) double2 {
  double x, y;
};

struct V {
  double x = 0, y = 0, z = 0;
};
static V of(const float4 &f) { return {f.c[0], f.c[1], f.c[2]}; }
static V operator+(V a, V b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static V operator-(V a, V b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static V operator*(double s, V a) { return {s * a.x, s * a.y, s * a.z}; }
static double dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static void set(float4 &f, V v) { f.c[0] = v.x, f.c[1] = v.y, f.c[2] = v.z; }
static V image(V d, double box) {
  return {d.x - box * std::floor(d.x / box + 0.5), d.y - box * std::floor(d.y / box + 0.5),
          d.z - box * std::floor(d.z / box + 0.5)};
}

void gravity(const int n, const float softening, const float4 *body, float4 *acceleration) {
  for (int i = 0; i < n; ++i) {
    V sum;
    double potential = 0;
    for (int j = 0; j < n; ++j) {
      const V d = of(body[j]) - of(body[i]);
      const double r = std::sqrt(dot(d, d) + (double)softening * softening), m = body[j].c[3];
      sum = sum + m / (r * r * r) * d;
      potential -= m / r;
    }
    set(acceleration[i], sum);
    acceleration[i].c[3] = potential;
  }
}

void leapfrog(const int n, const float dt, const float4 *acceleration, float4 *velocity,
              float4 *body) {
  for (int i = 0; i < n; ++i) {
    const V v = of(velocity[i]) + dt * of(acceleration[i]);
    set(velocity[i], v);
    set(body[i], of(body[i]) + dt * v);
  }
}

void energies(const int n, const float4 *body, const float4 *velocity, const float4 *acceleration,
              double2 *energy) {
  for (int i = 0; i < n; ++i) {
    const V v = of(velocity[i]);
    energy->x += 0.5 * body[i].c[3] * dot(v, v);
    energy->y += 0.5 * body[i].c[3] * acceleration[i].c[3];
  }
}

static double ljForce(double rr, double sigma, double epsilon) {
  const double s6 = std::pow(sigma * sigma / rr, 3);
  return 24 * epsilon * s6 * (2 * s6 - 1) / rr;
}
static double ljEnergy(double rr, double sigma, double epsilon) {
  const double s6 = std::pow(sigma * sigma / rr, 3);
  return 4 * epsilon * s6 * (s6 - 1);
}

void pairForces(const int n, const float box, const float cutoff, const float4 *table,
                const float4 *position, const int *species, const float4 *, float4 *force,
                float *virial) {
  for (int i = 0; i < n; ++i) {
    V sum;
    double energy = 0, stress = 0;
    for (int j = 0; j < n; ++j) {
      if (i == j) continue;
      const V d = image(of(position[i]) - of(position[j]), box);
      const double rr = dot(d, d);
      if (rr >= cutoff * cutoff) continue;
      const float *p = table[species[i] * p_species + species[j]].c;
      const double f = ljForce(rr, p[0], p[1]);
      sum = sum + f * d;
      energy += 0.5 * (ljEnergy(rr, p[0], p[1]) - p[2]);
      stress += 0.5 * f * rr;
    }
    set(force[i], sum);
    force[i].c[3] = energy;
    virial[i] = stress;
  }
}

void pairForcesHalfList(const int n, const float box, const float cutoff, const float sigma,
                        const float epsilon, const float4 *position, const int *count,
                        const int *neighbour, float4 *force) {
  std::vector<V> sum(n);
  std::vector<double> energy(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < count[i]; ++k) {
      const int j = neighbour[k * n + i];
      const V d = image(of(position[i]) - of(position[j]), box);
      const double rr = dot(d, d);
      if (rr >= cutoff * cutoff) continue;
      const double f = ljForce(rr, sigma, epsilon);
      sum[i] = sum[i] + f * d;
      sum[j] = sum[j] - f * d;
      energy[i] += ljEnergy(rr, sigma, epsilon) - ljEnergy((double)cutoff * cutoff, sigma, epsilon);
    }
  for (int i = 0; i < n; ++i) set(force[i], sum[i]), force[i].c[3] = energy[i];
}

void verletCluster(const int n, const int steps, const float dt, const float sigma,
                   const float epsilon, float4 *position, float4 *velocity, float4 *force) {
  std::vector<V> x(n), v(n), f(n);
  for (int i = 0; i < n; ++i) x[i] = of(position[i]), v[i] = of(velocity[i]);
  auto forces = [&] {
    for (int i = 0; i < n; ++i) {
      f[i] = V();
      for (int j = 0; j < n; ++j)
        if (j != i) f[i] = f[i] + ljForce(dot(x[i] - x[j], x[i] - x[j]), sigma, epsilon) * (x[i] - x[j]);
    }
  };
  forces();
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i) {
      v[i] = v[i] + 0.5 * dt / position[i].c[3] * f[i];
      x[i] = x[i] + dt * v[i];
    }
    forces();
    for (int i = 0; i < n; ++i) v[i] = v[i] + 0.5 * dt / position[i].c[3] * f[i];
  }
  for (int i = 0; i < n; ++i) {
    set(position[i], x[i]);
    set(velocity[i], v[i]);
    set(force[i], f[i]);
    force[i].c[3] = 0;
  }
}

static void add(float4 &f, V v) { set(f, of(f) + v); }

void bonds(const int n, const float box, const int2 *bond, const float2 *constant,
           const float4 *position, float4 *force) {
  for (int b = 0; b < n; ++b) {
    const int i = bond[b].c[0], j = bond[b].c[1];
    const V d = image(of(position[i]) - of(position[j]), box);
    const double r = std::sqrt(dot(d, d)), k = constant[b].c[0], l = constant[b].c[1];
    add(force[i], -k * (r - l) / r * d);
    add(force[j], k * (r - l) / r * d);
    force[i].c[3] += k * (r - l) * (r - l) / 4;
    force[j].c[3] += k * (r - l) * (r - l) / 4;
  }
}

void angles(const int n, const int4 *angle, const float2 *kinds, const float4 *position,
            float4 *force) {
  for (int a = 0; a < n; ++a) {
    const int *w = angle[a].c;
    const float *kind = kinds[w[3]].c;
    const V u = of(position[w[0]]) - of(position[w[1]]), v = of(position[w[2]]) - of(position[w[1]]);
    const double lu = std::sqrt(dot(u, u)), lv = std::sqrt(dot(v, v)), c = dot(u, v) / lu / lv;
    const double slope = -kind[0] * (c - kind[1]);
    const V fu = slope / lu * (1 / lv * v - c / lu * u), fv = slope / lv * (1 / lu * u - c / lv * v);
    add(force[w[0]], fu);
    add(force[w[2]], fv);
    add(force[w[1]], -1.0 * (fu + fv));
  }
}

void rigidPairs(const int molecules, const float length, const float tolerance, const int most,
                const float4 *before, float4 *position, int *used) {
  for (int m = 0; m < molecules; ++m) {
    V a = of(position[2 * m]), b = of(position[2 * m + 1]);
    const V old = of(before[2 * m]) - of(before[2 * m + 1]);
    const double ia = 1.0 / position[2 * m].c[3], ib = 1.0 / position[2 * m + 1].c[3];
    used[m] = 0;
    for (; used[m] < most; ++used[m]) {
      const double error = dot(a - b, a - b) - (double)length * length;
      if (std::fabs(error) < (double)tolerance * length * length) break;
      const double g = error / (2 * dot(a - b, old) * (ia + ib));
      a = a - g * ia * old;
      b = b + g * ib * old;
    }
    set(position[2 * m], a);
    set(position[2 * m + 1], b);
  }
}

void thermostat(const int n, const double target, const float4 *position, float4 *velocity,
                double *kinetic) {
  kinetic[0] = 0;
  for (int i = 0; i < n; ++i)
    kinetic[0] += 0.5 * position[i].c[3] * dot(of(velocity[i]), of(velocity[i]));
  const double factor = kinetic[0] > 0 ? std::sqrt(1.5 * n * target / kinetic[0]) : 1;
  for (int i = 0; i < n; ++i) set(velocity[i], factor * of(velocity[i]));
}
