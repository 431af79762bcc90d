// Stands in for the store of functions, of which public tests ask the size.
#ifndef OCCA_STANDINS_FUNCTIONSTORE_HPP
#define OCCA_STANDINS_FUNCTIONSTORE_HPP

#include <occa/functional/functionDefinition.hpp>

#include <cstddef>

namespace occa {

static const struct {
    std::size_t size() const { return functionDefinition::count(); }
} functionStore = {};

} // namespace occa

#endif
