// Extents in one to three dimensions.
#ifndef OCCA_TYPES_DIM_HPP
#define OCCA_TYPES_DIM_HPP

#include <occa/types/typedefs.hpp>

#include <ostream>

namespace occa {

class dim {
  public:
    // How many there are; the others are 1.
    int dims;
    udim_t x, y, z;

    dim() : dims(0), x(1), y(1), z(1) {}
    dim(udim_t x_) : dims(1), x(x_), y(1), z(1) {}
    dim(udim_t x_, udim_t y_) : dims(2), x(x_), y(y_), z(1) {}
    dim(udim_t x_, udim_t y_, udim_t z_) : dims(3), x(x_), y(y_), z(z_) {}
    dim(int dims_, udim_t x_, udim_t y_, udim_t z_) : dims(dims_), x(x_), y(y_), z(z_) {}

    bool operator==(const dim &d) const { return dims == d.dims && x == d.x && y == d.y && z == d.z; }
    bool operator!=(const dim &d) const { return !(*this == d); }
    // As many dimensions as the one that has more.
    dim operator+(const dim &d) const { return dim(most(d), x + d.x, y + d.y, z + d.z); }
    dim operator-(const dim &d) const { return dim(most(d), x - d.x, y - d.y, z - d.z); }
    dim operator*(const dim &d) const { return dim(most(d), x * d.x, y * d.y, z * d.z); }
    dim operator/(const dim &d) const { return dim(most(d), x / d.x, y / d.y, z / d.z); }

    bool isZero() const { return x == 0 || y == 0 || z == 0; }
    bool hasNegativeEntries() const {
        return static_cast<dim_t>(x) < 0 || static_cast<dim_t>(y) < 0 || static_cast<dim_t>(z) < 0;
    }

    // Throws occa::exception for anything but 0 to 2.
    udim_t &operator[](int i);
    udim_t operator[](int i) const;

  private:
    int most(const dim &d) const { return dims > d.dims ? dims : d.dims; }
};

std::ostream &operator<<(std::ostream &out, const dim &d);

} // namespace occa

#endif
