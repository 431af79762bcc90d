// Loops around a lambda.
#ifndef OCCA_LOOPS_HPP
#define OCCA_LOOPS_HPP

#include <occa/loops/forLoop.hpp>

#endif
