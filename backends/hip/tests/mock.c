/* A HIP runtime with two devices that run on the host, for the driver's own tests: it checks what the
 * driver hands over. Its modules hold one kernel, `saxpy(int, struct { float; double; }, float *,
 * float *)`, and `null`, which stores whether its first argument is null. */
#include <stdlib.h>
#include <string.h>

enum { OK = 0, INVALID = 1, NO_MEMORY = 2, INVALID_DEVICE = 101, PEER = 704, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL = 700 };

static int pending, live;
static int stream_objects[8], module_object, saxpy_object, null_object;
static _Thread_local int current = -1;

/* Streams are done with what they are given at once, but for the first question after it. */
static int streams, asked, stream_devices[8];
static int is_stream(void *s) { return (int *)s >= stream_objects && (int *)s < stream_objects + streams; }

/* How many streams, modules and allocations are not given back. */
int mock_live(void) { return live; }

const char *hipGetErrorName(int e) { return e == ILLEGAL ? "hipErrorIllegalAddress" : "hipErrorOther"; }
const char *hipGetErrorString(int e) { return e == ILLEGAL ? "an illegal access" : "hipErrorOther"; }
int hipRuntimeGetVersion(int *v) { *v = 60342134; return OK; }
int hipGetDeviceCount(int *n) { *n = 2; return OK; }
int hipSetDevice(int d) { if (d < 0 || d > 1) return INVALID_DEVICE; current = d; return OK; }
int hipDeviceGetName(char *s, int n, int d) { (void)d; strncpy(s, "Mock Instinct", (size_t)n); return OK; }
int hipDeviceTotalMem(size_t *n, int d) { (void)d; *n = 1u << 30; return OK; }
int hipDeviceGetAttribute(int *v, int a, int d) {
  (void)d;
  switch (a) {
    case 26: case 27: case 28: *v = 1024; return OK;
    case 29: *v = 2147483647; return OK;
    case 30: case 31: *v = 65536; return OK;
    case 56: *v = 1024; return OK;
    case 63: *v = 104; return OK;
    case 74: *v = 65536; return OK;
    default: return INVALID;
  }
}
int hipGetDevicePropertiesR0600(void *p, int d) {
  (void)d;
  memset(p, 0, 1472);
  strcpy(p, "gfx000 is a name");
  strcpy((char *)p + 1160, "gfx90a:sramecc+:xnack-");
  return OK;
}
int hipMalloc(void **p, size_t n) {
  if (current < 0 || n > (1u << 30)) return NO_MEMORY;
  *p = malloc(n);
  ++live;
  return OK;
}
int hipFree(void *p) { free(p); --live; return OK; }
/* What a stream is given while it is captured becomes nodes, which are done when their graph is launched. */
struct pair { float scale; double shift; };
struct node { void *function; unsigned items; int count; struct pair pair; void *to; const void *from; size_t bytes; };
struct graph { int nodes; struct node all[8]; };
static void *captured;
static struct graph *capturing;

static int run(const struct node *node) {
  if (node->function == NULL) {
    memcpy(node->to, node->from, node->bytes);
    return OK;
  }
  if (node->function == &null_object) {
    *(int *)node->to = node->from == NULL;
    return OK;
  }
  float *y = node->to;
  if (y == NULL) {
    pending = ILLEGAL;
    return OK;
  }
  for (unsigned i = 0; i < node->items && i < (unsigned)node->count; ++i)
    y[i] += node->pair.scale * ((const float *)node->from)[i] + (float)node->pair.shift;
  return OK;
}
static int enqueue(void *s, struct node node) {
  if (s != captured) return run(&node);
  if (capturing->nodes == 8) return NO_MEMORY;
  capturing->all[capturing->nodes++] = node;
  return OK;
}

int hipMemcpyAsync(void *to, const void *from, size_t n, int kind, void *s) {
  if (!is_stream(s) || kind < 1 || kind > 3) return INVALID;
  return enqueue(s, (struct node){.to = to, .from = from, .bytes = n});
}
int hipStreamBeginCapture(void *s, int mode) {
  if (!is_stream(s) || mode != 1 || captured) return INVALID;
  captured = s;
  capturing = calloc(1, sizeof *capturing);
  ++live;
  return OK;
}
int hipStreamEndCapture(void *s, void **graph) {
  if (!captured || s != captured) return INVALID;
  captured = NULL;
  *graph = capturing;
  return OK;
}
int hipGraphInstantiate(void **exec, void *graph, void **node, char *log, size_t bytes) {
  if (!graph || node || log || bytes) return INVALID;
  *exec = memcpy(malloc(sizeof(struct graph)), graph, sizeof(struct graph));
  ++live;
  return OK;
}
int hipGraphLaunch(void *exec, void *s) {
  if (!is_stream(s) || s == captured || current < 0) return INVALID;
  const struct graph *graph = exec;
  for (int i = 0; i < graph->nodes; ++i) run(&graph->all[i]);
  return OK;
}
int hipGraphDestroy(void *graph) { free(graph); --live; return OK; }
int hipGraphExecDestroy(void *exec) { free(exec); --live; return OK; }
int hipMemsetAsync(void *p, int v, size_t n, void *s) {
  if (!is_stream(s)) return INVALID;
  memset(p, v, n);
  return OK;
}
int hipStreamCreateWithFlags(void **s, unsigned flags) {
  if (current < 0 || flags != 1) return INVALID;
  if (streams == 8) return NO_MEMORY;
  stream_devices[streams] = current;
  *s = &stream_objects[streams++];
  ++live;
  return OK;
}
int hipDeviceGetStreamPriorityRange(int *least, int *greatest) { *least = 1; *greatest = -1; return OK; }
int hipStreamCreateWithPriority(void **s, unsigned flags, int priority) {
  return priority == -1 ? hipStreamCreateWithFlags(s, flags) : INVALID;
}
/* A device reads another one's memory once it was let. */
static int reached[2][2];
int hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (peer == current || peer < 0 || peer > 1 || flags != 0) return INVALID_DEVICE;
  if (reached[current][peer]) return PEER;
  reached[current][peer] = 1;
  return OK;
}
int hipMemcpyPeerAsync(void *to, int there, const void *from, int here, size_t n, void *s) {
  if (!is_stream(s) || current != there || stream_devices[(int *)s - stream_objects] != there) return INVALID;
  if (here != there && !reached[there][here]) return INVALID;
  return enqueue(s, (struct node){.to = to, .from = from, .bytes = n});
}

/* RCCL: messages go once both sides have been said. */
struct communicator { int count, number, device; };
struct message { int goes, from, to; char *memory; size_t bytes; };
static struct message messages[8];
static int said, group;
const char *ncclGetErrorString(int e) { return e == 5 ? "invalid usage" : "an error"; }
int ncclGetUniqueId(char *id) { memset(id, 'B', 128); return 0; }
struct id { char bytes[128]; };
int ncclCommInitRank(void **made, int count, struct id id, int number) {
  if (id.bytes[0] != 'B' || id.bytes[127] != 'B' || number >= count || current < 0) return 5;
  struct communicator *one = malloc(sizeof *one);
  *one = (struct communicator){count, number, current};
  *made = one;
  return 0;
}
int ncclGroupStart(void) { return group++ == 0 ? 0 : 5; }
int ncclGroupEnd(void) {
  for (int i = 0; i < said; ++i)
    for (int j = 0; j < said; ++j) {
      struct message *a = &messages[i], *b = &messages[j];
      if (!a->bytes || a->bytes != b->bytes || !a->goes || b->goes || a->from != b->from || a->to != b->to) continue;
      memcpy(b->memory, a->memory, a->bytes);
      a->bytes = b->bytes = 0;
    }
  return --group == 0 ? 0 : 5;
}
static int message(struct message message, int type, const struct communicator *of, void *s) {
  if (said == 8 || type != 1 || group != 1 || !is_stream(s) || current != of->device) return 5;
  messages[said++] = message;
  return 0;
}
int ncclSend(const void *from, size_t n, int type, int to, struct communicator *of, void *s) {
  return message((struct message){1, of->number, to, (char *)from, n}, type, of, s);
}
int ncclRecv(void *to, size_t n, int type, int from, struct communicator *of, void *s) {
  return message((struct message){0, from, of->number, to, n}, type, of, s);
}
int hipStreamQuery(void *s) { return !is_stream(s) ? INVALID : asked++ % 2 == 0 ? NOT_READY : OK; }
int hipStreamWaitEvent(void *s, void *e, unsigned flags) { return is_stream(s) && e && flags == 0 ? OK : INVALID; }
int hipDeviceSynchronize(void) { return current >= 0 ? OK : INVALID_DEVICE; }
int hipEventCreate(void **e) { *e = calloc(1, sizeof(float)); ++live; return OK; }
int hipEventDestroy(void *e) { free(e); --live; return OK; }
int hipEventRecord(void *e, void *s) {
  static float now;
  if (!is_stream(s)) return INVALID;
  *(float *)e = now += 1.5f;
  return OK;
}
int hipEventQuery(void *e) { return !e ? INVALID : asked++ % 2 == 0 ? NOT_READY : OK; }
int hipEventSynchronize(void *e) { return e ? OK : INVALID; }
int hipEventElapsedTime(float *t, void *from, void *to) { *t = *(float *)to - *(float *)from; return OK; }
int hipHostMalloc(void **p, size_t n, unsigned flags) {
  if (flags != 3) return INVALID;
  *p = malloc(n);
  ++live;
  return OK;
}
int hipHostFree(void *p) { free(p); --live; return OK; }
int hipHostRegister(void *p, size_t n, unsigned flags) {
  if (p == NULL || n == 0 || flags != 3) return INVALID;
  ++live;
  return OK;
}
int hipHostUnregister(void *p) { (void)p; --live; return OK; }
int hipHostGetDevicePointer(void **d, void *p, unsigned flags) {
  *d = p;
  return p && flags == 0 ? OK : INVALID;
}
int hipStreamDestroy(void *s) { (void)s; --live; return OK; }
int hipStreamSynchronize(void *s) {
  int e = pending;
  pending = OK;
  return is_stream(s) ? e : INVALID;
}
int hipModuleLoadData(void **m, const void *image) {
  if (memcmp(image, "\177ELF", 4) != 0) return INVALID;
  *m = &module_object;
  ++live;
  return OK;
}
int hipModuleUnload(void *m) { (void)m; --live; return OK; }
int hipModuleGetFunction(void **f, void *m, const char *name) {
  (void)m;
  *f = strcmp(name, "saxpy") == 0 ? &saxpy_object : strcmp(name, "null") == 0 ? &null_object : NULL;
  return *f ? OK : NOT_FOUND;
}
int hipFuncGetAttribute(int *v, int a, void *f) { (void)a; *v = f == &saxpy_object ? 256 : 1024; return OK; }

int hipModuleLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                          unsigned bz, unsigned shared, void *s, void **a, void **extra) {
  if (!is_stream(s) || shared != 0 || extra != NULL || current < 0) return INVALID;
  if (f == &null_object) return enqueue(s, (struct node){.function = f, .from = *(void **)a[0], .to = *(void **)a[1]});
  return enqueue(s, (struct node){.function = f, .items = gx * gy * gz * bx * by * bz, .count = *(int *)a[0],
                                  .pair = *(struct pair *)a[1], .from = *(void **)a[2], .to = *(void **)a[3]});
}
