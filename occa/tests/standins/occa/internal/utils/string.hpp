// Stands in for the functions over strings that public tests use from inside of OCCA.
#ifndef OCCA_STANDINS_STRING_HPP
#define OCCA_STANDINS_STRING_HPP

#include <sstream>
#include <string>

namespace occa {

template <class T> std::string toString(const T &value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

inline bool startsWith(const std::string &text, const std::string &beginning) {
    return text.compare(0, beginning.size(), beginning) == 0;
}

} // namespace occa

#endif
