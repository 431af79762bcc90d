// OCCA_ERROR and its like.
#ifndef OCCA_DEFINES_ERRORS_HPP
#define OCCA_DEFINES_ERRORS_HPP

#include <occa/defines.hpp>

#endif
