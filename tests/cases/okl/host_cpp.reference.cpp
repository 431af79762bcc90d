// What the host's part may use of C++.

enum class Color : unsigned char { Red = 7, Blue };
constexpr int weights[] = {1, 10, 100};
namespace tools { constexpr int blocks(int n, int size = 16) { return (n + size - 1) / size; } }
using real = double;
constexpr int tile() { return 8; }

void modern(const int n, const Color color, int *out) {
  auto half = n / 2.0;
  constexpr int four{4};
  bool is = color == Color::Blue;
  const int count = is ? static_cast<int>(half) : int(real(n) * 1.5) + int(sizeof(n) - sizeof(int));
  for (int k = 0; k < 3; ++k) {
    for (int b = 0; b < tools::blocks(count) + tools::blocks(weights[k], 50); ++b) {
      for (int i = 0; i < tile() + four; ++i) out[b * 12 + i] += weights[k] + (is ? 1 : 0);
    }
  }
}
