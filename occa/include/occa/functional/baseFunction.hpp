// A function of which the text is known.
#ifndef OCCA_FUNCTIONAL_BASEFUNCTION_HPP
#define OCCA_FUNCTIONAL_BASEFUNCTION_HPP

#include <occa/functional/functionDefinition.hpp>
#include <occa/functional/scope.hpp>
#include <occa/types/typedefs.hpp>
#include <occa/utils/hash.hpp>

#include <string>

// In a lambda that becomes OKL: the text stands there as it is, OKL("@inner"); before a loop say. The host does nothing.
inline void OKL(const std::string &) {}

namespace occa {

class baseFunction {
  public:
    occa::scope scope;
    hash_t hash_;

    baseFunction(const occa::scope &scope_) : scope(scope_) {}
    virtual ~baseFunction() = default;
    baseFunction(const baseFunction &) = default;
    baseFunction &operator=(const baseFunction &) = default;

    functionDefinition &definition() { return *definition_; }
    const functionDefinition &definition() const { return *definition_; }
    virtual int argumentCount() const = 0;
    hash_t hash() const { return hash_; }
    operator hash_t() const { return hash_; }
    // A call with these arguments and what is captured.
    std::string buildFunctionCall(const std::string &functionName, const strVector &argumentValues) const;

  protected:
    void define(const char *source, const detail::Parameter &result, const std::vector<detail::Parameter> &parameters) {
        definition_ = functionDefinition::cache(scope, source, result, parameters);
        hash_ = definition_->hash;
    }

  private:
    functionDefinitionSharedPtr definition_;
};

} // namespace occa

#endif
