// Sequential reference for block_reduction.okl. It adds in the order of the
// kernels' trees, so that results can be compared bit by bit.

#include <cstddef>
#include <vector>

#ifndef p_block
#define p_block 128
#endif

static const int block = p_block;

template <class T>
static T tree(std::vector<T> values) {
  for (std::size_t alive = values.size() / 2; alive > 0; alive /= 2) {
    for (std::size_t item = 0; item < alive; ++item) {
      values[item] += values[item + alive];
    }
  }
  return values[0];
}

void sumByBlock(const int entries, const float *values, float *partialSums) {
  for (int start = 0; start < entries; start += block) {
    std::vector<float> part(block, 0.0f);
    for (int item = 0; item < block && start + item < entries; ++item) {
      part[item] = values[start + item];
    }
    partialSums[start / block] = tree(part);
  }
}

void sumOfSquaresByBlock(const int entries, const int groups, const double *values,
                         double *partialSums) {
  for (int group = 0; group < groups; ++group) {
    std::vector<double> part(block, 0.0);
    for (int start = group * block; start < entries; start += groups * block) {
      for (int item = 0; item < block && start + item < entries; ++item) {
        part[item] += values[start + item] * values[start + item];
      }
    }
    partialSums[group] = tree(part);
  }
}
