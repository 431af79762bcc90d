// Function objects: what OCCA_FUNCTION makes.
#ifndef OCCA_FUNCTIONAL_FUNCTION_HPP
#define OCCA_FUNCTIONAL_FUNCTION_HPP

#include <occa/dtype.hpp>
#include <occa/functional/baseFunction.hpp>
#include <occa/functional/utils.hpp>

#include <functional>
#include <utility>

namespace occa {

template <class Function> class function;

// A lambda that the host can call and that kernels can be made of.
template <class R, class... A> class function<R(A...)> : public baseFunction {
  public:
    function(const occa::scope &scope_, std::function<R(A...)> lambda_, const char *source)
        : baseFunction(scope_), lambda(std::move(lambda_)) {
        define(source, detail::parameter<R>(), {detail::parameter<A>()...});
    }

    hash_t getTypeHash() const {
        hash_t all = occa::hash(getReturnType().name());
        for (const dtype_t &type : getArgTypes()) all ^= occa::hash(type.name());
        return all;
    }
    int argumentCount() const override { return static_cast<int>(sizeof...(A)); }
    dtype_t getReturnType() const { return detail::parameter<R>().dtype; }
    dtypeVector getArgTypes() const { return {detail::parameter<A>().dtype...}; }

    // On the host.
    R operator()(A... args) const { return lambda(std::forward<A>(args)...); }

  private:
    std::function<R(A...)> lambda;
};

} // namespace occa

#endif
