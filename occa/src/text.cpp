// Texts of C++ that become OKL.
#include "text.hpp"

#include <cctype>

namespace occa {
namespace text {

namespace {

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Behind a string or a character that begins there.
std::size_t behind_quoted(const std::string &text, std::size_t at) {
    const char quote = text[at++];
    while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
    return at < text.size() ? at + 1 : text.size();
}

// Behind R"x( … )x" of which the quote stands there.
std::size_t behind_raw(const std::string &text, std::size_t at) {
    const std::size_t open = text.find('(', at);
    if (open == std::string::npos) return text.size();
    const std::string close = ")" + text.substr(at + 1, open - at - 1) + "\"";
    const std::size_t found = text.find(close, open);
    return found == std::string::npos ? text.size() : found + close.size();
}

// Behind blanks and comments.
std::size_t behind_blanks(const std::string &text, std::size_t at) {
    while (at < text.size()) {
        if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
            ++at;
        } else if (text.compare(at, 2, "//") == 0) {
            at = std::min(text.find('\n', at), text.size());
        } else if (text.compare(at, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", at + 2);
            at = end == std::string::npos ? text.size() : end + 2;
        } else {
            break;
        }
    }
    return at;
}

} // namespace

std::vector<Token> tokens(const std::string &text) {
    std::vector<Token> all;
    for (std::size_t at = behind_blanks(text, 0); at < text.size(); at = behind_blanks(text, at)) {
        Token token{Token::sign, at, at + 1, ""};
        const char c = text[at];
        if (starts_word(c)) {
            token.kind = Token::word;
            while (token.end < text.size() && in_word(text[token.end])) ++token.end;
            // u8"…" and R"(…)" are strings.
            if (token.end < text.size() && text[token.end] == '"') {
                const std::string prefix = text.substr(at, token.end - at);
                if (prefix == "R" || prefix == "LR" || prefix == "u8R" || prefix == "uR" || prefix == "UR") {
                    token.kind = Token::literal;
                    token.end = behind_raw(text, token.end);
                } else if (prefix == "L" || prefix == "u8" || prefix == "u" || prefix == "U") {
                    token.kind = Token::literal;
                    token.end = behind_quoted(text, token.end);
                }
            }
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            token.kind = Token::literal;
            // 1'000.5e-3 and 0x1p+4 are numbers.
            while (token.end < text.size()) {
                const char next = text[token.end], before = text[token.end - 1];
                const bool exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
                const bool separator = next == '\'' && token.end + 1 < text.size() && in_word(text[token.end + 1]);
                if (!in_word(next) && next != '.' && !separator && !(exponent && (next == '+' || next == '-'))) break;
                ++token.end;
            }
        } else if (c == '"' || c == '\'') {
            token.kind = Token::literal;
            token.end = behind_quoted(text, at);
        }
        token.spelled = text.substr(at, token.end - at);
        at = token.end;
        all.push_back(std::move(token));
    }
    return all;
}

std::size_t closing(const std::vector<Token> &all, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < all.size(); ++i) {
        if (all[i].is('(') || all[i].is('[') || all[i].is('{')) ++depth;
        if (all[i].is(')') || all[i].is(']') || all[i].is('}')) --depth;
        if (depth == 0) return i;
    }
    return all.size();
}

std::string type_name(const dtype_t &type) {
    // Those that C has no word for.
    if (type == dtype::byte || type == dtype::uint8) return "unsigned char";
    if (type == dtype::uint16) return "unsigned short";
    if (type == dtype::uint32) return "unsigned int";
    if (type == dtype::uint64) return "unsigned long";
    if (type == dtype::none) return "void";
    return type.name();
}

namespace {

// What a string literal stands for.
std::string value(const std::string &literal) {
    const std::size_t quote = literal.find('"');
    if (literal.find('R') < quote) {
        const std::size_t open = literal.find('('), close = literal.rfind(')');
        return literal.substr(open + 1, close - open - 1);
    }
    std::string all;
    for (std::size_t i = quote + 1; i + 1 < literal.size(); ++i) {
        if (literal[i] == '\\' && i + 2 < literal.size()) {
            ++i;
            all += literal[i] == 'n' ? '\n' : literal[i] == 't' ? '\t' : literal[i];
        } else {
            all += literal[i];
        }
    }
    return all;
}

} // namespace

std::string body(const std::string &source) {
    const std::vector<Token> all = tokens(source);
    std::string made;
    std::size_t done = 0;
    const auto put = [&](std::size_t first, std::size_t end, const std::string &instead) {
        made += source.substr(done, first - done) + instead;
        done = end;
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].kind != Token::word) continue;
        if (all[i].spelled == "OKL" && i + 1 < all.size() && all[i + 1].is('(')) {
            const std::size_t close = closing(all, i + 1);
            std::string okl;
            for (std::size_t k = i + 2; k < close && k < all.size(); ++k) {
                if (all[k].kind == Token::literal) okl += value(all[k].spelled);
            }
            const bool ended = close + 1 < all.size() && all[close + 1].is(';');
            const std::size_t last = ended ? close + 1 : close;
            if (last < all.size()) put(all[i].first, all[last].end, okl + " ");
            i = last;
        } else if (all[i].spelled == "occa" && i + 2 < all.size() && all[i + 1].is(':') && all[i + 2].is(':')) {
            // ::occa::int2, too.
            const bool global = i >= 2 && all[i - 1].is(':') && all[i - 2].is(':');
            const bool member = global && i >= 3 && all[i - 3].kind == Token::word;
            if (!member) put(all[global ? i - 2 : i].first, all[i + 2].end, "");
            i += 2;
        }
    }
    return made + source.substr(done);
}

std::string list(const std::vector<std::string> &parts) {
    std::string all;
    for (const std::string &part : parts) {
        if (!part.empty()) all += (all.empty() ? "" : ", ") + part;
    }
    return all;
}

} // namespace text
} // namespace occa
