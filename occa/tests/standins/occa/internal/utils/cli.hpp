// Stands in for the parser of arguments that public examples include from inside of OCCA: options with a letter and a
// name, with arguments and defaults, and plain arguments. What was given lies under options/NAME and arguments/NAME.
#ifndef OCCA_STANDINS_CLI_HPP
#define OCCA_STANDINS_CLI_HPP

#include <occa.hpp>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace occa {
namespace cli {

class option {
  public:
    std::string name, description;
    char letter = 0;
    int wanted = 0;
    bool required = false, repeats = false;
    json otherwise;

    option(char letter_, const std::string &name_, const std::string &description_)
        : name(name_), description(description_), letter(letter_) {}
    option(const std::string &name_, const std::string &description_) : name(name_), description(description_) {}

    option isRequired(bool is = true) { return required = is, *this; }
    option reusable() { return repeats = true, *this; }
    option withArg() { return wanted = 1, *this; }
    option withArgs(int count) { return wanted = count, *this; }
    option withDefaultValue(const json &value) { return otherwise = value, *this; }
};

class argument : public option {
  public:
    argument(const std::string &name_, const std::string &description_) : option(name_, description_) {}
    argument(const option &other) : option(other) {}
};

class parser {
  public:
    parser &withDescription(const std::string &text) { return description = text, *this; }
    parser &addOption(const option &one) { return options.push_back(one), *this; }
    parser &addArgument(const argument &one) { return arguments.push_back(one), *this; }

    json parseArgs(int argc, const char **argv) {
        json all;
        all["options"].asObject();
        all["arguments"].asArray();
        for (const option &one : options) {
            json &value = all["options"].object()[one.name];
            if (one.otherwise.isInitialized()) value = one.otherwise;
            else if (one.wanted == 0) value = false;
        }
        for (int i = 1; i < argc; ++i) {
            const std::string word = argv[i];
            if (word.empty() || word[0] != '-') {
                all["arguments"].array().push_back(json(word));
                continue;
            }
            const option *one = find(word);
            if (one == nullptr) usage(word);
            json &value = all["options"].object()[one->name];
            if (one->wanted == 0) {
                value = true;
                continue;
            }
            json given;
            given.asArray();
            for (int k = 0; k < one->wanted; ++k) {
                if (++i == argc) usage(word);
                given.array().push_back(json(std::string(argv[i])));
            }
            value = one->wanted == 1 ? given.array()[0] : given;
        }
        return all;
    }

  private:
    std::string description;
    std::vector<option> options;
    std::vector<argument> arguments;

    const option *find(const std::string &word) const {
        for (const option &one : options) {
            if (word == "--" + one.name || (one.letter != 0 && word == std::string("-") + one.letter)) return &one;
        }
        return nullptr;
    }
    [[noreturn]] void usage(const std::string &word) const {
        std::cerr << description << "\nnot understood: " << word << '\n';
        std::exit(1);
    }
};

} // namespace cli
} // namespace occa

#endif
