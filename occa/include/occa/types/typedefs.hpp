// Names of types.
#ifndef OCCA_TYPES_TYPEDEFS_HPP
#define OCCA_TYPES_TYPEDEFS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace occa {

typedef int64_t dim_t;
typedef uint64_t udim_t;

// What nobody said.
const udim_t UDIM_DEFAULT = static_cast<udim_t>(-1);

typedef std::vector<int> intVector;
typedef std::vector<std::string> strVector;
typedef std::map<std::string, bool> strToBoolMap;

} // namespace occa

#endif
