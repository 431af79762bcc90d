/* OKL called from C, and what C can get wrong with handles. Says what it finds, and ends with 0 if that is right. */

#include <brook/abi.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

static void expect(int right, const char *what)
{
    /* Asked for, or else the process would not end with 0. */
    const char *error = brook_last_error();
    if (!right) {
        ++failures;
        printf("%s: %s\n", what, error);
    }
}

static const char source[] =
    "@kernel void axpy(const int n, const float a, const float *x, float *y) {\n"
    "  for (int i = 0; i < n; ++i; @tile(32, @outer, @inner)) y[i] += a * x[i];\n"
    "}\n"
    "@kernel void shift(const int n, const int4 by, int4 *v) {\n"
    "  for (int i = 0; i < n; ++i; @tile(32, @outer, @inner)) { v[i].x += by.x; v[i].w += by.w; }\n"
    "}\n";

static brook_argument stream(brook_stream *s)
{
    brook_argument a;
    memset(&a, 0, sizeof a);
    a.kind = BROOK_STREAM;
    a.data = s;
    return a;
}

static brook_argument value(int type, unsigned width, size_t bytes, void *data)
{
    brook_argument a;
    memset(&a, 0, sizeof a);
    a.kind = BROOK_VALUE;
    a.type = type;
    a.width = width;
    a.bytes = bytes;
    a.data = data;
    return a;
}

int main(void)
{
    const unsigned extents[1] = {10}, low[1] = {3}, high[1] = {8};
    float in[10], out[10], a = 2.0f;
    int i, n = 5, by[4] = {1, 2, 3, 4}, number[8] = {0};
    double wide = 2.0;
    brook_module *module = brook_module_create("handles.okl", source, sizeof source - 1, NULL);
    brook_stream *x = brook_stream_create("float", 1, extents);
    brook_stream *y = brook_stream_create("float", 1, extents);
    brook_stream *v = brook_stream_create("int4", 1, (const unsigned[]){2});
    brook_stream *part = brook_stream_domain(y, 1, low, high);
    brook_argument call[4];

    if (module == NULL || x == NULL || y == NULL || v == NULL || part == NULL) {
        printf("%s\n", brook_last_error());
        return 2;
    }
    for (i = 0; i < 10; ++i) in[i] = (float)i;
    expect(brook_stream_read(x, in, NULL) == 0, "read x");
    expect(brook_stream_read(y, in, NULL) == 0, "read y");
    call[0] = value(BROOK_INT, 1, sizeof n, &n);
    call[1] = value(BROOK_FLOAT, 1, sizeof a, &a);
    call[2] = stream(x);
    call[3] = stream(part);
    expect(brook_call(module, "axpy", NULL, call, 4) == 0, "axpy");
    expect(brook_stream_write(y, out, NULL) == 0, "write y");
    for (i = 0; i < 10; ++i) {
        expect(out[i] == (float)i + (i >= 3 && i < 8 ? 2.0f * (float)(i - 3) : 0.0f), "a part");
    }
    /* A double is a float where one is asked for; an int is not. */
    call[1] = value(BROOK_DOUBLE, 1, sizeof wide, &wide);
    expect(brook_call(module, "axpy", NULL, call, 4) == 0, "a double");
    call[1] = value(BROOK_INT, 1, sizeof n, &n);
    expect(brook_call(module, "axpy", NULL, call, 4) == BROOK_INPUT_ERROR, "an int");
    expect(strstr(brook_last_error(), "is a float; got an int") != NULL, "what is said of an int");
    call[1] = value(BROOK_FLOAT, 2, 2 * sizeof a, in);
    expect(brook_call(module, "axpy", NULL, call, 4) == BROOK_INPUT_ERROR, "a float2");
    call[1] = value(BROOK_FLOAT, 1, sizeof a, &a);
    call[2] = stream(v);
    expect(brook_call(module, "axpy", NULL, call, 4) == BROOK_INPUT_ERROR, "int4 for float");
    expect(strstr(brook_last_error(), "float") != NULL && strstr(brook_last_error(), "int4") != NULL, "both types");
    call[2] = stream(x);
    expect(brook_call(module, "axpy", NULL, call, 3) == BROOK_INPUT_ERROR, "three arguments");
    expect(brook_call(module, "nowhere", NULL, call, 4) == BROOK_INPUT_ERROR, "no such kernel");

    n = 2;
    expect(brook_stream_read(v, number, NULL) == 0, "read v");
    call[1] = value(BROOK_INT, 4, sizeof by, by);
    call[2] = stream(v);
    expect(brook_call(module, "shift", NULL, call, 3) == 0, "shift");
    expect(brook_stream_write(v, number, NULL) == 0, "write v");
    expect(number[0] == 1 && number[3] == 4 && number[4] == 1 && number[7] == 4 && number[1] == 0, "shifted");
    call[1] = value(BROOK_INT, 3, 3 * sizeof(int), by);
    expect(brook_call(module, "shift", NULL, call, 3) == BROOK_INPUT_ERROR, "int3 for int4");

    /* Handles of another kind, that are none, and that were. */
    expect(brook_stream_bytes((brook_stream *)module) == 0, "a module as a stream");
    expect(strstr(brook_last_error(), "module") != NULL, "what is said of it");
    expect(brook_call((brook_module *)x, "axpy", NULL, call, 3) == BROOK_INPUT_ERROR, "a stream as a module");
    expect(brook_stream_read((brook_stream *)in, in, NULL) != 0, "an array as a stream");
    expect(brook_stream_read((brook_stream *)(uintptr_t)1, in, NULL) != 0, "1 as a stream");
    expect(brook_stream_read((brook_stream *)(intptr_t)-1, in, NULL) != 0, "-1 as a stream");
    expect(brook_stream_retain((brook_stream *)in) == NULL, "a reference of nothing");
    brook_use_device((const brook_device *)in);
    expect(strstr(brook_last_error(), "no device") != NULL, "an array as a device");
    expect(brook_device_name((const brook_device *)in) == NULL, "its name");
    brook_stream_release((brook_stream *)in);
    brook_module_release((brook_module *)in);
    brook_sequence_release((brook_sequence *)x);
    expect(brook_sequence_launch((const brook_sequence *)x) != 0, "a stream as a sequence");

    expect(brook_stream_retain(x) == x, "a second reference");
    brook_stream_release(x);
    expect(brook_stream_bytes(x) == 40, "one is left");
    brook_stream_release(x);
    expect(brook_stream_bytes(x) == 0, "none is left");
    brook_stream_release(x);
    brook_stream_release(x);
    call[1] = value(BROOK_FLOAT, 1, sizeof a, &a);
    call[2] = stream(x);
    call[3] = stream(y);
    expect(brook_call(module, "axpy", NULL, call, 4) == BROOK_INPUT_ERROR, "a released stream");
    expect(strstr(brook_last_error(), "argument 3") != NULL, "which it is");
    expect(brook_stream_write(x, out, NULL) != 0, "its elements");
    expect(brook_stream_domain(x, 1, low, high) == NULL, "its part");
    expect(brook_stream_error(y) == BROOK_STREAM_KERNEL, "what y knows");
    brook_last_error();
    for (i = 0; i < 100; ++i) {
        brook_stream *other = brook_stream_create("float", 1, extents);
        expect(other != x && brook_stream_bytes(x) == 0, "another one in its place");
        brook_stream_release(other);
    }
    brook_module_release(module);
    brook_module_release(module);
    expect(brook_call(module, "axpy", NULL, call, 4) == BROOK_INPUT_ERROR, "a released module");
    brook_stream_error(y);
    /* The part keeps what it needs. */
    brook_stream_release(y);
    expect(brook_stream_write(part, out, NULL) == 0 && out[0] == 3.0f, "the part goes on");
    brook_stream_error(part);
    brook_stream_release(part);
    brook_stream_release(v);
    brook_last_error();
    printf("%d failures\n", failures);
    return failures != 0;
}
