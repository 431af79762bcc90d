// What the processes of a job do in a step, in time only: SimGrid's SMPI runs it on platform.cpp with the constants of model.py.
//
//   schedule triad|stencil|sum|cg weak|strong [GPUs of the one process]
//
// Kernels and copies between a device and its host are times on that device's queues; messages are MPI's. The order of what the host
// does is that of src/runtime/spread, src/runtime/gather_scatter and benches/scaling.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <constants.h>

enum { WARM = 3, STEPS = 10, MOST_BYTES = 1 << 24, MOST_GPUS = 64, FLOATS = 4, DOUBLES = 8, NODES = 512, ON_SURFACE = 512 - 216, JOINED = 20 };

// When a device's queues have done what they were given: its own, and that of copies.
typedef struct {
  double queue, copies;
} Gpu;

typedef struct {
  int rank, ranks, parts, own, strong; // processes, devices of the set and of this process
  double owed;                         // host time that has not been spent: in one piece, before others may notice
  Gpu gpus[MOST_GPUS];
} Process;

// What messages are made of: nobody looks.
static char out[MOST_BYTES], in[MOST_BYTES];

static double later(double a, double b) { return a > b ? a : b; }
static double memory(double bytes, double fraction) { return bytes / (MEMORY_BANDWIDTH * fraction); }
static double host_copy(double bytes) { return DIRECT ? 0 : HOST_COPY_LATENCY + bytes / HOST_COPY_BANDWIDTH; }
static double now(const Process *p) { return MPI_Wtime() + p->owed; }
static void works(Process *p, double seconds) { p->owed += seconds; }
static void waits_until(Process *p, double time) { p->owed += later(0, time - now(p)); }
static void spend(Process *p)
{
  if (p->owed > 0)
    smpi_execute(p->owed);
  p->owed = 0;
}

// A kernel in the device's own queue, or beside it, in that of copies.
static void launch_in(Process *p, double *queue, double seconds)
{
  works(p, LAUNCH_HOST);
  *queue = later(now(p), *queue) + LAUNCH_DEVICE + seconds;
}
static void launch(Process *p, double seconds) { launch_in(p, &p->gpus[0].queue, seconds); }

// What a message between GPUs takes longer than one between their processes, which is what the platform's latencies are.
static void direct(Process *p)
{
  const int across = p->ranks > GPUS_PER_NODE && (p->rank % GPUS_PER_NODE == 0 || (p->rank + 1) % GPUS_PER_NODE == 0);
  if (DIRECT)
    works(p, later(0, later(NCCL_LATENCY - MPI_NODE_LATENCY, across ? DIRECT_LATENCY - MPI_NET_LATENCY : 0)));
}

static int times(const Process *p) { return p->strong ? STRONG_TIMES : p->parts; }
// The rows of the part with most of them.
static int rows(const Process *p, int each) { return (each * times(p) + p->parts - 1) / p->parts; }
static void bookkeeping(Process *p) { works(p, p->parts > 1 ? p->parts * BOOKKEEPING : 0); }

static void triad(Process *p)
{
  const int plane[] = PLANE;
  bookkeeping(p);
  for (int g = 0; g < p->own; g++)
    launch_in(p, &p->gpus[g].queue, memory(3.0 * FLOATS * plane[0] * rows(p, plane[1]), 1));
}

// A copy between a device and its host that is waited for, behind what the device had been given at that time.
static void copied(Process *p, double behind, int bytes)
{
  Gpu *gpu = &p->gpus[0];
  if (DIRECT) {
    works(p, QUEUE_CALL);
    waits_until(p, behind);
    return;
  }
  gpu->copies = later(later(now(p), behind), gpu->copies) + host_copy(bytes);
  waits_until(p, gpu->copies);
}

static void stencil_call(Process *p)
{
  const int block[] = BLOCK, plane = FLOATS * block[0] * block[1], count = rows(p, block[2]);
  const double row = memory(2.0 * plane, STENCIL_FRACTION);
  const int within = count >= 4 && (double)count * plane >= LEAST_BYTES, alone = p->parts == 1;
  double began[MOST_GPUS];
  bookkeeping(p);
  for (int g = 0; g < p->own; g++) {
    began[g] = p->gpus[g].queue;
    if (!alone && p->ranks == 1)
      works(p, QUEUE_CALL);
  }
  for (int g = 0; g < p->own && (alone || within); g++)
    launch_in(p, &p->gpus[g].queue, (alone ? count : count - 2) * row);
  if (alone)
    return;
  for (int g = 0; g < p->own && p->ranks == 1; g++)
    for (int side = -1; side <= 1; side += 2)
      if (g + side >= 0 && g + side < p->own) {
        works(p, COPY_HOST);
        const double both = later(began[g], began[g + side]);
        p->gpus[g].copies = later(later(now(p), both), p->gpus[g].copies) + PEER_LATENCY + plane / PEER_BANDWIDTH;
      }
  if (p->ranks > 1) {
    // Parts in their order: what the one below reads, what this one reads, what the one above reads.
    const int below = p->rank > 0 ? p->rank - 1 : MPI_PROC_NULL, above = p->rank + 1 < p->ranks ? p->rank + 1 : MPI_PROC_NULL;
    const int sides[] = {below, above};
    MPI_Request sent[2], comes[2];
    for (int s = 0; s < 2; s++) {
      if (sides[s] != MPI_PROC_NULL)
        copied(p, began[0], plane);
      spend(p);
      MPI_Isend(out, plane, MPI_BYTE, sides[s], 0, MPI_COMM_WORLD, &sent[s]);
      if (s == 0)
        for (int t = 0; t < 2; t++)
          MPI_Irecv(in, plane, MPI_BYTE, sides[t], 0, MPI_COMM_WORLD, &comes[t]);
    }
    for (int s = 0; s < 2; s++) {
      spend(p);
      MPI_Wait(&comes[s], MPI_STATUS_IGNORE);
      if (s == 0)
        direct(p);
      if (sides[s] != MPI_PROC_NULL)
        copied(p, began[0], plane);
    }
    spend(p);
    MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
  }
  for (int g = 0; g < p->own; g++) {
    Gpu *gpu = &p->gpus[g];
    if (!within) {
      gpu->queue = later(gpu->queue, gpu->copies + EVENT);
      launch_in(p, &gpu->queue, count * row);
      continue;
    }
    // Beside the rows within, whose memory's bandwidth they share.
    gpu->copies = later(gpu->copies, p->ranks > 1 ? now(p) : 0);
    launch_in(p, &gpu->copies, row);
    launch_in(p, &gpu->copies, row);
    gpu->queue = later(gpu->queue + 2 * row, gpu->copies) + EVENT;
  }
}

static void stencil(Process *p)
{
  stencil_call(p);
  stencil_call(p);
}

static void fold(Process *p, double *queue, double seconds)
{
  works(p, REDUCTION_HOST);
  launch_in(p, queue, seconds);
}

static void sum(Process *p)
{
  const int plane[] = PLANE;
  bookkeeping(p);
  for (int g = 0; g < p->own; g++)
    fold(p, &p->gpus[g].queue, memory((double)FLOATS * plane[0] * rows(p, plane[1]), SUM_FRACTION));
  // The host makes one number of what each leaves in its memory.
  for (int g = 0; g < p->own; g++)
    waits_until(p, p->gpus[g].queue + READ);
  if (p->ranks == 1)
    return;
  works(p, GATHER);
  spend(p);
  char own[4] = {0}, *all = malloc(p->ranks * sizeof own);
  MPI_Allgather(own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
  free(all);
}

static void read_and_reduce(Process *p, int count)
{
  double sums[2] = {0}, all[2];
  waits_until(p, p->gpus[0].queue + READ_BLOCKS + (double)count * BLOCKS * DOUBLES / HOST_COPY_BANDWIDTH);
  spend(p);
  MPI_Allreduce(sums, all, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void cg(Process *p)
{
  const int sides[] = {p->rank > 0 ? p->rank - 1 : MPI_PROC_NULL, p->rank + 1 < p->ranks ? p->rank + 1 : MPI_PROC_NULL};
  const int layers = rows(p, SIDE), layer = SIDE * SIDE, face = (7 * SIDE + 1) * (7 * SIDE + 1);
  const int ways = (sides[0] != MPI_PROC_NULL) + (sides[1] != MPI_PROC_NULL), shared = ways * face;
  const int ends = ways < layers ? ways : layers;
  const double nodes = (double)layers * layer * NODES, element = memory((double)layer * NODES * 9 * DOUBLES, OPERATOR_FRACTION);
  const double values = memory(shared * 2.0 * JOINED, 1);
  Gpu *gpu = &p->gpus[0];
  launch(p, memory(nodes * 3 * DOUBLES, 1));
  for (int e = 0; e < ends; e++)
    launch(p, element);
  double fetched = 0;
  if (ways > 0) {
    launch(p, values);
    works(p, 4 * QUEUE_CALL);
    fetched = later(now(p), gpu->queue + EVENT) + host_copy(shared * DOUBLES);
  }
  if (layers > ends)
    launch(p, (layers - ends) * element);
  launch(p, memory((double)layers * layer * ON_SURFACE * JOINED, JOIN_FRACTION));
  if (ways > 0) {
    MPI_Request requests[4];
    for (int s = 0; s < 2; s++)
      MPI_Irecv(in, face * DOUBLES, MPI_BYTE, sides[s], 0, MPI_COMM_WORLD, &requests[s]);
    waits_until(p, fetched);
    for (int s = 0; s < 2; s++) {
      if (!DIRECT && sides[s] != MPI_PROC_NULL)
        works(p, face * HOST_PACK);
      spend(p);
      MPI_Isend(out, face * DOUBLES, MPI_BYTE, sides[s], 0, MPI_COMM_WORLD, &requests[2 + s]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    direct(p);
    if (DIRECT)
      works(p, LAUNCH_HOST + LAUNCH_DEVICE + memory(shared * 3.0 * DOUBLES, 1));
    else
      works(p, shared * HOST_JOIN);
    gpu->queue = later(gpu->queue, now(p) + later(host_copy(shared * DOUBLES) + EVENT, 2 * QUEUE_CALL));
    works(p, 2 * QUEUE_CALL);
    launch(p, values);
    spend(p);
    MPI_Waitall(2, requests + 2, MPI_STATUSES_IGNORE);
  }
  launch(p, memory(nodes * 3 * DOUBLES, 1));
  read_and_reduce(p, 1);
  launch(p, memory(nodes * 9 * DOUBLES, 1));
  read_and_reduce(p, 2);
}

// When all that was begun is done.
static double done(const Process *p)
{
  double time = now(p);
  for (int g = 0; g < p->own; g++)
    time = later(time, later(p->gpus[g].queue, p->gpus[g].copies));
  return time;
}

int main(int count, char **words)
{
  Process process = {0}, *p = &process;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p->ranks);
  p->own = count > 3 ? atoi(words[3]) : 1;
  p->parts = p->ranks * p->own;
  p->strong = strcmp(words[2], "strong") == 0;
  void (*step)(Process *) = strcmp(words[1], "triad") == 0     ? triad
                            : strcmp(words[1], "stencil") == 0 ? stencil
                            : strcmp(words[1], "sum") == 0     ? sum
                                                               : cg;
  const int plane[] = PLANE, block[] = BLOCK;
  const int each = step == cg ? SIDE : step == stencil ? block[2] : plane[1];
  if (each * times(p) < p->parts) {
    MPI_Finalize();
    return 0;
  }
  double from = 0;
  for (int s = 0; s < WARM + STEPS; s++) {
    if (s == WARM)
      from = done(p);
    step(p);
  }
  const double own = (done(p) - from) / STEPS;
  double worst;
  spend(p);
  MPI_Reduce(&own, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (p->rank == 0)
    printf("%s %s %s %d %.2f\n", words[1], words[2], p->ranks > 1 ? "processes" : "process", p->parts, worst * 1e6);
  MPI_Finalize();
  return 0;
}
