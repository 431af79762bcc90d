// Files.
#ifndef OCCA_UTILS_IO_HPP
#define OCCA_UTILS_IO_HPP

#include <string>

namespace occa {
namespace io {

bool exists(const std::string &filename);
// From now on, a file named occa://LIBRARY/NAME is PATH/NAME.
void addLibraryPath(const std::string &library, const std::string &path);

} // namespace io
} // namespace occa

#endif
