// What the checks of defines.hpp report with.
#ifndef OCCA_UTILS_LOGGING_HPP
#define OCCA_UTILS_LOGGING_HPP

#include <sstream>
#include <string>

namespace occa {

// Throws occa::exception.
[[noreturn]] void error(const std::string &filename, const std::string &function, int line, const std::string &message);
// Prints to standard error.
void warn(const std::string &filename, const std::string &function, int line, const std::string &message);

void printWarning(const std::string &message, const std::string &code = "");
void printError(const std::string &message, const std::string &code = "");

} // namespace occa

#endif
