// Where the library prints.
#include "output.hpp"

#include <atomic>
#include <iostream>

namespace occa {
namespace output {

namespace {

std::atomic<Listener> out{nullptr}, errors{nullptr};

void print_to(std::ostream &stream, Listener listener, const std::string &text) {
    if (listener != nullptr) listener(text.c_str());
    else stream << text << std::flush;
}

} // namespace

void print(const std::string &text) { print_to(std::cout, out, text); }

void print_error(const std::string &text) { print_to(std::cerr, errors, text); }

void listen(Listener listener) { out = listener; }

void listen_to_errors(Listener listener) { errors = listener; }

} // namespace output
} // namespace occa
