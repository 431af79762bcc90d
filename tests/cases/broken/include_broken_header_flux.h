// The flux through a face between two cells.
inline float upwindFlux(const float speed, const float left, const float right) {
  const float upper = speed > 0.0f ? left : right
  return speed * upper;
}
