// Sequential reference for monte_carlo.okl.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

typedef uint32_t u32;
typedef uint64_t u64;

struct Option {
  double spot, strike, rate, volatility, years;
};

static void philox(u64 counter, u32 stream, u64 seed, u32 out[4]) {
  u32 x[4] = {(u32)counter, (u32)(counter >> 32), stream, 0};
  for (u32 r = 0; r < 10; ++r) {
    const u64 a = 0xD2511F53ull * x[0], b = 0xCD9E8D57ull * x[2];
    const u32 k0 = (u32)seed + r * 0x9E3779B9u, k1 = (u32)(seed >> 32) + r * 0xBB67AE85u;
    const u32 y[4] = {(u32)(b >> 32) ^ x[1] ^ k0, (u32)b, (u32)(a >> 32) ^ x[3] ^ k1, (u32)a};
    std::copy(y, y + 4, x);
  }
  std::copy(x, x + 4, out);
}
static double unit(u32 x) { return std::ldexp(x + 0.5, -32); }
static double unit(u64 x) { return std::ldexp((double)(x >> 12) + 0.5, -52); }
static double normal(const u32 *r, int branch) {
  const double angle = 2 * M_PI * unit(r[1]);
  return std::sqrt(-2 * std::log(unit(r[0]))) * (branch ? std::sin(angle) : std::cos(angle));
}

void philoxWords(const int n, const unsigned int stream, const unsigned long seed,
                 unsigned int *words) {
  for (int i = 0; i < n; ++i) {
    u32 r[4];
    philox(i / 4, stream, seed, r);
    words[i] = r[i % 4];
  }
}

void normals(const int n, const double mean, const double deviation, const unsigned long seed,
             double *out) {
  for (int i = 0; i < n; ++i) {
    u32 r[4];
    philox(i / 2, 7, seed, r);
    out[i] = mean + deviation * normal(r, i % 2);
  }
}

void advanceStates(const int n, const int steps, const unsigned long seed, unsigned long *states,
                   double *mean) {
  for (int i = 0; i < n; ++i) {
    u64 s = states[i];
    if (!s) {
      u64 z = seed + i + 0x9E3779B97F4A7C15ull;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
      s = (z ^ (z >> 31)) | 1;
    }
    double sum = 0;
    for (int k = 0; k < steps; ++k) {
      s ^= s >> 12;
      s ^= s << 25;
      s ^= s >> 27;
      sum += unit((u64)(s * 2685821657736338717ull));
    }
    states[i] = s;
    mean[i] = steps ? sum / steps : 0.5;
  }
}

void permutation(const int n, const unsigned int key, int *order) {
  int bits = 1;
  while ((1ll << (2 * bits)) < n) ++bits;
  const u32 side = 1u << bits;
  for (int i = 0; i < n; ++i) {
    u32 x = i;
    do {
      u32 half[2] = {x / side, x % side};
      for (u32 r = 0; r < 4; ++r) {
        const u32 f = ((half[1] + key + r * 0x9E3779B9u) * 0x85EBCA6Bu) >> 13;
        const u32 next = half[0] ^ (f % side);
        half[0] = half[1];
        half[1] = next;
      }
      x = half[0] * side + half[1];
    } while (x >= (u32)n);
    order[i] = x;
  }
}

static double halton(int i, int base) {
  double value = 0, scale = 1;
  for (; i; i /= base) {
    scale /= base;
    value += scale * (i % base);
  }
  return value;
}

void quarterCircle(const int n, const unsigned long seed, unsigned int *hits) {
  for (int i = 0; i < n; ++i) {
    u32 r[4];
    philox(i, 3, seed, r);
    hits[0] += std::hypot(unit(r[0]), unit(r[1])) < 1;
    hits[1] += std::pow(halton(i + 1, 2), 2) + std::pow(halton(i + 1, 3), 2) < 1;
  }
}

void europeanCall(const int pairs, const int groups, const Option o, const unsigned long seed,
                  double *sums) {
  for (int g = 0; g < 2 * groups; ++g) sums[g] = 0;
  for (int p = 0; p < pairs; ++p) {
    u32 r[4];
    philox(p, 11, seed, r);
    const double z = normal(r, 0);
    double v = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
      const double end = o.spot * std::exp((o.rate - o.volatility * o.volatility / 2) * o.years +
                                           sign * o.volatility * std::sqrt(o.years) * z);
      v += std::exp(-o.rate * o.years) * std::max(end - o.strike, 0.0) / 2;
    }
    sums[p / p_B % groups * 2] += v;
    sums[p / p_B % groups * 2 + 1] += v * v;
  }
}

void asianBarrier(const int paths, const int steps, const double barrier, const double spot,
                  const double strike, const double rate, const double volatility,
                  const double years, const unsigned long seed, double *total, int *knockedOut) {
  for (int p = 0; p < paths; ++p) {
    const double dt = years / steps;
    double logarithm = std::log(spot), sum = 0, most = 0;
    for (int s = 0; s < steps; ++s) {
      u32 r[4];
      philox(((u64)p << 20) + s / 2 * 2, 5, seed, r);
      logarithm += (rate - volatility * volatility / 2) * dt + volatility * std::sqrt(dt) * normal(r, s % 2);
      sum += std::exp(logarithm);
      most = std::max(most, std::exp(logarithm));
    }
    if (most > barrier)
      ++*knockedOut;
    else
      *total += std::exp(-rate * years) * std::max(sum / steps - strike, 0.0);
  }
}

void isingSweeps(const int nx, const int ny, const int sweeps, const double beta,
                 const double field, const unsigned long seed, signed char *spin,
                 int *magnetisation) {
  for (int half = 0; half < 2 * sweeps; ++half)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        if ((x + y) % 2 != half % 2) continue;
        int sum = 0;
        for (int d = -1; d <= 1; d += 2)
          sum += spin[y * nx + (x + d + nx) % nx] + spin[(y + d + ny) % ny * nx + x];
        const double change = 2 * spin[y * nx + x] * (sum + field);
        u32 r[4];
        philox(y * nx + x, half, seed, r);
        if (unit(r[0]) < std::exp(-beta * change)) spin[y * nx + x] *= -1;
      }
  for (int i = 0; i < nx * ny; ++i) *magnetisation += spin[i];
}

static void transport(int particles, u64 seed, double width, const double *cross, double *tally,
                      double *leak, unsigned long *collisions) {
  u64 start = seed;
  for (int p = 0; p < particles; ++p) {
    u64 s = start;
    auto random = [&] {
      s = s * 6364136223846793005ull + 1442695040888963407ull;
      return unit(s);
    };
    double x = 0, mu = std::sqrt(random()), weight = 1;
    int zone = 0;
    for (;;) {
      const double flight = -std::log(random()) / cross[2 * zone];
      const double wall = width * (mu > 0 ? zone + 1 : zone);
      const double reach = mu == 0 ? 1e30 : (wall - x) / mu;
      tally[zone] += weight * std::min(flight, reach);
      if (reach < flight) {
        x = wall;
        zone += mu > 0 ? 1 : -1;
        if (zone < 0 || zone == p_zones) {
          leak[zone > 0] += weight;
          break;
        }
        continue;
      }
      x += mu * flight;
      ++*collisions;
      weight *= cross[2 * zone + 1] / cross[2 * zone];
      mu = 2 * random() - 1;
      if (weight >= 0.1) continue;
      if (random() >= 0.5) break;
      weight *= 2;
    }
    // The next history's numbers, one step after the other.
    for (int k = 0; k < 1024; ++k) start = start * 6364136223846793005ull + 1442695040888963407ull;
  }
}

void transportGlobal(const int particles, const unsigned long seed, const double width,
                     const double *cross, double *tally, double *leak, unsigned long *collisions) {
  transport(particles, seed, width, cross, tally, leak, collisions);
}
void transportShared(const int particles, const int, const unsigned long seed, const double width,
                     const double *cross, double *tally, double *leak, unsigned long *collisions) {
  transport(particles, seed, width, cross, tally, leak, collisions);
}

void batchStatistics(const int zones, const int batches, const double *result, double *mean,
                     double *error) {
  for (int z = 0; z < zones; ++z) {
    mean[z] = 0;
    for (int b = 0; b < batches; ++b) mean[z] += result[b * zones + z] / batches;
    double squares = 0;
    for (int b = 0; b < batches; ++b) squares += std::pow(result[b * zones + z] - mean[z], 2);
    error[z] = batches > 1 ? std::sqrt(squares / batches / (batches - 1)) : 0;
  }
}
