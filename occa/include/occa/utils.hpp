// Settings, exceptions, hashes, files.
#ifndef OCCA_UTILS_HPP
#define OCCA_UTILS_HPP

#include <occa/utils/env.hpp>
#include <occa/utils/exception.hpp>
#include <occa/utils/hash.hpp>
#include <occa/utils/io.hpp>
#include <occa/utils/logging.hpp>

#endif
