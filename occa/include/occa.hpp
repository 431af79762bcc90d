// OCCA's C++ interface over brook's runtime: docs/occa.md says what is here.
#ifndef OCCA_HPP
#define OCCA_HPP

#include <occa/core.hpp>
#include <occa/defines.hpp>
#include <occa/dtype.hpp>
#include <occa/functional.hpp>
#include <occa/loops.hpp>
#include <occa/types.hpp>
#include <occa/utils.hpp>

#endif
