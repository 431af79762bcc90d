// How values are put together.
#ifndef OCCA_FUNCTIONAL_TYPES_HPP
#define OCCA_FUNCTIONAL_TYPES_HPP

namespace occa {

enum class reductionType { sum, multiply, bitOr, bitAnd, bitXor, boolOr, boolAnd, min, max };

} // namespace occa

#endif
