/* y += a x: a kernel that is part of the program, built, launched, and every call's result looked at.
 *
 *     axpy [DEVICE] */
#include "axpy_kernels.h" /* made of axpy.okl by CMakeLists.txt */

#include <stdio.h>
#include <string.h>

enum { COUNT = 1000 };

/* Says what the last call failed with. */
static int failed(const char *what) {
    fprintf(stderr, "axpy: %s: %s\n", what, brook_last_error());
    return brook_last_error_code();
}

static brook_argument value(int type, size_t bytes, void *data) {
    brook_argument argument;
    memset(&argument, 0, sizeof argument);
    argument.kind = BROOK_VALUE;
    argument.type = type;
    argument.width = 1;
    argument.bytes = bytes;
    argument.data = data;
    return argument;
}

static brook_argument memory(int kind, brook_memory *data) {
    brook_argument argument;
    memset(&argument, 0, sizeof argument);
    argument.kind = kind;
    argument.data = data;
    return argument;
}

int main(int argc, char **argv) {
    static float host[COUNT];
    const char *defines[] = {"BLOCK=128", NULL};
    brook_build_options options;
    brook_program *program;
    brook_kernel *kernel;
    brook_memory *x, *y;
    brook_argument arguments[4];
    int i, n = COUNT, status;
    float a = 2;
    const brook_device *device = brook_device_open(argc > 1 ? argv[1] : NULL);
    if (device == NULL) return failed("no device");

    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.defines = defines;
    program = brook_program_build_embedded(device, &axpy_kernels, "axpy.okl", &options);
    if (program == NULL) return failed("the program");
    kernel = brook_program_kernel(program, "axpy");
    brook_program_release(program); /* the kernel keeps it */
    if (kernel == NULL) return failed("the kernel");

    for (i = 0; i < COUNT; ++i) host[i] = (float)i;
    x = brook_memory_create(device, BROOK_FLOAT, 1, COUNT, host);
    y = brook_memory_create(device, BROOK_FLOAT, 1, COUNT, NULL); /* zeros */
    if (x == NULL || y == NULL) return failed("memory");

    arguments[0] = value(BROOK_INT, sizeof n, &n);
    arguments[1] = value(BROOK_FLOAT, sizeof a, &a);
    arguments[2] = memory(BROOK_READ_ONLY_MEMORY, x);
    arguments[3] = memory(BROOK_MEMORY, y);
    status = brook_kernel_launch(kernel, NULL, arguments, 4);
    if (status != BROOK_SUCCESS) return failed("the launch");
    /* Waits for the launch. */
    if (brook_memory_read(y, 0, COUNT, host) != BROOK_SUCCESS) return failed("the result");
    printf("%s: 2 * 999 = %g\n", brook_device_name(device), host[COUNT - 1]);

    brook_memory_release(x);
    brook_memory_release(y);
    brook_kernel_release(kernel);
    return 0;
}
