// Bits.
#ifndef OCCA_TYPES_BITS_HPP
#define OCCA_TYPES_BITS_HPP

#include <occa/types/typedefs.hpp>

#include <cstring>

namespace occa {

// A number of 128 bits.
class bitfield {
  public:
    // The upper and the lower half.
    udim_t b1, b2;

    bitfield() : b1(0), b2(0) {}
    bitfield(udim_t low) : b1(0), b2(low) {}
    bitfield(udim_t high, udim_t low) : b1(high), b2(low) {}

    static int bits() { return 128; }

    bool operator==(const bitfield &o) const { return b1 == o.b1 && b2 == o.b2; }
    bool operator!=(const bitfield &o) const { return !(*this == o); }
    bool operator<(const bitfield &o) const { return b1 != o.b1 ? b1 < o.b1 : b2 < o.b2; }
    bool operator>(const bitfield &o) const { return o < *this; }
    bool operator<=(const bitfield &o) const { return !(o < *this); }
    bool operator>=(const bitfield &o) const { return !(*this < o); }

    bitfield operator|(const bitfield &o) const { return bitfield(b1 | o.b1, b2 | o.b2); }
    bitfield operator&(const bitfield &o) const { return bitfield(b1 & o.b1, b2 & o.b2); }
    // By less than one is not at all, by all bits or more leaves none.
    bitfield operator<<(int by) const {
        if (by <= 0) return *this;
        if (by >= 128) return bitfield();
        if (by >= 64) return bitfield(b2 << (by - 64), 0);
        return bitfield(b1 << by | b2 >> (64 - by), b2 << by);
    }
    bitfield operator>>(int by) const {
        if (by <= 0) return *this;
        if (by >= 128) return bitfield();
        if (by >= 64) return bitfield(0, b1 >> (by - 64));
        return bitfield(b1 >> by, b2 >> by | b1 << (64 - by));
    }
    bitfield &operator<<=(int by) { return *this = *this << by; }
    bitfield &operator>>=(int by) { return *this = *this >> by; }

    operator bool() const { return b1 != 0 || b2 != 0; }
};

// Whether two values are of one size, and the same bytes.
template <class T, class U> bool areBitwiseEqual(T a, U b) {
    return sizeof(T) == sizeof(U) &&
           std::memcmp(static_cast<const void *>(&a), static_cast<const void *>(&b), sizeof(T)) == 0;
}

} // namespace occa

#endif
