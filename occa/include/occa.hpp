// OCCA's C++ interface over brook's runtime: docs/occa.md says what is here.
#ifndef OCCA_HPP
#define OCCA_HPP

// Programs that include OCCA's get these headers by it, and some rely on that.
#include <cmath>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include <occa/core.hpp>
#include <occa/defines.hpp>
#include <occa/dtype.hpp>
#include <occa/functional.hpp>
#include <occa/loops.hpp>
#include <occa/types.hpp>
#include <occa/utils.hpp>

#endif
