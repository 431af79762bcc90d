/* The name under which old programs include the vector types. */
#ifndef BROOK_VECTOR_DATA_TYPE_H
#define BROOK_VECTOR_DATA_TYPE_H

#include <brook/vector.hpp>

#endif
