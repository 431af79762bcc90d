// Arrays on a device, and functions over them.
#ifndef OCCA_FUNCTIONAL_ARRAY_HPP
#define OCCA_FUNCTIONAL_ARRAY_HPP

#include <occa/functional/typelessArray.hpp>

namespace occa {

// Copies are the same array.
template <class T> class array : public typelessArray {
  public:
    // None, until resize().
    array() = default;
    // Zeros, on the current device.
    array(const dim_t size) { resize(occa::getDevice(), size); }
    array(occa::device device, const dim_t size) { resize(device, size); }
    // That memory, which is of T from now on.
    array(occa::memory mem) : memory_(mem) {
        if (!memory_.isInitialized()) return;
        memory_.setDtype(dtype::get<T>());
        take(memory_.getDevice());
    }

    bool isInitialized() const { return memory_.isInitialized(); }
    occa::memory memory() const { return memory_; }
    operator occa::memory() const { return memory_; }
    operator kernelArg() const { return memory_; }

    // Other memory with the same first elements and zeros behind them; on the array's device, or else the current one.
    void resize(const dim_t size) { resize(device_.isInitialized() ? device_ : occa::getDevice(), size); }
    void resize(occa::device device, const dim_t size) {
        const dim_t before = static_cast<dim_t>(length());
        take(device);
        if (size == before) return;
        const occa::memory old = memory_;
        memory_ = device.malloc<T>(size);
        const dim_t both = size < before ? size : before;
        if (both > 0) memory_.copyFrom(old, both);
    }

    udim_t length() const override { return memory_.length(); }
    array clone() const {
        array other(*this);
        if (memory_.isInitialized()) other.memory_ = memory_.clone();
        return other;
    }

    // So many elements, all for -1.
    void copyFrom(const T *src, const dim_t entries = -1) { memory_.copyFrom(src, entries_or_all(entries)); }
    void copyFrom(const occa::memory src, const dim_t entries = -1) { memory_.copyFrom(src, entries_or_all(entries)); }
    void copyTo(T *dest, const dim_t entries = -1) const { memory_.copyTo(dest, entries_or_all(entries)); }
    void copyTo(occa::memory dest, const dim_t entries = -1) const { memory_.copyTo(dest, entries_or_all(entries)); }

    // Functions of an element, its index, and all elements.
    bool every(const occa::function<bool(const T &)> &fn) const { return typelessEvery(fn); }
    bool every(const occa::function<bool(const T &, const int)> &fn) const { return typelessEvery(fn); }
    bool every(const occa::function<bool(const T &, const int, const T *)> &fn) const { return typelessEvery(fn); }
    bool some(const occa::function<bool(const T &)> &fn) const { return typelessSome(fn); }
    bool some(const occa::function<bool(const T &, const int)> &fn) const { return typelessSome(fn); }
    bool some(const occa::function<bool(const T &, const int, const T *)> &fn) const { return typelessSome(fn); }
    // The first one; -1 for none.
    int findIndex(const occa::function<bool(const T &)> &fn) const { return typelessFindIndex(fn); }
    int findIndex(const occa::function<bool(const T &, const int)> &fn) const { return typelessFindIndex(fn); }
    int findIndex(const occa::function<bool(const T &, const int, const T *)> &fn) const { return typelessFindIndex(fn); }
    void forEach(const occa::function<void(const T &)> &fn) const { typelessForEach(fn); }
    void forEach(const occa::function<void(const T &, const int)> &fn) const { typelessForEach(fn); }
    void forEach(const occa::function<void(const T &, const int, const T *)> &fn) const { typelessForEach(fn); }

    template <class T2> array<T2> map(const occa::function<T2(const T &)> &fn) const { return mapped<T2>(fn); }
    template <class T2> array<T2> map(const occa::function<T2(const T &, const int)> &fn) const { return mapped<T2>(fn); }
    template <class T2> array<T2> map(const occa::function<T2(const T &, const int, const T *)> &fn) const {
        return mapped<T2>(fn);
    }
    // To another array, which gets this one's length, or to this one.
    template <class T2> array<T2> mapTo(occa::array<T2> &output, const occa::function<T2(const T &)> &fn) const {
        return mapped(output, fn);
    }
    template <class T2>
    array<T2> mapTo(occa::array<T2> &output, const occa::function<T2(const T &, const int)> &fn) const {
        return mapped(output, fn);
    }
    template <class T2>
    array<T2> mapTo(occa::array<T2> &output, const occa::function<T2(const T &, const int, const T *)> &fn) const {
        return mapped(output, fn);
    }

    // The function puts an element to what is there; the type says how two of these are put together.
    template <class T2> T2 reduce(reductionType type, const occa::function<T2(const T2 &, const T &)> &fn) const {
        return typelessReduce<T2>(type, T2(), false, fn);
    }
    template <class T2>
    T2 reduce(reductionType type, const occa::function<T2(const T2 &, const T &, const int)> &fn) const {
        return typelessReduce<T2>(type, T2(), false, fn);
    }
    template <class T2>
    T2 reduce(reductionType type, const occa::function<T2(const T2 &, const T &, const int, const T *)> &fn) const {
        return typelessReduce<T2>(type, T2(), false, fn);
    }
    // From a value on, which counts once.
    template <class T2>
    T2 reduce(reductionType type, const T2 &localInit, const occa::function<T2(const T2 &, const T &)> &fn) const {
        return typelessReduce<T2>(type, localInit, true, fn);
    }
    template <class T2>
    T2 reduce(reductionType type, const T2 &localInit,
              const occa::function<T2(const T2 &, const T &, const int)> &fn) const {
        return typelessReduce<T2>(type, localInit, true, fn);
    }
    template <class T2>
    T2 reduce(reductionType type, const T2 &localInit,
              const occa::function<T2(const T2 &, const T &, const int, const T *)> &fn) const {
        return typelessReduce<T2>(type, localInit, true, fn);
    }

    // A copy of an element: writing to it changes nothing on the device, and a thread has the last 16 of them.
    T &operator[](const dim_t index) const {
        OCCA_ERROR("occa::array: there is no element " << index << " of " << length(),
                   index >= 0 && static_cast<udim_t>(index) < length());
        static thread_local T values[16];
        static thread_local unsigned last = 0;
        T &value = values[last++ % 16];
        memory_.copyTo(&value, 1, index);
        return value;
    }

    // The same elements, from one on; all that follow for -1.
    array slice(const dim_t offset, const dim_t count = -1) const { return array(memory_.slice(offset, count)); }
    array concat(const array &other) const {
        const dim_t entries = static_cast<dim_t>(length()), others = static_cast<dim_t>(other.length());
        array both(device_.isInitialized() ? device_ : other.device_, entries + others);
        if (entries > 0) both.memory_.copyFrom(memory_, entries, 0);
        if (others > 0) both.memory_.copyFrom(other.memory_, others, entries);
        return both;
    }
    array fill(const T &fillValue) {
        const occa::scope captured({{"fillValue", fillValue}});
        return mapTo<T>(*this, OCCA_FUNCTION(captured, [=](const T &) -> T { return fillValue; }));
    }

    bool includes(const T &target) const {
        const occa::scope captured({{"target", target}});
        return some(OCCA_FUNCTION(captured, [=](const T &value) -> bool { return target == value; }));
    }
    // -1 if it is not there.
    dim_t indexOf(const T &target) const {
        const occa::scope captured({{"target", target}});
        return findIndex(OCCA_FUNCTION(captured, [=](const T &value) -> bool { return target == value; }));
    }
    dim_t lastIndexOf(const T &target) const {
        const occa::scope captured({{"target", target}});
        return reduce<int>(reductionType::max, -1,
                           OCCA_FUNCTION(captured, [=](const int &found, const T &value, const int index) -> int {
                               return target == value && found < index ? index : found;
                           }));
    }

    template <class T2> array<T2> cast() const {
        return map<T2>(OCCA_FUNCTION([=](const T &value) -> T2 { return value; }));
    }
    array reverse() const {
        const int size = count();
        const occa::scope captured({{"size", size}});
        return map<T>(OCCA_FUNCTION(captured, [=](const T &, const int index, const T *values) -> T {
            return values[size - index - 1];
        }));
    }
    // Element i is what was i + offset, or i - offset; the empty value where nothing was.
    array shiftLeft(const int offset, const T emptyValue = T()) const { return shifted(offset, emptyValue); }
    array shiftRight(const int offset, const T emptyValue = T()) const { return shifted(-offset, emptyValue); }

    // Throws if it is empty.
    T max() const {
        return reduce<T>(reductionType::max, OCCA_FUNCTION([=](const T &most, const T &value) -> T {
                             return most > value ? most : value;
                         }));
    }
    T min() const {
        return reduce<T>(reductionType::min, OCCA_FUNCTION([=](const T &least, const T &value) -> T {
                             return least < value ? least : value;
                         }));
    }

    // Throws if the other one is shorter.
    T dotProduct(const array<T> &other) const {
        OCCA_ERROR("occa::array::dotProduct: the other array has " << other.length() << " elements, and not " << length(),
                   other.length() >= length());
        const occa::scope captured({{"other", other}});
        return reduce<T>(reductionType::sum,
                         OCCA_FUNCTION(captured, [=](const T &sum, const T &value, const int index) -> T {
                             return sum + value * other[index];
                         }));
    }
    array clamp(const T minValue, const T maxValue) const {
        const occa::scope captured({{"minValue", minValue}, {"maxValue", maxValue}});
        return map<T>(OCCA_FUNCTION(captured, [=](const T &value) -> T {
            return value > maxValue ? (maxValue < minValue ? minValue : maxValue) : value < minValue ? minValue : value;
        }));
    }
    array clampMin(const T minValue) const {
        const occa::scope captured({{"minValue", minValue}});
        return map<T>(OCCA_FUNCTION(captured, [=](const T &value) -> T { return value < minValue ? minValue : value; }));
    }
    array clampMax(const T maxValue) const {
        const occa::scope captured({{"maxValue", maxValue}});
        return map<T>(OCCA_FUNCTION(captured, [=](const T &value) -> T { return value > maxValue ? maxValue : value; }));
    }

  protected:
    Elements elements() const override {
        occa::scope all;
        all.add(scopeKernelArg("occa_values", memory_, dtype_, false));
        return {all, {"occa_values[occa_i]", "occa_i", "occa_values"}};
    }

  private:
    template <class T2> friend class array;

    void take(occa::device device) {
        device_ = device;
        dtype_ = dtype::get<T>();
    }
    dim_t entries_or_all(dim_t entries) const { return entries <= 0 ? static_cast<dim_t>(length()) : entries; }
    template <class T2> array<T2> mapped(const baseFunction &fn) const {
        array<T2> output;
        if (count() > 0) output.memory_ = typelessMap<T2>(fn);
        output.take(device_);
        return output;
    }
    template <class T2> array<T2> mapped(array<T2> &output, const baseFunction &fn) const {
        if (output.length() != length()) output.resize(device_, count());
        typelessMapTo(output.memory_, fn);
        return output;
    }
    array shifted(const int offset, const T &emptyValue) const {
        if (offset == 0) return clone();
        const int size = count();
        const occa::scope captured({{"size", size}, {"offset", offset}, {"emptyValue", emptyValue}});
        return map<T>(OCCA_FUNCTION(captured, [=](const T &, const int index, const T *values) -> T {
            const long place = index, from = place + offset;
            return from < 0 || from >= size ? emptyValue : values[from];
        }));
    }

    occa::memory memory_;
};

} // namespace occa

#endif
