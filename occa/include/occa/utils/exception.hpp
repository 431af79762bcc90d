// What everything here throws.
#ifndef OCCA_UTILS_EXCEPTION_HPP
#define OCCA_UTILS_EXCEPTION_HPP

#include <exception>
#include <ostream>
#include <string>

namespace occa {

class exception : public std::exception {
  public:
    const std::string header;
    const std::string filename;
    const std::string function;
    // What went wrong.
    const std::string message;
    const int line;
    // All of it, as what() gives it.
    std::string exceptionMessage;

    exception(const std::string &header_, const std::string &filename_, const std::string &function_, int line_,
              const std::string &message_ = "");
    exception(const exception &) = default;
    ~exception() noexcept override;

    const char *what() const noexcept override;
    std::string toString(int stackTraceStart = 4) const;
    std::string location() const;
};

std::ostream &operator<<(std::ostream &out, const exception &error);

} // namespace occa

#endif
