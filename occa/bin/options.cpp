// What the command line says.
#include "options.hpp"

#include <algorithm>

namespace options {

namespace {

const Option &find(const Command &command, const std::string &name) {
    const auto found = std::find_if(command.options.begin(), command.options.end(),
                                    [&](const Option &option) { return option.name == name; });
    if (found == command.options.end()) throw Error{"There is no option [--" + name + "]"};
    return *found;
}

const Option &find(const Command &command, char letter) {
    const auto found = std::find_if(command.options.begin(), command.options.end(),
                                    [&](const Option &option) { return option.letter == letter; });
    if (found == command.options.end()) throw Error{std::string("There is no option [-") + letter + "]"};
    return *found;
}

std::string table(const std::vector<std::pair<std::string, std::string>> &rows) {
    std::size_t width = 0;
    for (const auto &row : rows) width = std::max(width, row.first.size());
    std::string text;
    for (const auto &row : rows) {
        text += "  " + row.first + std::string(width + 3 - row.first.size(), ' ') + row.second + "\n";
    }
    return text;
}

} // namespace

Given parse(const Command &command, const std::vector<std::string> &words) {
    Given given;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        const auto next = [&](const Option &option) {
            if (i + 1 == words.size()) throw Error{"Option [--" + option.name + "] has no " + option.value};
            return words[++i];
        };
        if (word == "--") {
            given.arguments.insert(given.arguments.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            break;
        }
        if (word.compare(0, 2, "--") == 0) {
            const std::size_t equals = word.find('=');
            const Option &option = find(command, word.substr(2, equals == std::string::npos ? equals : equals - 2));
            if (option.value.empty() && equals != std::string::npos) {
                throw Error{"Option [--" + option.name + "] has no value"};
            }
            given.values[option.name].push_back(option.value.empty()            ? ""
                                                : equals == std::string::npos ? next(option)
                                                                              : word.substr(equals + 1));
        } else if (word.size() > 1 && word[0] == '-') {
            for (std::size_t k = 1; k < word.size(); ++k) {
                const Option &option = find(command, word[k]);
                if (option.value.empty()) {
                    given.values[option.name].push_back("");
                    continue;
                }
                given.values[option.name].push_back(k + 1 == word.size() ? next(option) : word.substr(k + 1));
                break;
            }
        } else {
            given.arguments.push_back(word);
        }
    }
    const bool help = given.has("help");
    if (!help && given.arguments.size() != command.arguments.size()) {
        std::string names;
        for (const std::string &name : command.arguments) names += " " + name;
        throw Error{"[occa " + command.name + "] takes " + (names.empty() ? "no arguments" : "these arguments:" + names)};
    }
    return given;
}

std::string usage(const Command &command) {
    std::string text = "Usage: occa " + command.name + " [OPTIONS]";
    for (const std::string &argument : command.arguments) text += " " + argument;
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Option &option : command.options) {
        const std::string letter = option.letter == 0 ? "    " : std::string("-") + option.letter + ", ";
        rows.emplace_back(letter + "--" + option.name + (option.value.empty() ? "" : " " + option.value), option.help);
    }
    return text + "\n\n" + command.help + "\n\nOptions:\n" + table(rows);
}

std::string usage(const std::vector<Command> &commands) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Command &command : commands) rows.emplace_back(command.name, command.help);
    return "Usage: occa COMMAND [OPTIONS]\n\nCommands:\n" + table(rows) + "\nocca COMMAND --help says more.\n";
}

} // namespace options
