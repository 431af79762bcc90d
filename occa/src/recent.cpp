// What was made lately, found again without putting texts together.
#include "recent.hpp"

#include <algorithm>
#include <string_view>

namespace occa {
namespace detail {

namespace {

// Whether they are written alike, and read alike: 1, 1.0 and true are three values of a macro.
bool alike(const json &a, const json &b) {
    if (a.type != b.type) return false;
    switch (a.type) {
    case json::number_: {
        const primitive &x = a.value_.number, &y = b.value_.number;
        return x.type == y.type && x.value.uint64_ == y.value.uint64_ && x.source == y.source;
    }
    case json::string_: return a.value_.string == b.value_.string;
    case json::array_:
        return std::equal(a.value_.array.begin(), a.value_.array.end(), b.value_.array.begin(), b.value_.array.end(), alike);
    case json::object_:
        return std::equal(a.value_.object.begin(), a.value_.object.end(), b.value_.object.begin(), b.value_.object.end(),
                          [](const jsonObject::value_type &x, const jsonObject::value_type &y) {
                              return x.first == y.first && alike(x.second, y.second);
                          });
    default: return true;
    }
}

} // namespace

ScopeShape::ScopeShape(const scope &of) : props(of.props) {
    for (const scopeKernelArg &arg : of.args) args.push_back({arg.name, arg.dtype, arg.is_pointer, arg.isConst});
}

bool ScopeShape::is_of(const scope &other) const {
    return std::equal(args.begin(), args.end(), other.args.begin(), other.args.end(),
                      [](const Arg &a, const scopeKernelArg &b) {
                          return a.is_pointer == b.is_pointer && a.is_const == b.isConst && a.dtype == b.dtype &&
                                 a.name == b.name;
                      }) &&
           alike(props, other.props);
}

std::size_t ScopeShape::hash(const scope &of) {
    std::size_t all = of.args.size();
    for (const scopeKernelArg &arg : of.args) all = mixed(all, std::hash<std::string_view>()(arg.name));
    return all;
}

} // namespace detail
} // namespace occa
