// What kernels that are written inside of a program take from it.
#ifndef OCCA_FUNCTIONAL_SCOPE_HPP
#define OCCA_FUNCTIONAL_SCOPE_HPP

#include <occa/core/device.hpp>
#include <occa/core/kernelArg.hpp>
#include <occa/core/memory.hpp>
#include <occa/types/json.hpp>
#include <occa/utils/hash.hpp>

#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace occa {

namespace detail {
class ScopeShape;
}

// An argument with a name and a type. What it is made of is copied; memory is kept, addresses of the host are not.
class scopeKernelArg : public kernelArg {
  public:
    std::string name;
    dtype_t dtype;
    bool isConst;

    scopeKernelArg(const std::string &name_, const kernelArg &arg, const dtype_t &dtype_, bool isConst_);
    scopeKernelArg(const std::string &name_, const occa::memory &value);
    scopeKernelArg(const std::string &name_, const primitive &value);
    template <class T, typename std::enable_if<detail::IsNumber<T>::value, int>::type = 0>
    scopeKernelArg(const std::string &name_, const T value) : scopeKernelArg(name_, primitive(value)) {}
    template <class T>
    scopeKernelArg(const std::string &name_, T *value)
        : scopeKernelArg(name_, kernelArg(value), dtype::get<typename std::remove_cv<T>::type>(),
                         std::is_const<T>::value) {
        is_pointer = true;
    }
    // A vector or a struct.
    template <class T, typename std::enable_if<detail::IsBytes<T>::value && !std::is_convertible<T, occa::memory>::value,
                                               int>::type = 0>
    scopeKernelArg(const std::string &name_, const T &value)
        : scopeKernelArg(name_, kernelArg(value), dtype::get<T>(), true) {}

    // As a kernel's parameter.
    std::string getDeclaration() const;
    hash_t hash() const;

  private:
    friend class detail::ScopeShape;

    bool is_pointer = false;
    // What the argument points to.
    occa::memory memory;
    std::shared_ptr<const std::vector<char>> kept_bytes;
};

template <> hash_t hash(const occa::scopeKernelArg &arg);

typedef std::initializer_list<scopeKernelArg> scopeKernelArgInitializerList;
typedef std::vector<scopeKernelArg> scopeKernelArgVector;

// Arguments, the device that their memory is on, and a kernel's properties.
class scope {
  public:
    occa::json props;
    occa::device device;
    scopeKernelArgVector args;

    scope() = default;
    scope(occa::device device_) : device(device_) {}
    scope(scopeKernelArgInitializerList args_, const occa::json &props_ = occa::json());
    scope(const occa::json &props_) : props(props_) {}

    // Throws if it is memory of another device than what is there. A name that is there gets another value.
    void add(const scopeKernelArg &arg);
    template <class T> void add(const std::string &name, T *value) { add(scopeKernelArg(name, value)); }
    template <class T> void add(const std::string &name, const T &value) { add(scopeKernelArg(name, value)); }

    // With the other's arguments and properties.
    scope operator+(const scope &other) const;
    scope &operator+=(const scope &other);

    // The current one if nothing says another.
    occa::device getDevice() const;
    int size() const { return static_cast<int>(args.size()); }
    // As parameters of a kernel, and as arguments of a call.
    std::string getDeclarationSource() const;
    std::string getCallSource() const;
    // Throws if there is none of that name.
    kernelArg getArg(const std::string &name) const;
    // Of names and types, not of values.
    hash_t hash() const;
};

template <> hash_t hash(const occa::scope &scope);

} // namespace occa

#endif
