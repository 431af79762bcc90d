// What elements of memory are.
#ifndef OCCA_DTYPE_HPP
#define OCCA_DTYPE_HPP

#include <occa/dtype/builtins.hpp>
#include <occa/dtype/dtype.hpp>
#include <occa/dtype/utils.hpp>

#endif
