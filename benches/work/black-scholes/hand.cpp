// The C library has exp and log of vectors (libmvec), which compilers use by themselves in fast mode only.
#include <cmath>

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
extern "C" {
__attribute__((simd("notinbranch"))) float expf(float) noexcept;
__attribute__((simd("notinbranch"))) float logf(float) noexcept;
__attribute__((simd("notinbranch"))) double exp(double) noexcept;
__attribute__((simd("notinbranch"))) double log(double) noexcept;
}
#endif

static inline REAL normal(const REAL x) {
  const REAL k = REAL(1) / (REAL(1) + REAL(0.2316419) * std::fabs(x));
  const REAL tail = REAL(0.39894228040143267794) * std::exp(REAL(-0.5) * x * x) *
                    (k * (REAL(0.31938153) + k * (REAL(-0.356563782) + k * (REAL(1.781477937) +
                     k * (REAL(-1.821255978) + k * REAL(1.330274429))))));
  return x > 0 ? REAL(1) - tail : tail;
}

static void options(const int n, const REAL rate, const REAL volatility,
                    const REAL *__restrict__ price, const REAL *__restrict__ strike,
                    const REAL *__restrict__ years, REAL *__restrict__ call, REAL *__restrict__ put) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) {
    const REAL root = volatility * std::sqrt(years[i]);
    const REAL d1 =
        (std::log(price[i] / strike[i]) + (rate + REAL(0.5) * volatility * volatility) * years[i]) / root;
    const REAL d2 = d1 - root;
    const REAL n1 = normal(d1), n2 = normal(d2);
    const REAL discounted = strike[i] * std::exp(-rate * years[i]);
    call[i] = price[i] * n1 - discounted * n2;
    put[i] = discounted * (REAL(1) - n2) - price[i] * (REAL(1) - n1);
  }
}

LAUNCHER(options_same, options)
