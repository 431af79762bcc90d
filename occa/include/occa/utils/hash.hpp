// 256 bits that stand for something longer.
#ifndef OCCA_UTILS_HASH_HPP
#define OCCA_UTILS_HASH_HPP

#include <occa/types/typedefs.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace occa {

class hash_t {
  public:
    bool initialized;
    int h[8];

    // None.
    hash_t();
    // Of eight numbers.
    explicit hash_t(const int *numbers);

    void clear();
    bool isInitialized() const { return initialized; }

    bool operator<(const hash_t &other) const;
    bool operator==(const hash_t &other) const;
    bool operator!=(const hash_t &other) const;
    // Of both together, whatever their order.
    hash_t operator^(const hash_t &other) const;
    template <class T> hash_t operator^(const T &value) const;
    hash_t &operator^=(const hash_t &other);

    // Some bits of it.
    int getInt() const;
    // 16 hexadecimal digits.
    std::string getString() const;
    operator std::string() const { return getString(); }
    // All 64 hexadecimal digits.
    std::string getFullString() const;

    // Of 64 hexadecimal digits.
    static hash_t fromString(const std::string &digits);
    // Another one each time.
    static hash_t random();
};

std::ostream &operator<<(std::ostream &out, const hash_t &hash);

hash_t hash(const void *data, udim_t bytes);
hash_t hash(const char *text);
hash_t hash(const std::string &text);
inline hash_t hash(const hash_t &value) { return value; }
template <class T> hash_t hash(const T &value) { return hash(static_cast<const void *>(&value), sizeof(T)); }
template <class T> hash_t hash(const std::vector<T> &values) {
    hash_t all;
    for (const T &value : values) all ^= hash(value);
    return all;
}
// Of what a file holds.
hash_t hashFile(const std::string &filename);

template <class T> hash_t hash_t::operator^(const T &value) const { return *this ^ hash(value); }

} // namespace occa

#endif
