// Types that need no declaration, as values of C: numbers of theirs, so that they are there before anything is made.
#ifndef OCCA_SRC_C_BUILTINS_HPP
#define OCCA_SRC_C_BUILTINS_HPP

#include <occa/dtype/dtype.hpp>

namespace occa {
namespace c {

// The type of a number; throws if there is none.
const dtype_t &builtin(uint64_t number);

} // namespace c
} // namespace occa

#endif
