static __device__ __forceinline__ REAL normal(const REAL x) {
  const REAL k = REAL(1) / (REAL(1) + REAL(0.2316419) * fabs(x));
  const REAL tail = REAL(0.39894228040143267794) * exp(REAL(-0.5) * x * x) *
                    (k * (REAL(0.31938153) + k * (REAL(-0.356563782) + k * (REAL(1.781477937) +
                     k * (REAL(-1.821255978) + k * REAL(1.330274429))))));
  return x > 0 ? REAL(1) - tail : tail;
}

extern "C" __global__ __launch_bounds__(256) void
options_same(const int n, const REAL rate, const REAL volatility, const REAL *__restrict__ price,
             const REAL *__restrict__ strike, const REAL *__restrict__ years, REAL *__restrict__ call,
             REAL *__restrict__ put) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const REAL root = volatility * sqrt(years[i]);
  const REAL d1 = (log(price[i] / strike[i]) + (rate + REAL(0.5) * volatility * volatility) * years[i]) / root;
  const REAL d2 = d1 - root;
  const REAL n1 = normal(d1), n2 = normal(d2);
  const REAL discounted = strike[i] * exp(-rate * years[i]);
  call[i] = price[i] * n1 - discounted * n2;
  put[i] = discounted * (REAL(1) - n2) - price[i] * (REAL(1) - n1);
}
