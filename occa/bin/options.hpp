// What the command line says.
#ifndef OCCA_BIN_OPTIONS_HPP
#define OCCA_BIN_OPTIONS_HPP

#include <map>
#include <string>
#include <vector>

namespace options {

struct Option {
    // None for those that have a long name only.
    char letter;
    std::string name;
    // What its value is called; empty for one that has none.
    std::string value;
    std::string help;
};

struct Given {
    // By the options' long names; those without a value have one that is empty.
    std::map<std::string, std::vector<std::string>> values;
    std::vector<std::string> arguments;

    bool has(const std::string &name) const { return values.count(name) != 0; }
    std::vector<std::string> all(const std::string &name) const {
        const auto found = values.find(name);
        return found == values.end() ? std::vector<std::string>() : found->second;
    }
    // The last one's.
    std::string last(const std::string &name) const {
        const std::vector<std::string> list = all(name);
        return list.empty() ? "" : list.back();
    }
};

struct Command {
    std::string name, help;
    std::vector<Option> options;
    // What its arguments are called; it takes as many.
    std::vector<std::string> arguments;
    int (*run)(const Given &);
};

// What cannot be read.
struct Error {
    std::string message;
};

// Short options may stand together, and values beside them: -lm CUDA, -DN=1, --mode=CUDA. Behind -- there is none.
Given parse(const Command &command, const std::vector<std::string> &words);
std::string usage(const Command &command);
std::string usage(const std::vector<Command> &commands);

} // namespace options

#endif
