// Kernels that are made where they are run, and kept.
#include "modes.hpp"
#include "recent.hpp"
#include "text.hpp"

#include <occa/experimental/kernelBuilder.hpp>

#include <algorithm>
#include <map>

namespace occa {

namespace {

// Kernels by device and text. Those of devices that have been freed are built again.
class Kernels {
  public:
    // The text is asked for only if what it is made of is not what it was lately.
    template <class Text>
    kernel get(const device &device, const char *name, const detail::Origin &origin, const scope &scope, const Text &text) {
        const modeDevice_t *const on = device.getModeDevice();
        std::size_t hash = detail::mixed(detail::ScopeShape::hash(scope), reinterpret_cast<std::uintptr_t>(on));
        hash = detail::mixed(hash, reinterpret_cast<std::uintptr_t>(origin.what));
        const auto same = [&](const Key &key) {
            return key.device == on && key.what == origin.what && key.form == origin.form && key.name == name &&
                   key.shape.is_of(scope);
        };
        const kernel known = recent.find(hash, same);
        if (known.isInitialized()) return known;
        const kernel built = by_text(device, name, text(), scope.props);
        if (built.isInitialized()) {
            recent.keep(hash, same, Key{on, name, origin.what, origin.form, detail::ScopeShape(scope)}, built);
        }
        return built;
    }
    void clear() {
        recent.clear();
        const std::lock_guard<std::mutex> guard(mutex);
        for (const auto &entry : all) {
            const std::lock_guard<std::mutex> own(entry.second->mutex);
            entry.second->built.free();
        }
        all.clear();
    }

  private:
    struct Slot {
        std::mutex mutex;
        kernel built;
    };
    // The kernel keeps the device's place from being another's.
    struct Key {
        const modeDevice_t *device;
        std::string name;
        const void *what;
        std::string form;
        detail::ScopeShape shape;
    };
    detail::Recent<Key, kernel> recent;
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<Slot>> all;

    kernel by_text(const device &device, const std::string &name, const std::string &text, const json &props) {
        const std::string where = std::to_string(reinterpret_cast<std::uintptr_t>(device.getModeDevice()));
        const std::string key =
            where + "\n" + name + "\n" + text + "\n" + (props.isInitialized() ? props.dump(0) : "");
        std::shared_ptr<Slot> slot;
        {
            const std::lock_guard<std::mutex> guard(mutex);
            std::shared_ptr<Slot> &kept = all[key];
            if (kept == nullptr) kept = std::make_shared<Slot>();
            slot = kept;
        }
        // Others are built at the same time.
        const std::lock_guard<std::mutex> guard(slot->mutex);
        if (!slot->built.isInitialized()) slot->built = device.buildKernelFromString(text, name, props);
        return slot->built;
    }
};

void launch(const kernel &built, const scope &scope) {
    OCCA_ERROR("occa::kernelBuilder: there is no kernel", built.isInitialized());
    // Nothing is shared with other launches of the kernel.
    const std::size_t count = scope.args.size();
    kernelArg few[16];
    std::vector<kernelArg> many;
    kernelArg *args = few;
    if (count > sizeof few / sizeof few[0]) {
        many.resize(count);
        args = many.data();
    }
    std::copy(scope.args.begin(), scope.args.end(), args);
    built.getModeKernel()->run(args, count);
}

} // namespace

struct kernelBuilder::State {
    std::string source, name;
    Kernels kernels;
};

kernelBuilder::kernelBuilder(const std::string &source, const std::string &kernelName) : state(std::make_shared<State>()) {
    const std::vector<text::Token> all = text::tokens(source);
    const bool enclosed = !all.empty() && all[0].is('(') && text::closing(all, 0) + 1 == all.size();
    state->source = enclosed ? source.substr(all[0].end, all.back().first - all[0].end) : source;
    const std::vector<text::Token> words = text::tokens(kernelName);
    state->name = words.empty() ? "" : words[0].spelled;
}

bool kernelBuilder::isInitialized() const { return !state->name.empty(); }

std::string kernelBuilder::getKernelName() const { return state->name; }

std::string kernelBuilder::buildKernelSource(const occa::scope &scope) const {
    return "@kernel void " + state->name + "(" + scope.getDeclarationSource() + ") {" + text::body(state->source) + "\n}\n";
}

kernel kernelBuilder::getOrBuildKernel(const occa::scope &scope) {
    return state->kernels.get(scope.getDevice(), state->name.c_str(), {nullptr, ""}, scope,
                              [&] { return buildKernelSource(scope); });
}

void kernelBuilder::run(const occa::scope &scope) { launch(getOrBuildKernel(scope), scope); }

void kernelBuilder::free() { state->kernels.clear(); }

namespace detail {

void run_kernel(const device &device, const char *name, const Origin &origin, const occa::scope &scope,
                const std::function<std::string()> &text) {
    // They live as long as the program: at its end nobody knows what else is gone.
    static Kernels &kernels = *new Kernels;
    launch(kernels.get(device, name, origin, scope, text), scope);
}

} // namespace detail
} // namespace occa
