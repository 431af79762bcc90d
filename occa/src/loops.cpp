// Loops around the text of a lambda.
#include "modes.hpp"
#include "text.hpp"

#include <occa/loops/forLoop.hpp>

#include <limits>

namespace occa {

namespace {

const char *const components[] = {"x", "y", "z"};

// An index of so many numbers.
std::string index_text(const std::string &name, const std::vector<std::string> &numbers) {
    if (numbers.size() == 1) return "const int " + name + " = " + numbers[0] + ";\n";
    std::string text = "int" + std::to_string(numbers.size()) + " " + name + ";\n";
    for (std::size_t i = 0; i < numbers.size(); ++i) text += name + "." + components[i] + " = " + numbers[i] + ";\n";
    return text;
}

std::string loop(const std::string &place, const std::string &end, const char *attribute) {
    return "for (int " + place + " = 0; " + place + " < " + end + "; ++" + place + "; " + attribute + ") {\n";
}

} // namespace

std::string typelessForLoop::number(const iteration &it, const std::string &name, const std::string &place,
                                    occa::scope &scope) {
    if (it.is_array) {
        scope.add(scopeKernelArg(name + "_indices", kernelArg(it.indices.memory()), dtype::int_, true));
        return name + "_indices[" + place + "]";
    }
    // Most begin at 0 and step by 1.
    if (it.range.start == 0 && it.range.step == 1) return place;
    scope.add(name + "_start", it.range.start);
    scope.add(name + "_step", it.range.step);
    return "(int) (" + name + "_start + " + name + "_step * " + place + ")";
}

void typelessForLoop::typelessRun(const occa::scope &given, const baseFunction &fn) const {
    occa::scope scope = given + fn.scope;
    // The device of what is captured is the loop's, if both say one.
    OCCA_ERROR("occa::forLoop: what is captured is on another device than the loop's",
               !device.isInitialized() || !scope.device.isInitialized() || scope.device == device);
    if (device.isInitialized()) scope.device = device;

    std::string head, between, tail, outside, inside, guard;
    std::vector<std::string> outer, inner;
    bool tiled = false, empty = false;
    const auto length = [&](const iteration &it) {
        OCCA_ERROR("occa::forLoop: " << it.length() << " iterations are more than an index counts",
                   it.length() <= static_cast<udim_t>(std::numeric_limits<int>::max()));
        empty = empty || it.length() == 0;
        return static_cast<int>(it.length());
    };
    for (std::size_t i = 0; i < outerIterations.size(); ++i) {
        const iteration &it = outerIterations[i];
        const std::string name = "occa_outer" + std::to_string(i), end = name + "_n";
        const int count = length(it);
        scope.add(end, count);
        if (it.tileSize == 0) {
            head += loop(name, end, "@outer");
            outer.push_back(number(it, name, name, scope));
        } else {
            tiled = true;
            const std::string size = std::to_string(it.tileSize), place = name + "_place";
            scope.add(name + "_tiles", (count - 1) / it.tileSize + 1);
            head += loop(name, name + "_tiles", "@outer");
            between += loop(name + "_item", size, "@inner");
            inside += "const int " + place + " = " + name + " * " + size + " + " + name + "_item;\n";
            // The last tile's items may be more than there are.
            if (count % it.tileSize != 0) guard += (guard.empty() ? "" : " && ") + place + " < " + end;
            outer.push_back(number(it, name, place, scope));
            tail += "}";
        }
        tail += "}";
    }
    for (std::size_t i = 0; i < innerIterations.size(); ++i) {
        const iteration &it = innerIterations[i];
        const std::string name = "occa_inner" + std::to_string(i);
        scope.add(name + "_n", length(it));
        between += loop(name, name + "_n", "@inner");
        inner.push_back(number(it, name, name, scope));
        tail += "}";
    }
    if (empty) return;
    const functionDefinition &definition = fn.definition();
    const strVector &names = definition.argumentNames;
    if (!guard.empty()) {
        inside += "if (" + guard + ") {\n";
        tail += "}";
    }
    // The function's own inner loops stand below the index.
    (tiled ? inside : outside) += index_text(names[0], outer);
    if (!inner.empty()) inside += index_text(names[1], inner);
    const std::string text = "@kernel void occa_for_loop(" + scope.getDeclarationSource() + ") {\n" + head + outside +
                             between + inside + definition.bodySource + "\n" + tail + "}\n";
    detail::run_kernel(scope.getDevice(), "occa_for_loop", text, scope);
}

} // namespace occa
