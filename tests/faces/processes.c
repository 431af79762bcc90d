/* Several processes, from a program in C that has started MPI itself: a kernel that is compiled once, and entries of the same number. */
#include <brook/abi.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(holds) check((holds), #holds, __LINE__)

static void check(int holds, const char *what, int line) {
    if (!holds) {
        fprintf(stderr, "processes.c:%d: not %s: %s\n", line, what, brook_last_error());
        exit(1);
    }
}

static const char *KERNEL = "@kernel void twice(const int n, float *a) {\n"
                            "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] *= FACTOR;\n"
                            "}\n";

int main(int argc, char **argv) {
    brook_communicator *processes;
    brook_gather_scatter *nodes;
    brook_program *program, *of_file;
    brook_kernel *kernel;
    brook_memory *memory;
    const brook_device *device;
    brook_argument arguments[2] = {{0}, {0}};
    brook_build_options options = {0};
    const char *defines[] = {"FACTOR=2", NULL};
    long long numbers[3];
    float values[3];
    int own, all, n = 3, i;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    processes = brook_communicator_world();
    CHECK(processes != NULL && brook_communicator_rank(processes) == own && brook_communicator_size(processes) == all);
    brook_communicator_release(processes);
    processes = brook_communicator_import((int)MPI_Comm_c2f(MPI_COMM_WORLD));
    CHECK(brook_communicator_retain(processes) == processes);
    brook_communicator_release(processes);
    CHECK(brook_communicator_rank(processes) == own && brook_communicator_size(processes) == all);

    device = brook_device_open_local("openmp", processes);
    CHECK(device != NULL && brook_device_open_local("nothing", processes) == NULL);
    options.size = sizeof options;
    options.defines = defines;
    options.no_cache = 1;
    program = brook_program_build_together(device, processes, "twice.okl", KERNEL, strlen(KERNEL), &options);
    CHECK(program != NULL);
    CHECK(brook_program_build_together(device, processes, "twice.okl", KERNEL, strlen(KERNEL), NULL) == NULL);
    of_file = brook_program_build_file_together(device, processes, argv[1], NULL);
    CHECK(of_file != NULL);

    /* Each process has its number, the next one's, and one that nobody shares; the last one's next is the first's. */
    numbers[0] = own + 1;
    numbers[1] = (own + 1) % all + 1;
    numbers[2] = 0;
    for (i = 0; i < 3; ++i) values[i] = (float)(10 * own + i + 1);
    memory = brook_memory_create(device, BROOK_FLOAT, 1, 3, values);
    kernel = brook_program_kernel(program, "twice");
    arguments[0].kind = BROOK_VALUE;
    arguments[0].type = BROOK_INT;
    arguments[0].width = 1;
    arguments[0].bytes = sizeof n;
    arguments[0].data = &n;
    arguments[1].kind = BROOK_MEMORY;
    arguments[1].data = memory;
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 2) == BROOK_SUCCESS);
    nodes = brook_gather_scatter_create(device, processes, numbers, 3);
    CHECK(nodes != NULL && brook_gather_scatter_retain(nodes) == nodes);
    brook_gather_scatter_release(nodes);
    CHECK(brook_gather_scatter_begin(nodes, memory, 1, BROOK_SUM) == BROOK_SUCCESS);
    CHECK(brook_gather_scatter_finish(nodes) == BROOK_SUCCESS);
    CHECK(brook_memory_read(memory, 0, 3, values) == BROOK_SUCCESS);
    {
        int before = (own + all - 1) % all, next = (own + 1) % all;
        CHECK(values[0] == 2 * (10 * own + 1) + 2 * (10 * before + 2));
        CHECK(values[1] == 2 * (10 * own + 2) + 2 * (10 * next + 1));
        CHECK(values[2] == 2 * (10 * own + 3));
    }
    CHECK(brook_gather_scatter_run(nodes, memory, 1, BROOK_MAX) == BROOK_SUCCESS);
    brook_gather_scatter_release(nodes);
    brook_memory_release(memory);
    brook_kernel_release(kernel);
    brook_program_release(program);
    brook_program_release(of_file);
    brook_communicator_release(processes);
    MPI_Finalize();
    printf("well\n");
    return 0;
}
