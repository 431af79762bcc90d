// Kernels that are made where they are run, and kept.
#include "modes.hpp"
#include "text.hpp"

#include <occa/experimental/kernelBuilder.hpp>

#include <map>

namespace occa {

namespace {

// Kernels by device and text. Those of devices that have been freed are built again.
class Kernels {
  public:
    kernel get(const device &device, const std::string &name, const std::string &text, const json &props) {
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
    void clear() {
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
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<Slot>> all;
};

void launch(const kernel &built, const scope &scope) {
    // Nothing is shared with other launches of the kernel.
    const std::vector<kernelArg> args(scope.args.begin(), scope.args.end());
    OCCA_ERROR("occa::kernelBuilder: there is no kernel", built.isInitialized());
    built.getModeKernel()->run(args.data(), args.size());
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
    return state->kernels.get(scope.getDevice(), state->name, buildKernelSource(scope), scope.props);
}

void kernelBuilder::run(const occa::scope &scope) { launch(getOrBuildKernel(scope), scope); }

void kernelBuilder::free() { state->kernels.clear(); }

namespace detail {

void run_kernel(const device &device, const std::string &name, const std::string &text, const occa::scope &scope) {
    // They live as long as the program: at its end nobody knows what else is gone.
    static Kernels &kernels = *new Kernels;
    launch(kernels.get(device, name, text, scope.props), scope);
}

} // namespace detail
} // namespace occa
