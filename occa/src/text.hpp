// Texts of C++ that become OKL.
#ifndef OCCA_SRC_TEXT_HPP
#define OCCA_SRC_TEXT_HPP

#include <occa/dtype.hpp>

#include <string>
#include <vector>

namespace occa {
namespace text {

// A word, a number, a string, or a sign of one character; what is between them are blanks and comments.
struct Token {
    enum Kind { word, literal, sign } kind;
    // Its first character, and the one behind it.
    std::size_t first, end;
    std::string spelled;

    bool is(char c) const { return kind == sign && spelled[0] == c; }
};
std::vector<Token> tokens(const std::string &text);

// The token that closes what one opens, by ( ), [ ] and { }; the number of tokens if none does.
std::size_t closing(const std::vector<Token> &all, std::size_t open);

// What a type is called in OKL.
std::string type_name(const dtype_t &type);

// A lambda's body in OKL: OKL("…"); is the text in it, and occa::int2 is int2.
std::string body(const std::string &text);

// Joined by commas; empty ones are left out.
std::string list(const std::vector<std::string> &parts);

} // namespace text
} // namespace occa

#endif
