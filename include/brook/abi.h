/* The C interface of brook's runtime: streams, and calls of kernels over them.
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

#ifndef __cplusplus
/* C++ has these names already, and without typedefs a variable may have them, too. */
typedef struct brook_module brook_module;
typedef struct brook_stream brook_stream;
typedef struct brook_device brook_device;
typedef struct brook_sequence brook_sequence;
#endif

/* Scalar types. */
enum brook_type {
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
    BROOK_POINTER = 5
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
/* "cpu" or "cal". */
const char *brook_device_type(const brook_device *device);
/* The interfaces whose memory can be streams there, separated by spaces: see brook_stream_set_property. */
const char *brook_device_bindings(const brook_device *device);

/* What lies beneath: context and device of OpenCL, context of CUDA; NULL for what a device has not got. */
void *brook_device_native(const brook_device *device, const char *what);
/* Where a stream's memory begins: an address of CUDA, HIP or the host, a cl_mem; NULL if the driver does not say.
 * What uses it stays in order with kernels by brook_stream_finish. */
void *brook_stream_native(const brook_stream *stream);

/* What went wrong in the last call of this thread that failed; never NULL, and valid until the next
 * failure in this thread. */
const char *brook_last_error(void);
int brook_last_error_code(void);

#ifdef __cplusplus
}
#endif

#endif
