// Included by pp_has_include.okl.
#define FOUND 7
