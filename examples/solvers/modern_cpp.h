// Small algebra types for the kernels of modern_cpp.okl.
#pragma once

namespace algebra {

using index_t = int;

// A vector of N numbers. Trivial, so that it can live in shared memory.
template <typename T, index_t N>
class Vec {
 public:
  Vec() = default;
  explicit Vec(const T value) {
    for (auto &component : data) component = value;
  }

  T &operator[](const index_t i) { return data[i]; }
  const T &operator[](const index_t i) const { return data[i]; }

  Vec &operator+=(const Vec &other) {
    for (index_t i = 0; i < N; ++i) data[i] += other.data[i];
    return *this;
  }
  Vec &operator*=(const T factor) {
    for (auto &component : data) component *= factor;
    return *this;
  }

  friend Vec operator+(Vec a, const Vec &b) { return a += b; }
  friend Vec operator*(const T s, Vec a) { return a *= s; }
  friend Vec operator-(const Vec &a) { return T(-1) * a; }
  friend Vec operator-(const Vec &a, const Vec &b) { return a + -b; }

  T dot(const Vec &other) const {
    T sum{};
    for (index_t i = 0; i < N; ++i) sum += data[i] * other.data[i];
    return sum;
  }

  static constexpr index_t size() { return N; }

 private:
  T data[N];
};

using Vec3 = Vec<double, 3>;

inline Vec3 cross(const Vec3 &a, const Vec3 &b) {
  Vec3 c;
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
  return c;
}

// A number with its derivative: rules of differentiation as operators.
template <typename T>
struct Dual {
  T value{};
  T slope{};

  constexpr Dual(const T v = T{}, const T s = T{}) : value(v), slope(s) {}

  constexpr Dual operator+(const Dual &o) const { return {value + o.value, slope + o.slope}; }
  constexpr Dual operator-(const Dual &o) const { return {value - o.value, slope - o.slope}; }
  constexpr Dual operator*(const Dual &o) const {
    return {value * o.value, slope * o.value + value * o.slope};
  }
  constexpr Dual operator/(const Dual &o) const {
    return {value / o.value, (slope * o.value - value * o.slope) / (o.value * o.value)};
  }
};

// Overloads for plain and for dual numbers.
inline double sine(const double x) { return sin(x); }
inline Dual<double> sine(const Dual<double> &x) { return {sin(x.value), cos(x.value) * x.slope}; }
inline double exponential(const double x) { return exp(x); }
inline Dual<double> exponential(const Dual<double> &x) {
  const double e = exp(x.value);
  return {e, e * x.slope};
}

}  // namespace algebra
