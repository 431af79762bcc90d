// Included by attr_in_header.okl.
#pragma once

#define ROW_WIDTH 7
#define NEXT(i) (((i) + 1) % ROW_WIDTH)
#define ITEM_LOOP(i) for (int i = 0; i < ROW_WIDTH; ++i; @inner)

typedef float *grid_t @dim(ROW_WIDTH, 9);
typedef @shared float line_t[ROW_WIDTH];

inline float pick(@restrict const float *m @dim(ROW_WIDTH, 9), int i, int j) { return m(i, j); }

@kernel void scaleAll(const int n, const float by, @restrict float *values) {
  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) values[i] *= by;
}
