// Types as JSON.
#ifndef OCCA_DTYPE_UTILS_HPP
#define OCCA_DTYPE_UTILS_HPP

#include <occa/dtype/dtype.hpp>
#include <occa/types/json.hpp>

namespace occa {
namespace dtype {

inline json toJson(const dtype_t &type, const std::string &name = "") { return type.toJson(name); }
inline dtype_t fromJson(const std::string &text) { return dtype_t::fromJson(text); }
inline dtype_t fromJson(const json &j) { return dtype_t::fromJson(j); }

} // namespace dtype
} // namespace occa

#endif
