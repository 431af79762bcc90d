/* The C interface of brook's runtime: streams, and calls of kernels over them; device memory, programs, and launches
 * of OKL kernels.
 *
 * Functions that return int return 0 on success. On failure they return the code that
 * brook_last_error_code gives, too, and brook_last_error says what happened; both are per thread.
 * Functions that return a pointer return NULL on failure. No function ends the process.
 *
 * Every function checks its handles: one of another kind, one that was released, or that this library
 * never gave out, is an error. Handles are not addresses, though they look like pointers.
 *
 * An error that nobody asks for is printed. If the process would end with status 0 all the same, it ends
 * with the error's exit code: what it has computed is not what it should be. Errors of streams are asked for
 * by brook_stream_error and brook_stream_error_log, what a thread's last call failed with by
 * brook_last_error and brook_last_error_code.
 */
#ifndef BROOK_ABI_H
#define BROOK_ABI_H

#include <stddef.h>

/* Which interface this is: raised where a function or a struct changes, not where something is added. A library of
 * another version is not this header's: compare with brook_abi_version. */
#define BROOK_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* A source with kernels; built for a device when a kernel of it is first called there. */
struct brook_module;

/* Elements in device memory, in one to four dimensions, and what went wrong with them;
 * reference-counted. */
struct brook_stream;

/* A device; never freed. */
struct brook_device;

/* Calls that are recorded once and replayed. */
struct brook_sequence;

/* Device memory with elements of one type, or a part of such memory; reference-counted. It is freed when the last
 * part of it is released, and whatever was launched over it has ended. */
struct brook_memory;

/* A source that was built for a device; reference-counted. */
struct brook_program;

/* A kernel of a program; reference-counted. */
struct brook_kernel;

/* A program in a device's own language, and a kernel of it. */
struct brook_native_program;
struct brook_native_kernel;

/* What is enqueued is done in order, beside the work of other queues and of the host; reference-counted, and waited
 * for with the last reference. */
struct brook_queue;

/* A place in a queue; reference-counted. */
struct brook_event;

/* Device memory that is kept for the next who needs some; reference-counted. */
struct brook_pool;

/* Processes of a job; reference-counted. */
struct brook_communicator;

/* Which entries of arrays have the same number, here and in other processes; reference-counted. */
struct brook_gather_scatter;

/* Host memory that a device copies from and to without a detour. */
struct brook_pinned;

#ifndef __cplusplus
/* C++ has these names already, and without typedefs a variable may have them, too. */
typedef struct brook_module brook_module;
typedef struct brook_stream brook_stream;
typedef struct brook_device brook_device;
typedef struct brook_sequence brook_sequence;
typedef struct brook_memory brook_memory;
typedef struct brook_program brook_program;
typedef struct brook_kernel brook_kernel;
typedef struct brook_native_program brook_native_program;
typedef struct brook_native_kernel brook_native_kernel;
typedef struct brook_queue brook_queue;
typedef struct brook_event brook_event;
typedef struct brook_pool brook_pool;
typedef struct brook_communicator brook_communicator;
typedef struct brook_gather_scatter brook_gather_scatter;
typedef struct brook_pinned brook_pinned;
#endif

/* Scalar types. */
enum brook_type {
    BROOK_STRUCTURE = -1, /* elements of device memory only: so many bytes */
    BROOK_BOOL = 0,
    BROOK_CHAR = 1, /* signed, 8 bits */
    BROOK_UCHAR = 2,
    BROOK_SHORT = 3,
    BROOK_USHORT = 4,
    BROOK_INT = 5,
    BROOK_UINT = 6,
    BROOK_LONG = 7, /* 64 bits */
    BROOK_ULONG = 8,
    BROOK_FLOAT = 9,
    BROOK_DOUBLE = 10,
    /* BrookGPU's fixed point, only what elements are: 8 or 16 bits for 0 to 1 */
    BROOK_FIXED = 11,
    BROOK_SHORTFIXED = 12
};

/* What an argument is. A struct is passed as a variable or an array of bytes, of BROOK_UCHAR in one dimension;
 * in an array of structs their size is the last extent. */
enum brook_argument_kind {
    /* A scalar or a packed vector at data. */
    BROOK_VALUE = 0,
    /* A stream: data is a brook_stream*. For a pointer of an OKL kernel it is the address of its first
     * element: the elements of a part must lie side by side, and be of the type that the pointer is to. */
    BROOK_STREAM = 1,
    /* A value in a variable of the caller's: a reduction stores its result there. */
    BROOK_VARIABLE = 2,
    /* An array in host memory, row-major and packed, for a parameter with brackets. */
    BROOK_ARRAY = 3,
    /* A stream in a variable of the caller's: data is a brook_stream**. A variable output of a kernel
     * (vout) puts another stream there and releases the one before. */
    BROOK_STREAM_VARIABLE = 4,
    /* An array in host memory as large as the kernel's parameter says it is; rank and bytes are 0. */
    BROOK_POINTER = 5,
    /* For brook_kernel_launch, which takes these five and BROOK_VALUE. Device memory: data is a brook_memory*. */
    BROOK_MEMORY = 6,
    /* The same, for a kernel that must not write it: a pointer that is not to const refuses it. */
    BROOK_READ_ONLY_MEMORY = 7,
    /* A pointer to nothing. */
    BROOK_NULL = 8,
    /* A value of another type, such as a struct: its bytes. */
    BROOK_BYTES = 9,
    /* Device memory whatever the pointer is to: there has to be enough for what the kernel takes it for. */
    BROOK_UNTYPED_MEMORY = 10
};

/* What brook_gather and brook_scatter do with an array's element. */
enum brook_operation {
    BROOK_GATHER_FETCH = 0, /* nothing */
    BROOK_GATHER_INC = 1,   /* add 1 */
    BROOK_SCATTER_ASSIGN = 2,
    BROOK_SCATTER_ADD = 3,
    BROOK_SCATTER_MUL = 4,
    BROOK_KERNEL = 5, /* what a kernel says */
    /* Added to one of a scatter: source[i] = operation(array[index[i]], source[i]), as BrookGPU's runtime did
     * it. */
    BROOK_RUNTIME_ORDER = 16
};

/* One argument of a call. */
typedef struct brook_argument {
    int kind;            /* enum brook_argument_kind */
    int type;            /* enum brook_type, of each component; unused for streams */
    unsigned width;      /* components of a value, or of an array's element: 1 to 4 */
    unsigned rank;       /* dimensions of an array; 0 otherwise */
    unsigned extents[4]; /* of an array, slowest first */
    size_t bytes;        /* size of what data points at; 0 for streams */
    void *data;
} brook_argument;

/* Where a kernel runs instead of for all of its first output; fastest dimension first. Dimensions that the output
 * has not got have no offset, and a size of 0 or 1. */
typedef struct brook_domain {
    int has_offset, has_size; /* what is not given is the stream's */
    unsigned offset[4], size[4];
} brook_domain;

/* The arithmetic contract of a build. */
enum brook_math {
    BROOK_MATH_DEFAULT = 0, /* contraction as the device's compiler does it, in Brook+ where a product stands in a sum; / and sqrt correctly rounded */
    BROOK_MATH_STRICT = 1,  /* no contraction: the same bits on every device */
    BROOK_MATH_FAST = 2     /* the device's fast mode */
};

/* A file that is not on the disk. */
typedef struct brook_file {
    const char *name; /* the path that leads to it: of the source's directory, or of one where includes are searched */
    const char *text;
    size_t length;
} brook_file;

/* How a program is built. Lists of strings end with NULL; what is NULL or 0 is not asked for. */
typedef struct brook_build_options {
    size_t size;                           /* sizeof(brook_build_options) */
    const char *const *defines;            /* NAME=VALUE; NAME alone is 1 */
    const char *const *include_directories; /* searched after the source's own */
    const char *const *forced_includes;    /* files whose text stands before the source */
    const char *const *flags;              /* for the device's compiler */
    const char *const *instances;          /* kernels of templates: f<float, 4> */
    const char *intrinsics;                /* a table of functions that each backend spells in its own way */
    const char *standard;                  /* in the words of the device's compiler: c++20, CL2.0 */
    const char *checking;                  /* flags of Brook+'s checker, as brook_module_create takes them */
    int math;                              /* enum brook_math */
    int no_cache;                          /* neither read nor fill the kernel cache */
    int no_auto_barriers;                  /* no barriers between @inner loops where OKL implies them */
    int no_widen;                          /* items run one iteration each */
    int line_directives;                   /* the compiler's messages name the source's lines */
    /* Found before those of the disk; the last has no name. What begins with embedded:/ is never looked for there, nor
     * are include directories of that name. */
    const brook_file *files;
    const char *tuned;     /* a folder with what `brook tune` found; without it BROOK_TUNED may name one */
    const char *tuned_for; /* of what was found, that with these values and sizes: n=4096 */
} brook_build_options;

/* Sources inside of a program, and how they are built: what `brook embed` makes for brook_add_kernels of CMake. */
typedef struct brook_embedded {
    size_t size;                        /* sizeof(brook_embedded) */
    const brook_file *files;            /* the last has no name; one without text is on the disk */
    size_t sources;                     /* so many of them are sources, the others are included by these */
    const brook_build_options *options; /* may be NULL */
    const void *package;                /* what `brook compile` made of the sources, or NULL */
    size_t package_length;
} brook_embedded;

/* A parameter of a kernel. */
typedef struct brook_parameter {
    const char *name;      /* lives as long as the kernel, as the next */
    const char *type_name; /* float, float4, unsigned int, struct Ray: of what a pointer points at */
    int type;              /* enum brook_type of each component; BROOK_STRUCTURE for what is no number or vector */
    unsigned width;        /* components; of a structure 1 */
    size_t bytes;          /* of a value, or of an element behind a pointer, in device memory; 0 if that is not known */
    int is_pointer;
    int is_const;
} brook_parameter;

/* Exit codes, as brook_last_error_code gives them. */
enum brook_status {
    BROOK_SUCCESS = 0,
    BROOK_INPUT_ERROR = 1,  /* the source, or the arguments of a call */
    BROOK_DEVICE_ERROR = 3, /* no compiler, no device, or the device failed */
    BROOK_INTERNAL_ERROR = 4
};

/* What went wrong with a stream, as brook_stream_error gives it. */
enum brook_stream_status {
    BROOK_STREAM_NO_ERROR = 0,
    BROOK_STREAM_DECLARATION = 1,
    BROOK_STREAM_READ = 2,
    BROOK_STREAM_WRITE = 3,
    BROOK_STREAM_KERNEL = 4,
    BROOK_STREAM_DOMAIN = 5,
    BROOK_STREAM_INVALID_PARAMETER = 6,
    BROOK_STREAM_NOT_SUPPORTED = 7,
    BROOK_STREAM_ASSIGN = 8,
    BROOK_STREAM_WARNING = 9 /* no error: only in the log */
};

/* name is what messages call the source; its ending .br says that it is Brook+, anything else is
 * OKL. defines holds lines of the form NAME=VALUE, or is NULL; a line that begins with - has
 * flags of Brook+'s checker: -a relaxed, -c without constant arrays, -g BrookGPU's
 * dialect. All strings are copied. */
brook_module *brook_module_create(const char *name, const char *source, size_t length,
                                  const char *defines);
void brook_module_release(brook_module *module);

/* A stream of zeros on the current device. element_type is a type's name, such as "float4"; extents
 * are slowest first, as in float s<rows, columns>. */
brook_stream *brook_stream_create(const char *element_type, unsigned rank,
                                  const unsigned *extents_slowest_first);
/* The same, but a stream that cannot be made is one with an error. binding names the interface whose
 * memory it shall be, or is NULL. */
brook_stream *brook_stream_declare(const char *element_type, unsigned rank,
                                   const unsigned *extents_slowest_first, const char *binding);
/* Returns its argument. */
brook_stream *brook_stream_retain(brook_stream *stream);
void brook_stream_release(brook_stream *stream);

/* Size of all elements. */
size_t brook_stream_bytes(const brook_stream *stream);

/* The extents, slowest first, into room for four; returns how many there are. */
unsigned brook_stream_extents(const brook_stream *stream, unsigned *extents);
/* What its elements are: enum brook_type of each component, and how many there are; -1 for structs and
 * arrays. */
int brook_stream_element(const brook_stream *stream, unsigned *width);

/* Fills the stream from brook_stream_bytes bytes of host memory (streamRead). flags is NULL or holds words:
 * async (the copy may go on after the call) and nocopy (the device may use the host's memory itself);
 * where that cannot be done it is not done. Without async the memory may be freed afterwards; with it
 * it is left alone until brook_stream_is_sync or brook_stream_finish says that the copy has ended, or
 * the stream has. */
int brook_stream_read(brook_stream *stream, const void *from, const char *flags);
/* Copies the stream to brook_stream_bytes bytes of host memory (streamWrite). With the flag async
 * the memory belongs to the copy until brook_stream_is_sync or brook_stream_finish says that it has
 * ended, or the stream has. */
int brook_stream_write(const brook_stream *stream, void *to, const char *flags);
/* Copies the elements of another stream of the same type and shape, on any device. */
int brook_stream_assign(brook_stream *stream, const brook_stream *source);

/* Whether all copies and kernels asked for are done. */
int brook_stream_is_sync(const brook_stream *stream);
/* Waits until they are. */
int brook_stream_finish(const brook_stream *stream);

/* The part from start up to, but without, end: count numbers each, fastest dimension first; a count
 * of 0 means one for each dimension. It shares the stream's memory. A part that cannot be made is a
 * stream with an error. */
brook_stream *brook_stream_domain(const brook_stream *stream, unsigned count, const unsigned *start,
                                  const unsigned *end);
/* The stream, for kernels to write its first elements only. */
brook_stream *brook_stream_exec_domain(const brook_stream *stream, int threads);

/* How a stream lies on the devices of a set, such as "cuda:0,cuda:1", which are numbered from 0 on. Its rows are those along its slowest
 * dimension of more than one. */
/* How many devices a set is of; 0 of what is no set. */
size_t brook_device_parts(const brook_device *device);
/* Gives each device so many rows, in order, instead of as many as the others; rows are brought where they now belong, and kernels that
 * write the stream run there. There is a number for each device, and their sum is the number of rows. */
int brook_stream_share_out(const brook_stream *stream, size_t parts, const size_t *counts);
/* Has rows brought to a device before a kernel there reads them. */
int brook_stream_prefetch(const brook_stream *stream, size_t part, size_t first, size_t count);
/* The rows that a device has as they are now, as pairs of a first row and how many there are: of as many pairs as there is room for. How
 * many there are in all. */
size_t brook_stream_rows_on(const brook_stream *stream, size_t part, size_t *rows, size_t room);

/* Errors stay with the stream they happen to and spread to every stream computed from it. The first
 * one since this was last asked: enum brook_stream_status. An error that nobody asks for is printed
 * when the last stream that has it dies, or the process ends. BRT_LOG_FILE names a file that all are written to. */
int brook_stream_error(brook_stream *stream);
/* The messages of all errors so far, a line each; valid until this is called after another
 * error. */
const char *brook_stream_error_log(brook_stream *stream);

/* A stream that is declared with a binding is in another interface's memory, and of no use before that is named:
 * pointer for "cuda", "hip" and "host", mem for "opencl" (a cl_mem). The memory stays the caller's and
 * outlives the stream. */
int brook_stream_set_property(brook_stream *stream, const char *name, void *value);

/* Calls a kernel. domain is NULL or says where it runs. A kernel of Brook+ reads what its streams held before the
 * call, also where it writes them. */
int brook_call(brook_module *module, const char *kernel, const brook_domain *domain,
               const brook_argument *arguments, size_t count);

/* From here on, brook_call records what this thread calls on its current device instead of doing it, until
 * brook_record_end; everything else is done at once, as ever. Numbers, and arrays of the host, are kept as they
 * are now. A call that needs the host each time fails: a reduction into a variable, one with variable outputs,
 * one that has to copy what it reads because it writes it. */
int brook_record_begin(void);
/* What was recorded. A call that failed meanwhile is not part of it. */
brook_sequence *brook_record_end(void);
/* Does what was recorded, in order with other calls, over what the streams hold by now. The streams live as long
 * as the sequence. */
int brook_sequence_launch(const brook_sequence *sequence);
void brook_sequence_release(brook_sequence *sequence);

/* target[i] = array[index[i]], one after the other, and the array's element becomes what the operation, enum
 * brook_operation, makes of it. index has a number for each dimension of the array, rounded, x the
 * fastest, or one that counts its elements row by row; places are clamped to the array. module and
 * kernel are for BROOK_KERNEL: a kernel of one element, or a reduction. */
int brook_gather(const brook_stream *target, const brook_stream *index, const brook_stream *array,
                 int operation, const brook_module *module, const char *kernel);
/* array[index[i]] = operation(source[i], array[index[i]]), one after the other; places outside of the array
 * are left out. */
int brook_scatter(const brook_stream *source, const brook_stream *index, const brook_stream *array,
                  int operation, const brook_module *module, const char *kernel);

/* Waits for every kernel called so far on the current device. */
int brook_finish(void);

/* The devices of a type: "cal" (GPUs), "cpu" or "all". The list is never freed. */
const brook_device *const *brook_devices(const char *type, unsigned *count);
/* The device of this thread: streams are made and kernels run there. NULL if there is none. */
const brook_device *brook_current_device(void);
/* Chooses the device of this thread. */
void brook_use_device(const brook_device *device);
/* The device that holds a stream; NULL if the stream could not be made. */
const brook_device *brook_stream_device(const brook_stream *stream);
/* A device's name, such as "cuda:0". */
const char *brook_device_name(const brook_device *device);
/* What code is made for there: sm_90, gfx90a:sramecc+:xnack-, or the driver's name for it. */
const char *brook_device_architecture(const brook_device *device);
/* "cpu" or "cal". */
const char *brook_device_type(const brook_device *device);
/* The interfaces whose memory can be streams there, separated by spaces: see brook_stream_set_property. */
const char *brook_device_bindings(const brook_device *device);

/* What lies beneath: context and device of OpenCL, context of CUDA; NULL for what a device has not got. */
void *brook_device_native(const brook_device *device, const char *what);
/* Where a stream's memory begins: an address of CUDA, HIP or the host, a cl_mem; NULL if the driver does not say.
 * What uses it stays in order with kernels by brook_stream_finish. */
void *brook_stream_native(const brook_stream *stream);

/* --- Device memory, programs, and launches of OKL kernels. Errors are returned, and stay with nobody. Functions that
 * return a size or a number return 0 on failure, those that say whether something is so return -1. --- */

/* BROOK_ABI_VERSION of the library. */
unsigned brook_abi_version(void);

/* The device of a name, such as "cuda:0", "opencl:1" or "openmp", or for NULL that of this thread: the one that was
 * chosen, that BROOK_DEVICE names, or the best there is. */
const brook_device *brook_device_open(const char *name);
/* Waits for everything launched and copied there, in whichever queue, and reports what failed. */
int brook_device_finish(const brook_device *device);
/* Whether calls of Brook+ kernels wait until their results are needed, and run as fewer kernels with the same results, to
 * the bit: BROOK_FUSION_ON fuses those that come so often that it pays to build a kernel for them, BROOK_FUSION_NOW all. As
 * long as this has not been called, the environment variable BROOK_FUSION says it (off, on, now); off without it. What is
 * recorded becomes fewer kernels then, too: calls of Brook+ kernels, and launches of OKL kernels whose items touch only
 * their own elements. */
enum brook_fusion { BROOK_FUSION_OFF = 0, BROOK_FUSION_ON = 1, BROOK_FUSION_NOW = 2 };
int brook_device_fuse(const brook_device *device, int fusion);

/* Memory of count elements: enum brook_type and how many components (4 for a float4), or BROOK_STRUCTURE and the
 * structure's size. Its elements are those at from, or zeros if that is NULL. */
brook_memory *brook_memory_create(const brook_device *device, int type, unsigned width, size_t count,
                                  const void *from);
/* Somebody else's memory, from a byte on: an address that CUDA or HIP gave, a cl_mem of the device's context, host memory
 * for the processor. It is not freed, and has to outlive the memory, its parts, and what was launched over them. */
brook_memory *brook_memory_import(const brook_device *device, int type, unsigned width, size_t count,
                                  void *native, size_t offset);
/* Memory of zeros that kernels and the host both use, where brook_memory_host says: for GPUs page-locked memory of the
 * host's, for the processor any. OpenCL's GPUs with memory of their own have none. What kernels write is there once they have
 * ended. */
brook_memory *brook_memory_create_shared(const brook_device *device, int type, unsigned width, size_t count);
/* The host's own memory, which has to outlive the memory, its parts, and what was launched over them; page-locked meanwhile
 * where devices need that. Devices without memory that both use refuse it. */
brook_memory *brook_memory_import_host(const brook_device *device, int type, unsigned width, size_t count,
                                       void *host);
/* Where the host finds its first element, of memory that both use; else NULL. */
void *brook_memory_host(const brook_memory *memory);
/* Returns its argument. */
brook_memory *brook_memory_retain(brook_memory *memory);
void brook_memory_release(brook_memory *memory);
/* Number of elements. */
size_t brook_memory_count(const brook_memory *memory);
/* What they are: enum brook_type of each component, and how many; BROOK_STRUCTURE and the size for structures. */
int brook_memory_element(const brook_memory *memory, unsigned *width);
const brook_device *brook_memory_device(const brook_memory *memory);
/* count elements from number first on. It is the same memory: what one writes the other reads. */
brook_memory *brook_memory_part(const brook_memory *memory, size_t first, size_t count);
/* The same memory as elements of another type, of which it has to be a whole number. */
brook_memory *brook_memory_cast(const brook_memory *memory, int type, unsigned width);
/* Copies count elements of the host to those from number first on. */
int brook_memory_write(const brook_memory *memory, size_t first, size_t count, const void *from);
/* Copies count elements from number first on to the host, after everything launched so far. */
int brook_memory_read(const brook_memory *memory, size_t first, size_t count, void *to);
/* Fills it with zero bytes. */
int brook_memory_zero(const brook_memory *memory);
/* Copies count elements of memory of the same element type, on any device, after everything launched so far. The two
 * may overlap. */
int brook_memory_copy(const brook_memory *to, size_t to_first, const brook_memory *from, size_t from_first,
                      size_t count);
/* Where it begins: an address of CUDA, HIP or the host, or a cl_mem and the byte in it (offset, 0 for all others, may be
 * NULL); NULL if the driver does not say. */
void *brook_memory_native(const brook_memory *memory, size_t *offset);

/* A pool, empty at first. Its memory goes back to it when the last part is released, and is used again once everything
 * has finished that was enqueued before. */
brook_pool *brook_pool_create(const brook_device *device);
/* Returns its argument. */
brook_pool *brook_pool_retain(brook_pool *pool);
void brook_pool_release(brook_pool *pool);
/* As brook_memory_create, from the pool. */
brook_memory *brook_pool_memory(const brook_pool *pool, int type, unsigned width, size_t count,
                                const void *from);
/* Bytes in use, and bytes that are kept for the next who needs some; each may be NULL. */
int brook_pool_bytes(const brook_pool *pool, size_t *used, size_t *idle);
/* Gives what nobody uses back to the device. */
int brook_pool_trim(const brook_pool *pool);

/* So many bytes of zeros, aligned for every vector type: page-locked for GPUs, ordinary for the processor. */
brook_pinned *brook_pinned_create(const brook_device *device, size_t bytes);
void *brook_pinned_data(const brook_pinned *pinned);
void brook_pinned_release(brook_pinned *pinned);

/* Translates a source for a device, compiles and loads it; what was built before comes from the kernel cache. name is
 * what messages call it: its ending .br says that it is Brook+, anything else is OKL. options may be NULL. */
brook_program *brook_program_build(const brook_device *device, const char *name, const char *source,
                                   size_t length, const brook_build_options *options);
/* The same with a file. */
brook_program *brook_program_build_file(const brook_device *device, const char *path,
                                        const brook_build_options *options);
/* The same with a source inside of the program: name is its path or the end of it, from a folder's or the file's name on.
 * What options ask for comes behind the program's own. If they ask for nothing, what was compiled ahead of time and fits
 * the device is loaded instead. */
brook_program *brook_program_build_embedded(const brook_device *device, const brook_embedded *embedded,
                                            const char *name, const brook_build_options *options);
/* Loads what `brook compile` wrote, by no compiler: the image that fits the device best. name is the source's, without its
 * folder, where the file has several; NULL for the only one. */
brook_program *brook_program_load(const brook_device *device, const char *path, const char *name);
/* The same with the file's bytes, which are not needed any more afterwards. */
brook_program *brook_program_load_bytes(const brook_device *device, const void *bytes, size_t length,
                                        const char *name);
/* Compiles a source as for brook_program_build and writes what brook_program_load takes on the same device, as
 * `brook compile` does. The kernel cache is not asked. */
int brook_package_write(const brook_device *device, const char *name, const char *source, size_t length,
                        const brook_build_options *options, const char *path);
/* Returns its argument. */
brook_program *brook_program_retain(brook_program *program);
void brook_program_release(brook_program *program);
/* The transpiler's warnings; NULL if there were none, or the program came from the cache. */
const char *brook_program_warnings(const brook_program *program);
/* Whether neither transpiler nor compiler had to run. */
int brook_program_is_cached(const brook_program *program);
/* The names of its kernels, from 0 on; NULL behind the last. */
const char *brook_program_kernel_name(const brook_program *program, size_t index);

/* A kernel of the program, which lives as long as it. An instance of a template is called by the name it was asked for.
 * A template itself is a kernel, too: the types of a launch's arguments say what its parameters are, and the kernel for
 * them is built at the first such launch and kept. f<float, 4> is that template with the first of its arguments, and is
 * built now if nothing else is needed. */
brook_kernel *brook_program_kernel(const brook_program *program, const char *name);
/* Returns its argument. */
brook_kernel *brook_kernel_retain(brook_kernel *kernel);
void brook_kernel_release(brook_kernel *kernel);
const char *brook_kernel_name(const brook_kernel *kernel);
/* How many parameters it has. */
size_t brook_kernel_parameter_count(const brook_kernel *kernel);
/* One of them, from 0 on. Of a template, a type that depends on its parameters is BROOK_STRUCTURE of 0 bytes, and
 * type_name is as it stands there: T. */
int brook_kernel_parameter(const brook_kernel *kernel, size_t index, brook_parameter *parameter);

/* The names of a template's parameters, from 0 on; NULL behind the last, and of a kernel that is no template. */
const char *brook_kernel_template_parameter(const brook_kernel *kernel, size_t index);
/* A template with one of its arguments, by the parameter's name: a type, or a value as the source has it ("4"). What is
 * not given is deduced at each launch. Pointers decide: memory of floats for a T * says that T is float, and two of two
 * types are an error; elements of two or four numbers are vectors. Where no pointer says it, values of type T do, by their
 * own types; else the template's default holds. BROOK_BYTES, BROOK_NULL, BROOK_UNTYPED_MEMORY and structures say nothing. */
brook_kernel *brook_kernel_with(const brook_kernel *kernel, const char *parameter, const char *argument);
/* The kernel that a launch with such arguments runs, built if there is none yet; of a kernel that is no template, another
 * handle of that. Only the types count. */
brook_kernel *brook_kernel_instance(const brook_kernel *kernel, const brook_argument *arguments, size_t count);

/* Launches an OKL kernel, in the device's own queue if queue is NULL, and returns before it has ended. Number, types,
 * constness and devices of the arguments are checked: an integer has to fit its parameter, memory has to be of the
 * pointer's type. Which elements the kernel reads and writes is its own affair: nothing checks that. While this thread
 * records, a launch without a queue is recorded instead. */
int brook_kernel_launch(const brook_kernel *kernel, const brook_queue *queue, const brook_argument *arguments,
                        size_t count);
/* The same in a queue; the event happens when the kernel has ended. */
brook_event *brook_kernel_launch_async(const brook_kernel *kernel, const brook_queue *queue,
                                       const brook_argument *arguments, size_t count);

/* Compiles a source in the device's own language (CUDA C++, HIP, OpenCL C) as it is. name is what the compiler's messages
 * call it. Of the options it takes defines, include_directories, forced_includes, flags, standard and math. The processor
 * has no such language. */
brook_native_program *brook_native_program_build(const brook_device *device, const char *name, const char *source,
                                                 size_t length, const brook_build_options *options);
/* Returns its argument. */
brook_native_program *brook_native_program_retain(brook_native_program *program);
void brook_native_program_release(brook_native_program *program);
/* The kernel of that name: in CUDA and HIP one of extern "C". */
brook_native_kernel *brook_native_program_kernel(const brook_native_program *program, const char *name);
/* Returns its argument. */
brook_native_kernel *brook_native_kernel_retain(brook_native_kernel *kernel);
void brook_native_kernel_release(brook_native_kernel *kernel);
/* Launches it over so many groups of so many items each along x, y and z, in the device's own queue if queue is NULL.
 * Nothing is known of its parameters, so nothing is checked but the memory's device: a BROOK_VALUE is passed as what it
 * is. It is not recorded. */
int brook_native_kernel_launch(const brook_native_kernel *kernel, const brook_queue *queue, const size_t *groups,
                               const unsigned *items, const brook_argument *arguments, size_t count);

brook_queue *brook_queue_create(const brook_device *device);
/* Somebody else's queue of the device: a CUstream, hipStream_t, or cl_command_queue in order. What goes through this is in
 * order with what they put there. It is not destroyed, and has to outlive this. The processor has none to import. */
brook_queue *brook_queue_import(const brook_device *device, void *native);
/* The queue of everything that names none. */
brook_queue *brook_queue_default(const brook_device *device);
/* Returns its argument. */
brook_queue *brook_queue_retain(brook_queue *queue);
void brook_queue_release(brook_queue *queue);
/* Waits for everything enqueued so far, and reports what failed of it. */
int brook_queue_wait(const brook_queue *queue);
/* Whether everything enqueued so far has finished, well or not; of an imported queue of OpenCL, what others have put into it
 * until this was first asked. */
int brook_queue_is_done(const brook_queue *queue);
/* A mark behind everything enqueued so far. */
brook_event *brook_queue_record(const brook_queue *queue);
/* What is enqueued from now on begins after the event, which may be of any queue of any device. */
int brook_queue_wait_for(const brook_queue *queue, const brook_event *event);
/* As brook_memory_write, brook_memory_read and brook_memory_copy, in the queue: the call may return before the copy has
 * been made, and until then the host's memory is left alone. Memory of the device is of the queue's, and a copy's two
 * sides do not overlap. */
int brook_queue_write(const brook_queue *queue, const brook_memory *memory, size_t first, size_t count,
                      const void *from);
int brook_queue_read(const brook_queue *queue, const brook_memory *memory, size_t first, size_t count, void *to);
int brook_queue_copy(const brook_queue *queue, const brook_memory *to, size_t to_first,
                     const brook_memory *from, size_t from_first, size_t count);
/* CUstream, hipStream_t or cl_command_queue; NULL where there is none. */
void *brook_queue_native(const brook_queue *queue);
const brook_device *brook_queue_device(const brook_queue *queue);

/* Returns its argument. */
brook_event *brook_event_retain(brook_event *event);
void brook_event_release(brook_event *event);
/* Waits until everything before it has finished. */
int brook_event_wait(const brook_event *event);
/* Whether that is so. */
int brook_event_is_done(const brook_event *event);
/* CUevent, hipEvent_t or cl_event; NULL where there is none. */
void *brook_event_native(const brook_event *event);
/* Seconds from an earlier event of the same device to a later one, after both have happened; by the device's own clock
 * where it has one. */
int brook_event_elapsed(const brook_event *earlier, const brook_event *later, double *seconds);

/* As brook_record_begin, for a device of the caller's choice. */
int brook_record_begin_on(const brook_device *device);
/* As brook_queue_copy, recorded: brook_memory_copy is done at once, as ever. */
int brook_record_copy(const brook_memory *to, size_t to_first, const brook_memory *from, size_t from_first,
                      size_t count);
/* As brook_sequence_launch, in a queue; a sequence with calls over streams is not for one. */
int brook_sequence_launch_on(const brook_sequence *sequence, const brook_queue *queue);

/* All processes of the job that mpirun has started; only this one where it has not. MPI is the one that started them, found
 * when it is first needed: BROOK_MPICC names its mpicc. It is started unless the program has done that, and then ends with
 * the process. All processes call this at once, and so they do with whatever has a communicator below. */
brook_communicator *brook_communicator_world(void);
/* The processes of a communicator that the program has: MPI_Comm_c2f(comm). Messages do not mix with the program's. */
brook_communicator *brook_communicator_import(int fortran);
/* Returns its argument. */
brook_communicator *brook_communicator_retain(brook_communicator *communicator);
void brook_communicator_release(brook_communicator *communicator);
/* This process's number, from 0 on, and how many there are; -1 of what is no communicator. */
int brook_communicator_rank(const brook_communicator *communicator);
int brook_communicator_size(const brook_communicator *communicator);
/* The device that this process takes of those of its machine: "cuda" is the GPU of its number among the processes there,
 * NULL the best kind of device that there is; a name with a number is that device. It is not a call of all. */
const brook_device *brook_device_open_local(const char *name, const brook_communicator *communicator);
/* As brook_program_build, for a device of each process, which are of one architecture: what no process has in its kernel
 * cache one of them compiles for all. An error of the source is everybody's. */
brook_program *brook_program_build_together(const brook_device *device, const brook_communicator *communicator,
                                            const char *name, const char *source, size_t length,
                                            const brook_build_options *options);
/* The same with a file. */
brook_program *brook_program_build_file_together(const brook_device *device, const brook_communicator *communicator,
                                                 const char *path, const brook_build_options *options);

/* What is made of entries of the same number. */
enum brook_reduction { BROOK_SUM = 0, BROOK_PRODUCT = 1, BROOK_MIN = 2, BROOK_MAX = 3 };
/* For arrays whose entry i has the number numbers[i]: 1 or more, or 0 of an entry that stays as it is. The same numbers of
 * other processes are the same entries, unless communicator is NULL. */
brook_gather_scatter *brook_gather_scatter_create(const brook_device *device, const brook_communicator *communicator,
                                                  const long long *numbers, size_t count);
/* Returns its argument. */
brook_gather_scatter *brook_gather_scatter_retain(brook_gather_scatter *all);
void brook_gather_scatter_release(brook_gather_scatter *all);
/* Gives entries of the same number the sum (product, least, greatest) of all of them, joined in the order of the
 * processes. memory is of float, double, int or long long: so many fields, one behind the other, of as many entries as
 * there are numbers. */
int brook_gather_scatter_run(const brook_gather_scatter *all, const brook_memory *memory, size_t fields, int reduction);
/* The same in two steps. What is launched between them leaves entries alone that other processes have, and goes on while
 * messages are under way. */
int brook_gather_scatter_begin(const brook_gather_scatter *all, const brook_memory *memory, size_t fields, int reduction);
int brook_gather_scatter_finish(const brook_gather_scatter *all);

/* What went wrong in the last call of this thread that failed; never NULL, and valid until the next
 * failure in this thread. */
const char *brook_last_error(void);
int brook_last_error_code(void);

#ifdef __cplusplus
}
#endif

#endif
