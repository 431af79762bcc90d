// Included by ../pp_include_search_first.h.
#pragma once
#include "third.h"
#define SECOND THIRD
