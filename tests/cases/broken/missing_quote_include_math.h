inline double squared(const double x) {
  return x * x;
}
