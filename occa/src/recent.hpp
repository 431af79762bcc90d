// What was made lately, found again without putting texts together.
#ifndef OCCA_SRC_RECENT_HPP
#define OCCA_SRC_RECENT_HPP

#include <occa/core/kernel.hpp>
#include <occa/functional/scope.hpp>

#include <cstddef>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace occa {
namespace detail {

// All of a scope that texts and builds depend on: its arguments' names and types in order, and its properties. Values and
// memory are not in it.
class ScopeShape {
  public:
    explicit ScopeShape(const scope &of);
    // Whether another scope's is the same: what they are called alike in C++ may be different types.
    bool is_of(const scope &other) const;
    static std::size_t hash(const scope &of);

  private:
    struct Arg {
        std::string name;
        dtype_t dtype;
        bool is_pointer, is_const;
    };
    std::vector<Arg> args;
    json props;
};

// Values by keys that are compared, not turned into texts. It forgets: whoever asks makes them again out of what is kept by
// texts. Threads may use it together.
template <class Key, class Value> class Recent {
  public:
    // The value of a key with that hash of which that is true; an empty one for none.
    template <class Same> Value find(std::size_t hash, const Same &same) const {
        const std::shared_lock<std::shared_mutex> guard(mutex);
        const auto range = all.equal_range(hash);
        for (auto one = range.first; one != range.second; ++one) {
            if (same(one->second.first)) return one->second.second;
        }
        return Value();
    }
    template <class Same> void keep(std::size_t hash, const Same &same, Key key, const Value &value) {
        const std::unique_lock<std::shared_mutex> guard(mutex);
        const auto range = all.equal_range(hash);
        std::size_t alike = 0;
        for (auto one = range.first; one != range.second; ++one, ++alike) {
            if (!same(one->second.first)) continue;
            one->second.second = value;
            return;
        }
        // Nobody looks through long lists.
        if (alike >= most_alike) all.erase(hash);
        if (all.size() >= most) all.clear();
        all.emplace(hash, std::make_pair(std::move(key), value));
    }
    void clear() {
        const std::unique_lock<std::shared_mutex> guard(mutex);
        all.clear();
    }

  private:
    static const std::size_t most = 1024, most_alike = 16;

    mutable std::shared_mutex mutex;
    std::unordered_multimap<std::size_t, std::pair<Key, Value>> all;
};

inline std::size_t mixed(std::size_t hash, std::size_t with) {
    return (hash ^ with) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

// Of what a kernel is made, besides a scope: together they decide its text.
struct Origin {
    // What the text is about; it lives for good.
    const void *what;
    // How it is put together.
    std::string form;
};

// Runs a kernel with the scope's arguments, which its parameters are in this order. Its text is asked for only if none of that
// name, origin and shape of scope has been built for the device lately.
void run_kernel(const occa::device &device, const char *name, const Origin &origin, const occa::scope &scope,
                const std::function<std::string()> &text);

} // namespace detail
} // namespace occa

#endif
