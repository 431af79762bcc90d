// Goes on to the header of the same name in the next folder.
#include_next "pp_include_search_shadow.h"
#define SHADOW (BELOW + 1000)
