// Lambdas of which the text becomes a function of OKL.
#include "modes.hpp"
#include "recent.hpp"
#include "text.hpp"

#include <occa/functional/baseFunction.hpp>
#include <occa/functional/utils.hpp>

#include <algorithm>
#include <map>
#include <mutex>

namespace occa {

namespace {

using text::Token;

// What a text that holds a lambda says of it.
struct Lambda {
    // From its [ on.
    std::string source;
    // As they are written.
    std::vector<std::string> parameters;
    std::string body;
};

// Where a lambda begins: at a [ that is no index, outside of all brackets but those around itself.
std::size_t beginning(const std::vector<Token> &all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i == 0 || all[i - 1].is(',')) {
            std::size_t first = i;
            while (first < all.size() && all[first].is('(')) ++first;
            if (first < all.size() && all[first].is('[')) return first;
        }
        if (all[i].is('(') || all[i].is('[') || all[i].is('{')) i = text::closing(all, i);
    }
    return all.size();
}

// The texts between commas, of tokens from one up to another.
std::vector<std::string> parts(const std::string &text, const std::vector<Token> &all, std::size_t first, std::size_t end) {
    std::vector<std::string> list;
    std::size_t start = first;
    for (std::size_t i = first; i <= end; ++i) {
        if (i < end && !all[i].is(',')) {
            if (all[i].is('(') || all[i].is('[') || all[i].is('{')) i = text::closing(all, i);
            continue;
        }
        if (i > start) list.push_back(text.substr(all[start].first, all[i - 1].end - all[start].first));
        start = i + 1;
    }
    return list;
}

Lambda parse(const std::string &source) {
    const std::vector<Token> all = text::tokens(source);
    const std::size_t capture = beginning(all);
    Lambda lambda;
    std::size_t at = capture < all.size() ? text::closing(all, capture) + 1 : all.size();
    if (at < all.size() && all[at].is('(')) {
        const std::size_t close = text::closing(all, at);
        if (close < all.size()) lambda.parameters = parts(source, all, at + 1, close);
        at = close + 1;
    }
    while (at < all.size() && !all[at].is('{')) ++at;
    const std::size_t close = at < all.size() ? text::closing(all, at) : all.size();
    OCCA_ERROR("OCCA_FUNCTION takes a lambda as it is written, not [" << source << "]", close < all.size());
    lambda.source = source.substr(all[capture].first, all[close].end - all[capture].first);
    lambda.body = text::body(source.substr(all[at].end, all[close].first - all[at].end));
    return lambda;
}

// The name in a declaration; empty if it has none.
std::string name_of(const std::string &declaration) {
    static const char *const types[] = {"const", "volatile", "unsigned", "signed", "bool",  "char",
                                        "short", "int",      "long",     "float",  "double"};
    const std::vector<Token> all = text::tokens(declaration);
    std::string name;
    int words = 0;
    bool has_type = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].is('[') || all[i].is('=')) break;
        if (all[i].kind != Token::word) continue;
        const std::string &word = all[i].spelled;
        bool builtin = false;
        for (const char *type : types) builtin = builtin || word == type;
        if (builtin) {
            has_type = has_type || (word != "const" && word != "volatile");
            name.clear();
            continue;
        }
        // A part of a type's name is none of it.
        const bool part = i >= 2 && all[i - 1].is(':') && all[i - 2].is(':');
        if (!part) ++words;
        name = part ? "" : word;
        // What comes first is the type.
        if (!has_type && words == 1) name.clear();
    }
    return name;
}

// Functions by their hashes, and for good: somebody may still make a kernel of one.
struct Store {
    std::mutex mutex;
    std::map<std::string, functionDefinitionSharedPtr> all;
};
Store &store() {
    static Store &all = *new Store;
    return all;
}

std::string type_of(const detail::Parameter &type) {
    const std::string constant = type.is_const && type.is_pointer ? "const " : "";
    return constant + text::type_name(type.dtype) + (type.is_pointer ? " *" : "");
}

// What a lambda was, with which types and scope.
struct Site {
    std::string source;
    detail::ScopeShape shape;
    detail::Parameter result;
    std::vector<detail::Parameter> parameters;
};

bool equal(const detail::Parameter &a, const detail::Parameter &b) {
    return a.dtype == b.dtype && a.is_pointer == b.is_pointer && a.is_const == b.is_const;
}

} // namespace

functionDefinitionSharedPtr functionDefinition::cache(const occa::scope &scope, const char *source,
                                                      const detail::Parameter &result,
                                                      const std::vector<detail::Parameter> &parameters) {
    static detail::Recent<Site, functionDefinitionSharedPtr> &sites =
        *new detail::Recent<Site, functionDefinitionSharedPtr>;
    // A lambda's text is a literal, which is always in the same place; what lies in a place may be another text all the same.
    const std::size_t hash =
        detail::mixed(detail::ScopeShape::hash(scope), reinterpret_cast<std::uintptr_t>(source));
    const auto same = [&](const Site &site) {
        return equal(site.result, result) &&
               std::equal(site.parameters.begin(), site.parameters.end(), parameters.begin(), parameters.end(), equal) &&
               site.source == source && site.shape.is_of(scope);
    };
    if (const functionDefinitionSharedPtr known = sites.find(hash, same)) return known;
    const functionDefinitionSharedPtr made = by_text(scope, source, result, parameters);
    sites.keep(hash, same, Site{source, detail::ScopeShape(scope), result, parameters}, made);
    return made;
}

functionDefinitionSharedPtr functionDefinition::by_text(const occa::scope &scope, const std::string &source,
                                                        const detail::Parameter &result,
                                                        const std::vector<detail::Parameter> &parameters) {
    const Lambda lambda = parse(source);
    std::string types = type_of(result);
    for (const detail::Parameter &type : parameters) types += "," + type_of(type);
    const hash_t hash = occa::hash(lambda.source + "\n" + types) ^ scope.hash();
    const std::lock_guard<std::mutex> guard(store().mutex);
    functionDefinitionSharedPtr &kept = store().all[hash.getFullString()];
    if (kept != nullptr) return kept;
    const auto made = std::make_shared<functionDefinition>();
    made->scope = scope;
    made->source = lambda.source;
    made->returnType = result.dtype;
    made->hash = hash;
    made->result = type_of(result);
    made->bodySource = lambda.body;
    OCCA_ERROR("OCCA_FUNCTION: [" << lambda.source << "] has other parameters than it is called with",
               lambda.parameters.size() == parameters.size());
    std::vector<std::string> declared;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        made->argTypes.push_back(parameters[i].dtype);
        std::string name = name_of(lambda.parameters[i]);
        if (name.empty()) name = "occa_unused_" + std::to_string(i);
        made->argumentNames.push_back(name);
        // What is referred to is copied: C has no references.
        const bool known = parameters[i].dtype != dtype::none;
        declared.push_back(known ? type_of(parameters[i]) + " " + name : text::body(lambda.parameters[i]));
    }
    made->argumentSource = text::list(declared);
    kept = made;
    return made;
}

functionDefinitionSharedPtr functionDefinition::find(const hash_t &hash) {
    const std::lock_guard<std::mutex> guard(store().mutex);
    const auto found = store().all.find(hash.getFullString());
    return found == store().all.end() ? nullptr : found->second;
}

std::size_t functionDefinition::count() {
    const std::lock_guard<std::mutex> guard(store().mutex);
    return store().all.size();
}

std::string functionDefinition::getFunctionSource(const std::string &functionName) const {
    return result + " " + functionName + "(" + text::list({argumentSource, scope.getDeclarationSource()}) + ") {" +
           bodySource + "\n}\n";
}

std::string functions_text(const json &functions) {
    std::string text;
    for (const auto &entry : functions.object()) {
        const std::string digits = entry.second.toString();
        // What is no hash is no function's.
        const bool hash = digits.size() == 64 && digits.find_first_not_of("0123456789abcdef") == std::string::npos;
        const functionDefinitionSharedPtr found = hash ? functionDefinition::find(hash_t::fromString(digits)) : nullptr;
        OCCA_ERROR("occa::device::buildKernel: the property [functions/" << entry.first << "] is no function object",
                   found != nullptr);
        text += found->getFunctionSource(entry.first);
    }
    return text;
}

std::string baseFunction::buildFunctionCall(const std::string &functionName, const strVector &argumentValues) const {
    std::vector<std::string> all = argumentValues;
    all.push_back(scope.getCallSource());
    return functionName + "(" + text::list(all) + ")";
}

namespace functional {

void no_reduction(reductionType type, const char *of) {
    static const char *const names[] = {"sum",    "multiply", "bitOr", "bitAnd", "bitXor",
                                        "boolOr", "boolAnd",  "min",   "max"};
    OCCA_FORCE_ERROR("occa::reductionType::" << names[static_cast<int>(type)] << " is not there for " << of);
}

} // namespace functional
} // namespace occa
