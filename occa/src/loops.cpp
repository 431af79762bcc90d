// Loops around the text of a lambda.
#include "modes.hpp"
#include "recent.hpp"
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

std::string outer_name(std::size_t i) { return "occa_outer" + std::to_string(i); }
std::string inner_name(std::size_t i) { return "occa_inner" + std::to_string(i); }

std::string loop(const std::string &place, const std::string &end, const char *attribute) {
    return "for (int " + place + " = 0; " + place + " < " + end + "; ++" + place + "; " + attribute + ") {\n";
}

} // namespace

void typelessForLoop::add_number(const iteration &it, const std::string &name, occa::scope &scope) {
    if (it.is_array) {
        scope.add(scopeKernelArg(name + "_indices", kernelArg(it.indices.memory()), dtype::int_, true));
    } else if (!it.is_plain()) {
        scope.add(name + "_start", it.range.start);
        scope.add(name + "_step", it.range.step);
    }
}

std::string typelessForLoop::number(const iteration &it, const std::string &name, const std::string &place) {
    if (it.is_array) return name + "_indices[" + place + "]";
    if (it.is_plain()) return place;
    return "(int) (" + name + "_start + " + name + "_step * " + place + ")";
}

std::string typelessForLoop::text(const baseFunction &fn, const occa::scope &scope) const {
    std::string head, between, tail, outside, inside, guard;
    std::vector<std::string> outer, inner;
    bool tiled = false;
    for (std::size_t i = 0; i < outerIterations.size(); ++i) {
        const iteration &it = outerIterations[i];
        const std::string name = outer_name(i), end = name + "_n";
        if (it.tileSize == 0) {
            head += loop(name, end, "@outer");
            outer.push_back(number(it, name, name));
        } else {
            tiled = true;
            const std::string size = std::to_string(it.tileSize), place = name + "_place";
            head += loop(name, name + "_tiles", "@outer");
            between += loop(name + "_item", size, "@inner");
            inside += "const int " + place + " = " + name + " * " + size + " + " + name + "_item;\n";
            if (it.is_cut()) guard += (guard.empty() ? "" : " && ") + place + " < " + end;
            outer.push_back(number(it, name, place));
            tail += "}";
        }
        tail += "}";
    }
    for (std::size_t i = 0; i < innerIterations.size(); ++i) {
        const std::string name = inner_name(i);
        between += loop(name, name + "_n", "@inner");
        inner.push_back(number(innerIterations[i], name, name));
        tail += "}";
    }
    const functionDefinition &definition = fn.definition();
    const strVector &names = definition.argumentNames;
    if (!guard.empty()) {
        inside += "if (" + guard + ") {\n";
        tail += "}";
    }
    // The function's own inner loops stand below the index.
    (tiled ? inside : outside) += index_text(names[0], outer);
    if (!inner.empty()) inside += index_text(names[1], inner);
    return "@kernel void occa_for_loop(" + scope.getDeclarationSource() + ") {\n" + head + outside + between + inside +
           definition.bodySource + "\n" + tail + "}\n";
}

void typelessForLoop::typelessRun(const occa::scope &given, const baseFunction &fn) const {
    occa::scope scope = given + fn.scope;
    // The device of what is captured is the loop's, if both say one.
    OCCA_ERROR("occa::forLoop: what is captured is on another device than the loop's",
               !device.isInitialized() || !scope.device.isInitialized() || scope.device == device);
    if (device.isInitialized()) scope.device = device;

    // All that the text depends on besides the function and the scope.
    std::string form;
    bool empty = false;
    const auto add = [&](const iteration &it, const std::string &name) {
        OCCA_ERROR("occa::forLoop: " << it.length() << " iterations are more than an index counts",
                   it.length() <= static_cast<udim_t>(std::numeric_limits<int>::max()));
        const int count = static_cast<int>(it.length());
        empty = empty || count == 0;
        scope.add(name + "_n", count);
        form += it.is_array ? 'a' : it.is_plain() ? 'p' : 'r';
        if (it.tileSize != 0) {
            scope.add(name + "_tiles", (count - 1) / it.tileSize + 1);
            form += std::to_string(it.tileSize) + (it.is_cut() ? "<" : "=");
        }
        add_number(it, name, scope);
    };
    for (std::size_t i = 0; i < outerIterations.size(); ++i) add(outerIterations[i], outer_name(i));
    form += '/';
    for (std::size_t i = 0; i < innerIterations.size(); ++i) add(innerIterations[i], inner_name(i));
    if (empty) return;
    detail::run_kernel(scope.getDevice(), "occa_for_loop", {&fn.definition(), form}, scope, [&] { return text(fn, scope); });
}

} // namespace occa
