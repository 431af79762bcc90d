// What arrays and ranges do with functions: kernels that are made of the functions' texts.
#ifndef OCCA_FUNCTIONAL_TYPELESSARRAY_HPP
#define OCCA_FUNCTIONAL_TYPELESSARRAY_HPP

#include <occa/core/base.hpp>
#include <occa/defines/okl.hpp>
#include <occa/dtype.hpp>
#include <occa/functional/function.hpp>
#include <occa/functional/utils.hpp>

#include <string>

namespace occa {

class typelessArray {
  public:
    virtual ~typelessArray() = default;

    // How many items of a GPU work together, and how many elements each of them takes.
    void setTileSize(int size) { setTileSize(size, 1); }
    void setTileSize(int size, int iterations) {
        if (size > 0) tileSize = size;
        if (iterations > 0) tileIterations = iterations;
    }

    occa::device getDevice() const { return device_; }
    occa::dtype_t dtype() const { return dtype_; }
    virtual udim_t length() const = 0;

  protected:
    // How a kernel gets at elements: what it needs for that, and what is passed to a function for element occa_i.
    struct Elements {
        occa::scope scope;
        strVector arguments;
    };

    occa::device device_;
    dtype_t dtype_;
    int tileSize = -1, tileIterations = -1;

    typelessArray() = default;
    typelessArray(const typelessArray &) = default;
    typelessArray &operator=(const typelessArray &) = default;

    virtual Elements elements() const = 0;
    // The length; throws if an int cannot be.
    int count() const;

    bool typelessEvery(const baseFunction &fn) const { return first(fn, false) < 0; }
    bool typelessSome(const baseFunction &fn) const { return first(fn, true) >= 0; }
    int typelessFindIndex(const baseFunction &fn) const { return first(fn, true); }
    void typelessForEach(const baseFunction &fn) const { map(fn, occa::memory()); }
    void typelessMapTo(occa::memory output, const baseFunction &fn) const { map(fn, output); }
    template <class T2> occa::memory typelessMap(const baseFunction &fn) const {
        // Its elements are written, all of them.
        occa::memory output = getDevice().malloc<T2>(count());
        map(fn, output);
        return output;
    }
    // Wherever something starts to be put together it is from the first value; where that would count more than once, once
    // from it and else from what changes nothing.
    template <class T2>
    T2 typelessReduce(reductionType type, const T2 &first, bool has_first, const baseFunction &fn) const {
        functional::check<T2>(type);
        const T2 none = functional::identity<T2>(type);
        if (count() == 0) {
            if (!has_first && (type == reductionType::min || type == reductionType::max)) no_elements();
            return has_first ? first : none;
        }
        const bool once = type == reductionType::sum || type == reductionType::multiply || type == reductionType::bitXor;
        occa::scope values;
        values.add("occa_first", has_first ? first : none);
        values.add("occa_others", has_first && !once ? first : none);
        return functional::hostReduction<T2>(type, reduce(fn, type, dtype::get<T2>(), values, ""));
    }

  private:
    // The first index of which the function says that; -1 for none.
    int first(const baseFunction &fn, bool what) const;
    // Each element's value, if there is memory for it.
    void map(const baseFunction &fn, occa::memory output) const;
    // Of parts of the elements what has been put together, by the function or by other words.
    occa::memory reduce(const baseFunction &fn, reductionType type, const dtype_t &result, const occa::scope &values,
                        const std::string &words) const;
    [[noreturn]] static void no_elements();
};

} // namespace occa

#endif
