// The kernels of gather_scatter.okl for one type. No include guard: the file is
// included once a type, with GS_TYPE (what the type is) and GS_NAME (what it is
// called in the kernels' names) defined. Both are undefined at the end.

#if !defined(GS_TYPE) || !defined(GS_NAME)
#error "GS_TYPE and GS_NAME must be defined"
#endif

#define GS_PASTE_(kernel, type, op) kernel##_##type##_##op
#define GS_PASTE(kernel, type, op) GS_PASTE_(kernel, type, op)
#define GS_KERNEL(kernel, op) GS_PASTE(kernel, GS_NAME, op)

#define GS_VARIANTS(DO) \
  DO(add)               \
  DO(mul)               \
  DO(min)               \
  DO(max)

// A row at a time: what all local copies of a global node hold is combined.
#define GS_GATHER(op)                                                                     \
  @kernel void GS_KERNEL(gather, op)(const dlong Ngather,                                 \
                                     @restrict const dlong *gatherStarts,                 \
                                     @restrict const dlong *gatherIds,                    \
                                     @restrict const GS_TYPE *q,                          \
                                     @restrict GS_TYPE *gatherq) {                        \
    for (dlong g = 0; g < Ngather; ++g; @tile(p_blockSize, @outer, @inner)) {             \
      const dlong start = gatherStarts[g];                                                \
      const dlong end = gatherStarts[g + 1];                                              \
      GS_TYPE gq = GS_INIT_##op;                                                          \
      for (dlong n = start; n < end; ++n) {                                               \
        gq = GS_OP_##op(gq, q[gatherIds[n]]);                                             \
      }                                                                                   \
      gatherq[g] = gq;                                                                    \
    }                                                                                     \
  }

// The same, written back to all copies, for several fields at once.
#define GS_GATHER_SCATTER_MANY(op)                                                        \
  @kernel void GS_KERNEL(gatherScatterMany, op)(const dlong Ngather,                      \
                                                const int Nfields,                        \
                                                const dlong stride,                       \
                                                @restrict const dlong *gatherStarts,      \
                                                @restrict const dlong *gatherIds,         \
                                                @restrict GS_TYPE *q) {                   \
    for (int fld = 0; fld < Nfields; ++fld; @outer(1)) {                                  \
      for (dlong g = 0; g < Ngather; ++g; @tile(p_blockSize, @outer(0), @inner(0))) {     \
        const dlong start = gatherStarts[g];                                              \
        const dlong end = gatherStarts[g + 1];                                            \
        if (end > start + 1) {                                                            \
          GS_TYPE gq = q[gatherIds[start] + fld * stride];                                \
          for (dlong n = start + 1; n < end; ++n) {                                       \
            const GS_TYPE value = q[gatherIds[n] + fld * stride];                         \
            gq = GS_OP_##op(gq, value);                                                   \
          }                                                                               \
          for (dlong n = start; n < end; ++n) {                                           \
            q[gatherIds[n] + fld * stride] = gq;                                          \
          }                                                                               \
        }                                                                                 \
      }                                                                                   \
    }                                                                                     \
  }

GS_VARIANTS(GS_GATHER)
GS_VARIANTS(GS_GATHER_SCATTER_MANY)

// Atomic versions: an iteration a local node, in any order. The target holds
// the operation's identity, or what other ranks sent.
@kernel void GS_PASTE(gatherAtomic, GS_NAME, add)(const dlong Nlocal,
                                                  @restrict const dlong *globalIds,
                                                  @restrict const GS_TYPE *q,
                                                  GS_TYPE *gatherq) {
  for (dlong n = 0; n < Nlocal; ++n; @tile(p_blockSize, @outer, @inner)) {
    const dlong id = globalIds[n];
    if (id >= 0) {
      @atomic gatherq[id] += q[n];
    }
  }
}

@kernel void GS_PASTE(gatherAtomic, GS_NAME, mul)(const dlong Nlocal,
                                                  @restrict const dlong *globalIds,
                                                  @restrict const GS_TYPE *q,
                                                  GS_TYPE *gatherq) {
  for (dlong n = 0; n < Nlocal; ++n; @tile(p_blockSize, @outer, @inner)) {
    const dlong id = globalIds[n];
    if (id < 0) continue;
    @atomic gatherq[id] *= q[n];
  }
}

@kernel void GS_PASTE(gatherAtomic, GS_NAME, minmax)(const dlong Nlocal,
                                                     @restrict const dlong *globalIds,
                                                     @restrict const GS_TYPE *q,
                                                     GS_TYPE *lowest,
                                                     GS_TYPE *highest) {
  for (dlong n = 0; n < Nlocal; ++n; @tile(p_blockSize, @outer, @inner)) {
    const dlong id = globalIds[n];
    if (id >= 0) {
      @atomic lowest[id] = min(lowest[id], q[n]);
      @atomic highest[id] = max(highest[id], q[n]);
    }
  }
}

// Copies of a global node's value to all of its local nodes.
@kernel void GS_PASTE(scatter, GS_NAME, all)(const dlong Nscatter,
                                             @restrict const dlong *scatterStarts,
                                             @restrict const dlong *scatterIds,
                                             @restrict const GS_TYPE *q,
                                             @restrict GS_TYPE *scatterq) {
  for (dlong s = 0; s < Nscatter; ++s; @tile(p_blockSize, @outer, @inner)) {
    const GS_TYPE value = q[s];
    for (dlong n = scatterStarts[s]; n < scatterStarts[s + 1]; ++n) {
      scatterq[scatterIds[n]] = value;
    }
  }
}

#undef GS_PASTE_
#undef GS_PASTE
#undef GS_KERNEL
#undef GS_VARIANTS
#undef GS_GATHER
#undef GS_GATHER_SCATTER_MANY
#undef GS_TYPE
#undef GS_NAME
