// Numbers, vectors, extents, JSON.
#ifndef OCCA_TYPES_HPP
#define OCCA_TYPES_HPP

#include <occa/types/bits.hpp>
#include <occa/types/dim.hpp>
#include <occa/types/json.hpp>
#include <occa/types/primitive.hpp>
#include <occa/types/tuples.hpp>
#include <occa/types/typedefs.hpp>
#include <occa/types/typeinfo.hpp>

#endif
