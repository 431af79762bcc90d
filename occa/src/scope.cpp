// Scopes.
#include "modes.hpp"
#include "text.hpp"

#include <occa/functional/scope.hpp>

namespace occa {

scopeKernelArg::scopeKernelArg(const std::string &name_, const kernelArg &arg, const dtype_t &dtype_, bool isConst_)
    : kernelArg(arg), name(name_), dtype(dtype_), isConst(isConst_) {
    is_pointer = kind == null_ || kind == memory__ || kind == host_;
    if (memory_ != nullptr) memory = occa::memory(memory_->shared_from_this());
    if (kind == bytes_) {
        const char *const first = static_cast<const char *>(pointer);
        kept_bytes = std::make_shared<const std::vector<char>>(first, first + bytes);
        pointer = kept_bytes->data();
    }
}

scopeKernelArg::scopeKernelArg(const std::string &name_, const occa::memory &value)
    : scopeKernelArg(name_, kernelArg(value), value.isInitialized() ? value.dtype() : dtype::byte, false) {}

scopeKernelArg::scopeKernelArg(const std::string &name_, const primitive &value)
    : scopeKernelArg(name_, kernelArg(value), value.isPointer() ? dtype::byte : value.dtype(), !value.isPointer()) {}

std::string scopeKernelArg::getDeclaration() const {
    return (isConst ? "const " : "") + text::type_name(dtype) + (is_pointer ? " *" : " ") + name;
}

hash_t scopeKernelArg::hash() const { return occa::hash(getDeclaration()); }

template <> hash_t hash(const occa::scopeKernelArg &arg) { return arg.hash(); }

scope::scope(scopeKernelArgInitializerList args_, const occa::json &props_) : props(props_) {
    for (const scopeKernelArg &arg : args_) add(arg);
}

void scope::add(const scopeKernelArg &arg) {
    const occa::device other = arg.getDevice();
    if (other.isInitialized()) {
        if (!device.isInitialized()) device = other;
        OCCA_ERROR("occa::scope: [" << arg.name << "] is memory of another device than what was captured before",
                   device == other);
    }
    for (scopeKernelArg &before : args) {
        if (before.name == arg.name) {
            before = arg;
            return;
        }
    }
    args.push_back(arg);
}

scope scope::operator+(const scope &other) const {
    scope both = *this;
    return both += other;
}

scope &scope::operator+=(const scope &other) {
    if (!device.isInitialized()) device = other.device;
    for (const scopeKernelArg &arg : other.args) add(arg);
    props += other.props;
    return *this;
}

occa::device scope::getDevice() const { return device.isInitialized() ? device : occa::getDevice(); }

std::string scope::getDeclarationSource() const {
    std::vector<std::string> all;
    for (const scopeKernelArg &arg : args) all.push_back(arg.getDeclaration());
    return text::list(all);
}

std::string scope::getCallSource() const {
    std::vector<std::string> all;
    for (const scopeKernelArg &arg : args) all.push_back(arg.name);
    return text::list(all);
}

kernelArg scope::getArg(const std::string &name) const {
    for (const scopeKernelArg &arg : args) {
        if (arg.name == name) return arg;
    }
    OCCA_FORCE_ERROR("occa::scope::getArg: nothing of the name [" << name << "] is captured");
}

hash_t scope::hash() const {
    return occa::hash(getDeclarationSource() + (props.isInitialized() ? props.dump(0) : ""));
}

template <> hash_t hash(const occa::scope &scope) { return scope.hash(); }

} // namespace occa
