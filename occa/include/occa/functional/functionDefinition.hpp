// The text of a lambda, as OKL.
#ifndef OCCA_FUNCTIONAL_FUNCTIONDEFINITION_HPP
#define OCCA_FUNCTIONAL_FUNCTIONDEFINITION_HPP

#include <occa/dtype.hpp>
#include <occa/functional/scope.hpp>
#include <occa/utils/hash.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace occa {

class functionDefinition;
typedef std::shared_ptr<functionDefinition> functionDefinitionSharedPtr;

namespace detail {

// A parameter's type without its name.
struct Parameter {
    dtype_t dtype;
    bool is_pointer, is_const;
};
template <class T> Parameter parameter() {
    typedef typename std::remove_cv<typename std::remove_reference<T>::type>::type Value;
    typedef typename std::remove_pointer<Value>::type Pointee;
    return {dtype::get<typename std::remove_cv<Pointee>::type>(), std::is_pointer<Value>::value,
            std::is_const<Pointee>::value};
}

} // namespace detail

class functionDefinition {
  public:
    occa::scope scope;
    // As it is written.
    std::string source;
    dtype_t returnType;
    dtypeVector argTypes;
    hash_t hash;
    // Its parameters, and what is between its braces, in OKL's words.
    std::string argumentSource, bodySource;
    // Names of the parameters; one that has none gets one.
    strVector argumentNames;

    int functionArgumentCount() const { return static_cast<int>(argTypes.size()); }
    int totalArgumentCount() const { return functionArgumentCount() + scope.size(); }
    // A function that takes what is captured behind its parameters.
    std::string getFunctionSource(const std::string &functionName) const;

    // Made once of each text, scope and types. Throws if the text is no lambda.
    static functionDefinitionSharedPtr cache(const occa::scope &scope, const char *source,
                                             const detail::Parameter &result,
                                             const std::vector<detail::Parameter> &parameters);
    // One that has been made; null for none.
    static functionDefinitionSharedPtr find(const hash_t &hash);
    // How many there are.
    static std::size_t count();

  private:
    std::string result;

    static functionDefinitionSharedPtr by_text(const occa::scope &scope, const std::string &source,
                                               const detail::Parameter &result,
                                               const std::vector<detail::Parameter> &parameters);
};

} // namespace occa

#endif
