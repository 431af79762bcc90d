/* The C interface of brook's runtime: streams, and calls of kernels over them.
 *
 * Functions that return int return 0 on success. On failure they return the code that
 * brook_last_error_code gives, too, and brook_last_error says what happened; both are per thread.
 * Functions that return a pointer return NULL on failure. No function ends the process.
 */
#ifndef BROOK_BROOK_H
#define BROOK_BROOK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A source with kernels; built for the current device when a kernel of it is first called. */
struct brook_module;

/* Elements in device memory, in one to four dimensions; reference-counted. */
struct brook_stream;

#ifndef __cplusplus
/* C++ has these names already, and without typedefs a variable may have them, too. */
typedef struct brook_module brook_module;
typedef struct brook_stream brook_stream;
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
    BROOK_DOUBLE = 10
};

/* What an argument is. */
enum brook_argument_kind {
    /* A scalar or a packed vector at data. */
    BROOK_VALUE = 0,
    /* A stream: data is a brook_stream*. */
    BROOK_STREAM = 1,
    /* A value in a variable of the caller's: a reduction stores its result there. */
    BROOK_VARIABLE = 2,
    /* An array in host memory, row-major and packed, for a parameter with brackets. */
    BROOK_ARRAY = 3
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

/* Exit codes, as brook_last_error_code gives them. */
enum brook_status {
    BROOK_SUCCESS = 0,
    BROOK_INPUT_ERROR = 1,  /* the source, or the arguments of a call */
    BROOK_DEVICE_ERROR = 3, /* no compiler, no device, or the device failed */
    BROOK_INTERNAL_ERROR = 4
};

/* name is what messages call the source; its ending .br says that it is Brook+, anything else is
 * OKL. defines holds lines of the form NAME=VALUE, or is NULL; a line that begins with - has
 * flags of Brook+'s checker: -a relaxed, -c without constant arrays. All strings
 * are copied. */
brook_module *brook_module_create(const char *name, const char *source, size_t length,
                                  const char *defines);
void brook_module_release(brook_module *module);

/* A stream of zeros on the current device. element_type is a type's name, such as "float4"; extents
 * are slowest first, as in float s<rows, columns>. */
brook_stream *brook_stream_create(const char *element_type, unsigned rank,
                                  const unsigned *extents_slowest_first);
/* Returns its argument. */
brook_stream *brook_stream_retain(brook_stream *stream);
void brook_stream_release(brook_stream *stream);

/* Size of all elements. */
size_t brook_stream_bytes(const brook_stream *stream);

/* Fills the stream from brook_stream_bytes bytes of host memory (streamRead). */
int brook_stream_read(brook_stream *stream, const void *from);
/* Copies the stream to brook_stream_bytes bytes of host memory (streamWrite). */
int brook_stream_write(const brook_stream *stream, void *to);

/* Calls a kernel. */
int brook_call(brook_module *module, const char *kernel, const brook_argument *arguments,
               size_t count);

/* Waits for every kernel called so far. */
int brook_finish(void);

/* The name of the current device, such as "cuda:0"; NULL if there is none. */
const char *brook_device_name(void);

/* What went wrong in the last call of this thread that failed; never NULL, and valid until the next
 * failure in this thread. */
const char *brook_last_error(void);
int brook_last_error_code(void);

#ifdef __cplusplus
}
#endif

#endif
