// Arrays, ranges and functions over them.
#ifndef OCCA_FUNCTIONAL_HPP
#define OCCA_FUNCTIONAL_HPP

#include <occa/functional/array.hpp>
#include <occa/functional/function.hpp>
#include <occa/functional/range.hpp>
#include <occa/functional/scope.hpp>
#include <occa/functional/utils.hpp>

#endif
