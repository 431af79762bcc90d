// Numbers at equal distances, which are nowhere.
#ifndef OCCA_FUNCTIONAL_RANGE_HPP
#define OCCA_FUNCTIONAL_RANGE_HPP

#include <occa/functional/array.hpp>

namespace occa {

class range : public typelessArray {
  public:
    dim_t start, end, step;

    // From 0 or the start on, up or down to the end, which is none of it. A step of 0 is one of 1.
    range(const dim_t end_);
    range(const dim_t start_, const dim_t end_);
    range(const dim_t start_, const dim_t end_, const dim_t step_);
    range(occa::device device, const dim_t end_);
    range(occa::device device, const dim_t start_, const dim_t end_);
    range(occa::device device, const dim_t start_, const dim_t end_, const dim_t step_);

    // None if the step leads away from the end.
    udim_t length() const override;

    // Functions of a number.
    bool every(const occa::function<bool(const int)> &fn) const { return typelessEvery(fn); }
    bool some(const occa::function<bool(const int)> &fn) const { return typelessSome(fn); }
    // Which one is the first, from 0 on; -1 for none.
    int findIndex(const occa::function<bool(const int)> &fn) const { return typelessFindIndex(fn); }
    void forEach(const occa::function<void(const int)> &fn) const { typelessForEach(fn); }
    template <class T> array<T> map(const occa::function<T(const int)> &fn) const {
        array<T> output;
        return mapTo(output, fn);
    }
    template <class T> array<T> mapTo(occa::array<T> &output, const occa::function<T(const int)> &fn) const {
        if (output.length() != length()) output.resize(device_, count());
        typelessMapTo(output.memory(), fn);
        return output;
    }
    template <class T> T reduce(reductionType type, const occa::function<T(const T &, const int)> &fn) const {
        return typelessReduce<T>(type, T(), false, fn);
    }
    // From a value on, which counts once.
    template <class T>
    T reduce(reductionType type, const T &localInit, const occa::function<T(const T &, const int)> &fn) const {
        return typelessReduce<T>(type, localInit, true, fn);
    }
    array<int> toArray() const;

  protected:
    Elements elements() const override;
};

} // namespace occa

#endif
