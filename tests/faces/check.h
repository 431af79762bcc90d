/* What the programs in C have in common. */
#ifndef CHECK_H
#define CHECK_H

#include <brook/abi.h>

#include <stdio.h>
#include <string.h>

static int failures = 0;

static void check(const char *file, int line, int so) {
    if (so) return;
    printf("%s:%d: not so; last error %d: %s\n", file, line, brook_last_error_code(), brook_last_error());
    ++failures;
}
#define CHECK(WHAT) check(__FILE__, __LINE__, (WHAT))
#define SAID(WORDS) check(__FILE__, __LINE__, strstr(brook_last_error(), WORDS) != NULL)

static inline brook_argument given(int kind, int type, size_t bytes, void *data) {
    brook_argument argument;
    memset(&argument, 0, sizeof argument);
    argument.kind = kind;
    argument.type = type;
    argument.width = 1;
    argument.bytes = bytes;
    argument.data = data;
    return argument;
}

static inline brook_argument number(int type, void *data, size_t bytes) { return given(BROOK_VALUE, type, bytes, data); }
static inline brook_argument memory(brook_memory *data, int kind) { return given(kind, 0, 0, data); }

#endif
