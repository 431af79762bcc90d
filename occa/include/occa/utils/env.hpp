// Settings of the process.
#ifndef OCCA_UTILS_ENV_HPP
#define OCCA_UTILS_ENV_HPP

#include <occa/types/json.hpp>

#include <string>

namespace occa {

// Defaults under everything that a device is set up with: "device", "kernel", "memory" and "stream", each for all modes
// and under modes/NAME.
json &settings();

namespace env {

// With a slash at the end; OCCA_DIR and OCCA_INSTALL_DIR are empty where the variables are not set.
extern std::string OCCA_DIR, OCCA_INSTALL_DIR, OCCA_CACHE_DIR;

// Where kernels are kept from now on.
void setOccaCacheDir(const std::string &path);

} // namespace env
} // namespace occa

#endif
