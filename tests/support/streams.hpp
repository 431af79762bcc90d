// What references of Brook+ kernels are written with: packed vectors and streams, with nothing that
// computes. A parameter `float4 a<>` (or an array) is a `Stream<float4>`, a reduction's variable
// `reduce float t` a `float *`.
#include <cmath>
#include <cstddef>
#include <cstdint>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;

#define BROOK_TEST_VECTORS(T) \
  struct T##2 { T x, y; };    \
  struct T##3 { T x, y, z; }; \
  struct T##4 { T x, y, z, w; };
BROOK_TEST_VECTORS(char)
BROOK_TEST_VECTORS(uchar)
BROOK_TEST_VECTORS(short)
BROOK_TEST_VECTORS(ushort)
BROOK_TEST_VECTORS(int)
BROOK_TEST_VECTORS(uint)
BROOK_TEST_VECTORS(float)
BROOK_TEST_VECTORS(double)

// Extents are fastest first: of `float s<rows, columns>` extents[0] is columns.
template <class T> struct Stream {
  T *data;
  int rank;
  unsigned extents[4];

  std::size_t size() const { return (std::size_t)extents[0] * extents[1] * extents[2] * extents[3]; }
  T &operator[](std::size_t i) const { return data[i]; }
  T &at(std::size_t x, std::size_t y = 0, std::size_t z = 0, std::size_t w = 0) const {
    return data[x + extents[0] * (y + extents[1] * (z + extents[2] * w))];
  }
};
