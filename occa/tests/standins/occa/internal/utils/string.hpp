// Stands in for the functions over strings that public tests use from inside of OCCA.
#ifndef OCCA_STANDINS_STRING_HPP
#define OCCA_STANDINS_STRING_HPP

#include <string>

namespace occa {

inline bool startsWith(const std::string &text, const std::string &beginning) {
    return text.compare(0, beginning.size(), beginning) == 0;
}

} // namespace occa

#endif
