#define CELLS_PER_BLOCK 64

inline float area(const float dx, const float dy) {
  return dx * dy;
}
