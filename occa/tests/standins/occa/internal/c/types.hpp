// Stands in for what turns C's values into C++'s objects, which public tests include from inside of OCCA: that of this
// library.
#ifndef OCCA_STANDINS_C_TYPES_HPP
#define OCCA_STANDINS_C_TYPES_HPP

#include <occa.hpp>

#include "../../../../../src/c/types.hpp"
#include "../utils/sys.hpp"

#endif
