// Kernels over arrays and ranges.
#include "modes.hpp"
#include "recent.hpp"
#include "text.hpp"

#include <occa/functional/range.hpp>

#include <algorithm>
#include <limits>

namespace occa {

namespace {

const char *const function_name = "occa_array_function";

bool on_host(const device &device) { return device.mode() == "Serial" || device.mode() == "OpenMP"; }

// A kernel of a name with a scope's parameters.
std::string kernel_text(const baseFunction &fn, const std::string &name, const scope &scope, const std::string &body) {
    return fn.definition().getFunctionSource(function_name) + "@kernel void " + name + "(" + scope.getDeclarationSource() +
           ") {\n" + body + "}\n";
}

// A call for element occa_i; what the function does not take is not passed.
std::string call(const baseFunction &fn, const strVector &before, const strVector &arguments) {
    strVector all = before;
    all.insert(all.end(), arguments.begin(), arguments.end());
    const std::size_t taken = static_cast<std::size_t>(fn.argumentCount());
    OCCA_ERROR("occa::array: a function of " << taken << " arguments", taken <= all.size());
    all.resize(taken);
    return fn.buildFunctionCall(function_name, all);
}

std::string both(reductionType type, const std::string &a, const std::string &b) {
    switch (type) {
    case reductionType::sum: return a + " + " + b;
    case reductionType::multiply: return a + " * " + b;
    case reductionType::bitOr: return a + " | " + b;
    case reductionType::bitAnd: return a + " & " + b;
    case reductionType::bitXor: return a + " ^ " + b;
    case reductionType::boolOr: return a + " || " + b;
    case reductionType::boolAnd: return a + " && " + b;
    case reductionType::min: return b + " < " + a + " ? " + b + " : " + a;
    default: return a + " < " + b + " ? " + b + " : " + a;
    }
}

} // namespace

int typelessArray::count() const {
    const udim_t all = length();
    OCCA_ERROR("occa::array: " << all << " elements are more than an index counts",
               all <= static_cast<udim_t>(std::numeric_limits<int>::max()));
    return static_cast<int>(all);
}

void typelessArray::no_elements() { OCCA_FORCE_ERROR("occa::array: an empty one has no least and no largest element"); }

void typelessArray::map(const baseFunction &fn, occa::memory output) const {
    const int all = count();
    if (all == 0) return;
    const Elements elements = this->elements();
    const long items = std::min(tileSize > 0 ? tileSize : 256, 1024), each = std::max(tileIterations, 1);
    scope own;
    own.add("occa_n", all);
    if (output.isInitialized()) own.add(scopeKernelArg("occa_output", kernelArg(output), fn.definition().returnType, false));
    const scope captured = own + elements.scope + fn.scope;
    const bool has_output = output.isInitialized();
    const std::string form = "map " + std::to_string(items) + " " + std::to_string(each) + (has_output ? " to " : " ") +
                             elements.arguments[0];
    detail::run_kernel(device_, "occa_array_map", {&fn.definition(), form}, captured, [&] {
        // Items beside each other take elements beside each other.
        const std::string tile = std::to_string(items * each);
        const std::string body = "  for (long occa_tile = 0; occa_tile < occa_n; occa_tile += " + tile +
                                 "; @outer) {\n"
                                 "    for (int occa_item = 0; occa_item < " +
                                 std::to_string(items) +
                                 "; ++occa_item; @inner) {\n"
                                 "      for (int occa_k = 0; occa_k < " +
                                 std::to_string(each) +
                                 "; ++occa_k) {\n"
                                 "        const long occa_l = occa_tile + occa_k * " +
                                 std::to_string(items) +
                                 " + occa_item;\n"
                                 "        if (occa_l < occa_n) {\n"
                                 "          const int occa_i = (int) occa_l;\n          " +
                                 (has_output ? "occa_output[occa_i] = " : "") + call(fn, {}, elements.arguments) +
                                 ";\n        }\n      }\n    }\n  }\n";
        return kernel_text(fn, "occa_array_map", captured, body);
    });
}

occa::memory typelessArray::reduce(const baseFunction &fn, reductionType type, const dtype_t &result, const scope &values,
                                   const std::string &words) const {
    const int all = count();
    const Elements elements = this->elements();
    const bool host = on_host(device_);
    int items = 1;
    // A power of two: halves are added to halves.
    for (const int wanted = host ? 1 : tileSize > 0 ? std::min(tileSize, 1024) : 256; items < wanted;) items *= 2;
    const int blocks = std::min(host ? 128 : 256, static_cast<int>((static_cast<long>(all) + items - 1) / items));
    occa::device device = device_;
    const occa::memory parts = device.malloc(blocks, result);
    scope own;
    own.add("occa_n", all);
    own.add("occa_blocks", blocks);
    own.add(scopeKernelArg("occa_parts", kernelArg(parts), result, false));
    const scope captured = own + values + elements.scope + fn.scope;
    const std::string form = "reduce " + std::to_string(static_cast<int>(type)) + " " + std::to_string(items) +
                             (host ? " host " : " ") + words + " " + elements.arguments[0];
    detail::run_kernel(device_, "occa_array_reduce", {&fn.definition(), form}, captured, [&] {
        const std::string t = text::type_name(result), size = std::to_string(items);
        const std::string step = words.empty() ? "occa_acc = " + call(fn, {"occa_acc"}, elements.arguments) + ";"
                                               : words + call(fn, {}, elements.arguments) + ")) occa_acc = occa_i;";
        std::string body = "  for (int occa_block = 0; occa_block < occa_blocks; ++occa_block; @outer) {\n";
        if (!host) body += "    @shared " + t + " occa_shared[" + size + "];\n";
        const std::string inner = "    for (int occa_item = 0; occa_item < " + size + "; ++occa_item; @inner) {\n";
        body += inner + "      " + t + " occa_acc = occa_block == 0 && occa_item == 0 ? occa_first : occa_others;\n";
        if (host) {
            // One piece after the other.
            body += "      const long occa_end = ((long) occa_block + 1) * occa_n / occa_blocks;\n"
                    "      for (long occa_l = (long) occa_block * occa_n / occa_blocks; occa_l < occa_end; ++occa_l) {\n";
        } else {
            body += "      for (long occa_l = occa_block * " + size + " + occa_item; occa_l < occa_n; occa_l += occa_blocks * " +
                    size + ") {\n";
        }
        body += "        const int occa_i = (int) occa_l;\n        " + step + "\n      }\n";
        body += host ? "      occa_parts[occa_block] = occa_acc;\n    }\n" : "      occa_shared[occa_item] = occa_acc;\n    }\n";
        if (!host) {
            for (int half = items / 2; half > 0; half /= 2) {
                const std::string other = "occa_shared[occa_item + " + std::to_string(half) + "]";
                body += inner + "      if (occa_item < " + std::to_string(half) +
                        ") occa_shared[occa_item] = " + both(type, "occa_shared[occa_item]", other) + ";\n    }\n";
            }
            body += inner + "      if (occa_item == 0) occa_parts[occa_block] = occa_shared[0];\n    }\n";
        }
        body += "  }\n";
        return kernel_text(fn, "occa_array_reduce", captured, body);
    });
    return parts;
}

int typelessArray::first(const baseFunction &fn, bool what) const {
    const int all = count();
    if (all == 0) return -1;
    // The least index; one behind all of them is none.
    scope values;
    values.add("occa_first", all);
    values.add("occa_others", all);
    const std::string words = std::string("if (occa_i < occa_acc && ") + (what ? "(" : "!(");
    const int found = functional::hostReduction<int>(
        reductionType::min, reduce(fn, reductionType::min, dtype::int_, values, words));
    return found < all ? found : -1;
}

range::range(const dim_t end_) : range(occa::getDevice(), end_) {}

range::range(const dim_t start_, const dim_t end_) : range(occa::getDevice(), start_, end_) {}

range::range(const dim_t start_, const dim_t end_, const dim_t step_) : range(occa::getDevice(), start_, end_, step_) {}

range::range(occa::device device, const dim_t end_) : range(device, 0, end_) {}

range::range(occa::device device, const dim_t start_, const dim_t end_)
    : range(device, start_, end_, start_ <= end_ ? 1 : -1) {}

range::range(occa::device device, const dim_t start_, const dim_t end_, const dim_t step_)
    : start(start_), end(end_), step(step_ == 0 ? 1 : step_) {
    device_ = device;
    dtype_ = dtype::int_;
}

udim_t range::length() const {
    if (start == end || (start < end) != (step > 0)) return 0;
    // Differences that no dim_t is are numbers all the same.
    const udim_t from = static_cast<udim_t>(start), to = static_cast<udim_t>(end), by = static_cast<udim_t>(step);
    return step > 0 ? (to - from - 1) / by + 1 : (from - to - 1) / (0 - by) + 1;
}

typelessArray::Elements range::elements() const {
    scope all;
    all.add("occa_start", start);
    all.add("occa_step", step);
    return {all, {"(int) (occa_start + occa_step * occa_i)"}};
}

array<int> range::toArray() const {
    return map(OCCA_FUNCTION([](const int value) -> int { return value; }));
}

} // namespace occa
