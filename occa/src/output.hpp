// Where the library prints.
#ifndef OCCA_SRC_OUTPUT_HPP
#define OCCA_SRC_OUTPUT_HPP

#include <string>

namespace occa {
namespace output {

// Gets what would be printed; null for nobody.
typedef void (*Listener)(const char *text);

void print(const std::string &text);
void print_error(const std::string &text);
void listen(Listener listener);
void listen_to_errors(Listener listener);

} // namespace output
} // namespace occa

#endif
