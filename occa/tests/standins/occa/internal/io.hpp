// Stands in for the functions over files that public tests use from inside of OCCA.
#ifndef OCCA_STANDINS_IO_HPP
#define OCCA_STANDINS_IO_HPP

#include <occa.hpp>

#include <fstream>
#include <iterator>
#include <string>

#include "utils/string.hpp"

namespace occa {
namespace io {

inline std::string read(const std::string &filename) {
    std::ifstream file(filename, std::ios::binary);
    OCCA_ERROR("cannot read " << filename, file.good());
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}
inline void write(const std::string &filename, const std::string &text) {
    std::ofstream(filename, std::ios::binary) << text;
}
inline std::string cachePath() { return env::OCCA_CACHE_DIR + "cache/"; }

} // namespace io
} // namespace occa

#endif
