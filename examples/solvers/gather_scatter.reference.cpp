// Sequential reference for gather_scatter.okl.

#include <algorithm>
#include <limits>
#include <vector>

namespace {

enum Operation { add, mul, min, max };

template <class T>
T combine(Operation op, T a, T b) {
  switch (op) {
    case add: return a + b;
    case mul: return a * b;
    case min: return std::min(a, b);
    default: return std::max(a, b);
  }
}

template <class T>
T identity(Operation op);
template <>
double identity(Operation op) { return op == add ? 0 : op == mul ? 1 : op == min ? 1e300 : -1e300; }
template <>
float identity(Operation op) { return op == add ? 0 : op == mul ? 1 : op == min ? 1e30f : -1e30f; }
template <>
int identity(Operation op) {
  using L = std::numeric_limits<int>;
  return op == add ? 0 : op == mul ? 1 : op == min ? L::max() : L::min();
}
template <>
hlong identity(Operation op) {
  using L = std::numeric_limits<hlong>;
  return op == add ? 0 : op == mul ? 1 : op == min ? L::max() : L::min();
}

template <class T>
void gather(Operation op, int rows, const dlong *starts, const dlong *ids, const T *q, T *out) {
  for (int g = 0; g < rows; ++g) {
    out[g] = identity<T>(op);
    for (int n = starts[g]; n < starts[g + 1]; ++n) out[g] = combine(op, out[g], q[ids[n]]);
  }
}

template <class T>
void gatherScatter(Operation op, int rows, int fields, int stride, const dlong *starts,
                   const dlong *ids, T *q) {
  for (int f = 0; f < fields; ++f) {
    for (int g = 0; g < rows; ++g) {
      T value = identity<T>(op);
      for (int n = starts[g]; n < starts[g + 1]; ++n) {
        value = combine(op, value, q[ids[n] + f * stride]);
      }
      for (int n = starts[g]; n < starts[g + 1]; ++n) q[ids[n] + f * stride] = value;
    }
  }
}

}  // namespace

#define KERNELS_OP(T, name, op)                                                                  \
  void gather_##name##_##op(const dlong rows, const dlong *starts, const dlong *ids, const T *q, \
                            T *out) {                                                            \
    gather(op, rows, starts, ids, q, out);                                                       \
  }                                                                                              \
  void gatherScatterMany_##name##_##op(const dlong rows, const int fields, const dlong stride,   \
                                       const dlong *starts, const dlong *ids, T *q) {            \
    gatherScatter(op, rows, fields, stride, starts, ids, q);                                     \
  }

#define KERNELS(T, name)                                                                         \
  KERNELS_OP(T, name, add)                                                                       \
  KERNELS_OP(T, name, mul)                                                                       \
  KERNELS_OP(T, name, min)                                                                       \
  KERNELS_OP(T, name, max)                                                                       \
  void gatherAtomic_##name##_add(const dlong N, const dlong *ids, const T *q, T *out) {          \
    for (int n = 0; n < N; ++n) {                                                                \
      if (ids[n] >= 0) out[ids[n]] += q[n];                                                      \
    }                                                                                            \
  }                                                                                              \
  void gatherAtomic_##name##_mul(const dlong N, const dlong *ids, const T *q, T *out) {          \
    for (int n = 0; n < N; ++n) {                                                                \
      if (ids[n] >= 0) out[ids[n]] *= q[n];                                                      \
    }                                                                                            \
  }                                                                                              \
  void gatherAtomic_##name##_minmax(const dlong N, const dlong *ids, const T *q, T *low,         \
                                    T *high) {                                                   \
    for (int n = 0; n < N; ++n) {                                                                \
      if (ids[n] < 0) continue;                                                                  \
      low[ids[n]] = std::min(low[ids[n]], q[n]);                                                 \
      high[ids[n]] = std::max(high[ids[n]], q[n]);                                               \
    }                                                                                            \
  }                                                                                              \
  void scatter_##name##_all(const dlong rows, const dlong *starts, const dlong *ids, const T *q, \
                            T *out) {                                                            \
    for (int s = 0; s < rows; ++s) {                                                             \
      for (int n = starts[s]; n < starts[s + 1]; ++n) out[ids[n]] = q[s];                        \
    }                                                                                            \
  }

KERNELS(double, double)
KERNELS(float, float)
KERNELS(int, int)
KERNELS(hlong, id)

void gatherScatterBlocked(const dlong Nblocks, const dlong *blockStarts, const dlong *rowStarts,
                          const dlong *rowIds, dfloat *q) {
  gatherScatter(add, blockStarts[Nblocks], 1, 0, rowStarts, rowIds, q);
}

void gatherScatterVector3(const dlong Ngather, const dlong *gatherStarts, const dlong *gatherIds,
                          dfloat *q) {
  for (int g = 0; g < Ngather; ++g) {
    for (int c = 0; c < 3; ++c) {
      dfloat sum = 0;
      for (int n = gatherStarts[g]; n < gatherStarts[g + 1]; ++n) sum += q[3 * gatherIds[n] + c];
      for (int n = gatherStarts[g]; n < gatherStarts[g + 1]; ++n) q[3 * gatherIds[n] + c] = sum;
    }
  }
}

void countCopies(const dlong Nlocal, const hlong *globalIds, const hlong firstId,
                 const hlong lastId, int *copies, int *outside) {
  for (int n = 0; n < Nlocal; ++n) {
    const bool here = globalIds[n] >= firstId && globalIds[n] < lastId;
    ++(here ? copies[globalIds[n] - firstId] : outside[0]);
  }
}

void inverseDegree(const dlong Nlocal, const hlong *globalIds, const hlong firstId,
                   const hlong lastId, const int *copies, dfloat *weight) {
  for (int n = 0; n < Nlocal; ++n) {
    const bool here = globalIds[n] >= firstId && globalIds[n] < lastId;
    weight[n] = here ? 1.0 / copies[globalIds[n] - firstId] : 0;
  }
}

void haloPack(const dlong Nhalo, const int Nfields, const dlong stride, const dlong *haloIds,
              const dfloat *q, float *buffer) {
  for (int n = 0; n < Nhalo; ++n) {
    for (int f = 0; f < Nfields; ++f) buffer[n * Nfields + f] = q[haloIds[n] + f * stride];
  }
}

void haloUnpackAdd(const dlong Nhalo, const int Nfields, const dlong stride, const dlong *haloIds,
                   const float *buffer, dfloat *q) {
  for (int n = 0; n < Nhalo; ++n) {
    for (int f = 0; f < Nfields; ++f) q[haloIds[n] + f * stride] += buffer[n * Nfields + f];
  }
}

void rowStartsByBlock(const dlong Nrows, const int *copies, dlong *starts) {
  for (int row = 0; row < Nrows; ++row) {
    if (row == 0) starts[0] = 0;
    starts[row + 1] = starts[row] + copies[row];
  }
}

void fillRows(const dlong Nlocal, const dlong Nrows, const dlong *rowOfNode, const dlong *starts,
              int *filled, dlong *ids) {
  (void)Nrows;
  for (int n = 0; n < Nlocal; ++n) {
    if (rowOfNode[n] >= 0) ids[starts[rowOfNode[n]] + filled[rowOfNode[n]]++] = n;
  }
}

void propagateLabels(const dlong Nedges, const dlong *edges, const hlong *labels,
                     hlong *newLabels, int *changed) {
  for (int edge = 0; edge < Nedges; ++edge) {
    const int ends[2] = {edges[2 * edge], edges[2 * edge + 1]};
    const hlong least = std::min(labels[ends[0]], labels[ends[1]]);
    if (labels[ends[0]] != labels[ends[1]]) changed[0] = 1;
    for (int end : ends) newLabels[end] = std::min(newLabels[end], least);
  }
}
