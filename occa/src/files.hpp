// Files, inside of the library.
#ifndef OCCA_SRC_FILES_HPP
#define OCCA_SRC_FILES_HPP

#include <string>

namespace occa {
namespace files {

// All that a file holds, and the reverse; throws occa::exception.
std::string read(const std::string &filename);
void write(const std::string &filename, const std::string &text);
// The path of a file that may be named occa://LIBRARY/NAME, or lie in a folder of OCCA_KERNEL_PATH.
std::string find(const std::string &filename);
// A folder among those of kernels, with a slash behind it; made if it is not there.
std::string folder_in_cache(const std::string &name);

} // namespace files
} // namespace occa

#endif
