// Names of types.
#include <occa/types/typeinfo.hpp>

namespace occa {

#define OCCA_DEFINE_PRIMITIVE_(TYPE, ID, NAME)              \
    template <> const std::string primitiveinfo<TYPE>::id = ID; \
    template <> const std::string primitiveinfo<TYPE>::name = NAME;
#define OCCA_DEFINE_TYPE_(TYPE, ID, NAME)              \
    template <> const std::string typeinfo<TYPE>::id = ID; \
    template <> const std::string typeinfo<TYPE>::name = NAME;
OCCA_PRIMITIVES_(OCCA_DEFINE_PRIMITIVE_)
OCCA_TYPES_(OCCA_DEFINE_TYPE_)

} // namespace occa
