// What may still change.
#ifndef OCCA_EXPERIMENTAL_HPP
#define OCCA_EXPERIMENTAL_HPP

#include <occa/experimental/kernelBuilder.hpp>

#endif
