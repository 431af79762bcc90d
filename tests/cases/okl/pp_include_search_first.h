// Included by pp_include_search.okl, twice.
#ifndef PP_INCLUDE_SEARCH_FIRST_H
#define PP_INCLUDE_SEARCH_FIRST_H
#include "pp_include_search_more/second.h"
inline int viaFirst(const int k) { return SECOND * k; }
#endif
