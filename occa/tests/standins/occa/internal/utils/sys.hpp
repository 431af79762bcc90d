// Stands in for the functions over the system that public tests use from inside of OCCA.
#ifndef OCCA_STANDINS_SYS_HPP
#define OCCA_STANDINS_SYS_HPP

#include <occa.hpp>

#include <chrono>

namespace occa {
namespace sys {

// Seconds.
inline double currentTime() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace sys
} // namespace occa

#endif
