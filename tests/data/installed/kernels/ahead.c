#include "ahead_kernels.h"
#include "installed.h"
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const brook_device *device = brook_device_open("openmp");
    brook_program *program;
    brook_kernel *kernel;
    brook_memory *memory;
    brook_argument arguments[2];
    float x[2] = {1, 2};
    int n = 2, status;
    program = argc > 1 ? brook_program_load(device, argv[1], NULL)
                       : brook_program_build_embedded(device, &ahead_kernels, "shift.okl", NULL);
    kernel = brook_program_kernel(program, "shift");
    memory = brook_memory_create(device, BROOK_FLOAT, 1, 2, x);
    memset(arguments, 0, sizeof arguments);
    arguments[0].kind = BROOK_VALUE;
    arguments[0].type = BROOK_INT;
    arguments[0].width = 1;
    arguments[0].bytes = sizeof n;
    arguments[0].data = &n;
    arguments[1].kind = BROOK_MEMORY;
    arguments[1].data = memory;
    brook_kernel_launch(kernel, NULL, arguments, 2);
    status = brook_memory_read(memory, 0, 2, x);
    printf("%g %g %s\n", x[0], x[1], status == 0 ? "" : brook_last_error());
    brook_memory_release(memory);
    brook_kernel_release(kernel);
    brook_program_release(program);
    return status;
}
