/* What abi.h has for OKL, from C: okl DEVICE FOLDER. Results are worked out by hand. */
#include "check.h"

/* Whether a program has come of something. */
static int is_built(brook_program *program) {
    brook_program_release(program);
    return program != NULL;
}

/* Files that are not on the disk, and options of programs that were built before these had any. */
static void embedded(const brook_device *device, const char *const *directories) {
    const char *text = "#include \"scale.h\"\n@kernel void f(int *a) {\n"
                       "  for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) a[i] = TEST;\n}\n";
    brook_file files[3];
    brook_build_options options;
    brook_embedded sources;
    memset(files, 0, sizeof files);
    files[0].name = "k/f.okl";
    files[0].text = text;
    files[0].length = strlen(text);
    files[1].name = "k/scale.h";
    files[1].text = "#define TEST 1\n";
    files[1].length = strlen(files[1].text);
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.include_directories = directories;
    options.files = files;
    CHECK(is_built(brook_program_build_file(device, "k/f.okl", &options)));
    CHECK(is_built(brook_program_build(device, "k/g.okl", text, strlen(text), &options)));
    CHECK(!is_built(brook_program_build(device, "g.okl", text, strlen(text), &options)));
    /* The scale.h of the disk has no TEST. */
    SAID("TEST");
    options.size = (size_t)((char *)&options.files - (char *)&options);
    CHECK(!is_built(brook_program_build(device, "k/g.okl", text, strlen(text), &options)));
    options.size -= 1;
    CHECK(!is_built(brook_program_build(device, "k/g.okl", text, strlen(text), &options)));
    SAID("sizeof(brook_build_options)");
    options.size = sizeof options;
    files[1].text = NULL;
    CHECK(!is_built(brook_program_build_file(device, "k/f.okl", &options)));
    SAID("the text of 'k/scale.h' is NULL");
    files[1].text = "#define TEST 1\n";

    memset(&sources, 0, sizeof sources);
    sources.size = sizeof sources;
    sources.files = files;
    sources.sources = 1;
    CHECK(is_built(brook_program_build_embedded(device, &sources, "f.okl", NULL)));
    CHECK(!is_built(brook_program_build_embedded(device, &sources, "g.okl", NULL)));
    SAID("the program has no source 'g.okl'; it has: k/f.okl");
    CHECK(!is_built(brook_program_build_embedded(device, &sources, NULL, NULL)));
    SAID("the source's name is NULL");
    CHECK(!is_built(brook_program_build_embedded(device, NULL, "f.okl", NULL)));
    SAID("the embedded sources are NULL");
    CHECK(!is_built(brook_program_build_embedded(NULL, &sources, "f.okl", NULL)));
    sources.size = 8;
    CHECK(!is_built(brook_program_build_embedded(device, &sources, "f.okl", NULL)));
    SAID("sizeof(brook_embedded)");
}

/* The rest of what there is for memory and queues. */
static void others(const brook_device *device) {
    float from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    unsigned width = 0;
    size_t offset = 99;
    brook_memory *x = brook_memory_create(device, BROOK_FLOAT, 1, 8, from), *vectors, *part, *imported, *shared;
    brook_queue *queue = brook_queue_default(device), *own = brook_queue_create(device), *imported_queue;
    brook_event *event;
    float mine[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *host;
    void *native;
    vectors = brook_memory_cast(x, BROOK_FLOAT, 4);
    CHECK(brook_memory_count(vectors) == 2 && brook_memory_element(vectors, &width) == BROOK_FLOAT && width == 4);
    CHECK(brook_memory_element(x, NULL) == BROOK_FLOAT);
    CHECK(brook_memory_cast(x, BROOK_FLOAT, 3) == NULL);
    SAID("no whole number of elements");
    CHECK(brook_memory_cast(x, 99, 1) == NULL && brook_memory_cast(NULL, BROOK_FLOAT, 1) == NULL);
    CHECK(brook_memory_element(NULL, &width) == BROOK_STRUCTURE);
    CHECK(brook_memory_retain(vectors) == vectors);
    brook_memory_release(vectors);
    brook_memory_release(vectors);
    CHECK(brook_memory_retain(vectors) == NULL);
    SAID("was released");

    CHECK(queue != NULL && own != NULL && brook_queue_default(NULL) == NULL);
    SAID("the device is NULL");
    CHECK(brook_queue_copy(queue, x, 0, x, 4, 4) == BROOK_SUCCESS && brook_queue_wait(queue) == BROOK_SUCCESS);
    CHECK(brook_memory_read(x, 0, 8, to) == BROOK_SUCCESS && to[0] == 5 && to[3] == 8 && to[4] == 5);
    CHECK(brook_queue_copy(own, x, 0, x, 5, 4) == BROOK_INPUT_ERROR);
    SAID("are not all in");
    CHECK(brook_queue_copy(own, x, 0, NULL, 0, 1) == BROOK_INPUT_ERROR);
    SAID("the memory is NULL");
    native = brook_queue_native(own);
    imported_queue = brook_queue_import(device, native);
    CHECK((imported_queue != NULL) == (native != NULL));
    if (imported_queue == NULL) SAID("takes no queues of others");
    else CHECK(brook_queue_native(imported_queue) == native && brook_queue_wait(imported_queue) == BROOK_SUCCESS);
    brook_queue_release(imported_queue);
    CHECK(brook_queue_import(NULL, native) == NULL);
    SAID("the device is NULL");
    CHECK(brook_queue_native(NULL) == NULL);
    SAID("the queue is NULL");
    event = brook_queue_record(own);
    CHECK((brook_event_native(event) != NULL) == (native != NULL));
    brook_event_release(event);
    CHECK(brook_event_native(NULL) == NULL);
    SAID("the event is NULL");
    CHECK(brook_queue_record(NULL) == NULL && brook_queue_is_done(NULL) == -1 && brook_queue_device(NULL) == NULL);
    CHECK(brook_queue_wait_for(own, NULL) == BROOK_INPUT_ERROR && brook_queue_retain(NULL) == NULL);
    CHECK(brook_queue_write(own, x, 0, 1, NULL) == BROOK_INPUT_ERROR && brook_queue_read(own, x, 0, 1, NULL) == BROOK_INPUT_ERROR);
    SAID("NULL");
    CHECK(brook_event_elapsed(NULL, NULL, NULL) == BROOK_INPUT_ERROR && brook_event_retain(NULL) == NULL);
    brook_queue_release(queue);
    brook_queue_release(own);
    brook_queue_release(NULL);
    brook_event_release(NULL);

    part = brook_memory_part(x, 0, 4);
    native = brook_memory_native(part, &offset);
    if (native != NULL) {
        imported = brook_memory_import(device, BROOK_FLOAT, 1, 4, native, offset);
        CHECK(brook_memory_read(imported, 0, 4, to) == BROOK_SUCCESS && to[0] == 5);
        brook_memory_release(imported);
    }
    shared = brook_memory_create_shared(device, BROOK_FLOAT, 1, 8);
    if (shared == NULL) {
        SAID("memory of its own");
        CHECK(brook_memory_import_host(device, BROOK_FLOAT, 1, 8, mine) == NULL && brook_memory_host(x) == NULL);
        SAID("memory of its own");
    } else {
        host = brook_memory_host(shared);
        CHECK(host != NULL && host[0] == 0 && host[7] == 0);
        host[3] = 2;
        CHECK(brook_memory_read(shared, 3, 1, to) == BROOK_SUCCESS && to[0] == 2);
        brook_memory_release(shared);
        shared = brook_memory_import_host(device, BROOK_FLOAT, 1, 8, mine);
        CHECK(shared != NULL && brook_memory_host(shared) == (void *)mine);
        CHECK(brook_memory_zero(shared) == BROOK_SUCCESS && brook_device_finish(device) == BROOK_SUCCESS && mine[7] == 0);
        brook_memory_release(shared);
    }
    CHECK(brook_memory_create_shared(NULL, BROOK_FLOAT, 1, 8) == NULL && brook_memory_host(NULL) == NULL);
    SAID("NULL");
    CHECK(brook_memory_import_host(device, BROOK_FLOAT, 1, 8, NULL) == NULL);
    SAID("NULL");
    CHECK(brook_memory_native(NULL, NULL) == NULL);
    CHECK(brook_memory_import(device, BROOK_FLOAT, 1, 4, NULL, 0) == NULL);
    SAID("NULL");
    CHECK(brook_memory_part(x, 5, 4) == NULL && brook_memory_part(NULL, 0, 1) == NULL);
    CHECK(brook_memory_write(x, 0, 9, from) == BROOK_INPUT_ERROR && brook_memory_write(x, 0, 1, NULL) == BROOK_INPUT_ERROR);
    CHECK(brook_memory_read(x, 8, 1, to) == BROOK_INPUT_ERROR && brook_memory_read(x, 0, 1, NULL) == BROOK_INPUT_ERROR);
    CHECK(brook_memory_zero(NULL) == BROOK_INPUT_ERROR && brook_memory_copy(x, 0, NULL, 0, 1) == BROOK_INPUT_ERROR);
    CHECK(brook_memory_device(NULL) == NULL && brook_memory_count(NULL) == 0);
    CHECK(brook_pool_create(NULL) == NULL && brook_pool_memory(NULL, BROOK_FLOAT, 1, 1, NULL) == NULL);
    CHECK(brook_pool_bytes(NULL, NULL, NULL) == BROOK_INPUT_ERROR && brook_pool_retain(NULL) == NULL);
    CHECK(brook_communicator_rank(NULL) == -1 && brook_communicator_size(NULL) == -1);
    CHECK(brook_communicator_retain(NULL) == NULL && brook_device_open_local(NULL, NULL) == NULL);
    CHECK(brook_program_build_together(NULL, NULL, "a.okl", "", 0, NULL) == NULL);
    CHECK(brook_gather_scatter_create(NULL, NULL, NULL, 0) == NULL && brook_gather_scatter_retain(NULL) == NULL);
    CHECK(brook_gather_scatter_run(NULL, NULL, 1, BROOK_SUM) == BROOK_INPUT_ERROR);
    CHECK(brook_gather_scatter_finish(NULL) == BROOK_INPUT_ERROR);
    CHECK(brook_pinned_create(NULL, 1) == NULL && brook_device_finish(NULL) == BROOK_INPUT_ERROR);
    CHECK(brook_kernel_retain(NULL) == NULL && brook_kernel_name(NULL) == NULL && brook_kernel_parameter_count(NULL) == 0);
    CHECK(brook_program_retain(NULL) == NULL && brook_program_warnings(NULL) == NULL && brook_program_is_cached(NULL) == -1);
    CHECK(brook_program_kernel_name(NULL, 0) == NULL && brook_program_kernel(NULL, "a") == NULL);
    CHECK(brook_record_begin_on(NULL) == BROOK_INPUT_ERROR && brook_record_copy(x, 0, x, 1, 1) == BROOK_INPUT_ERROR);
    CHECK(brook_last_error_code() == BROOK_INPUT_ERROR);
    SAID("not being recorded");
    brook_memory_release(part);
    brook_memory_release(x);
    brook_memory_release(NULL);
}

/* What was compiled ahead of time; steps.okl for OpenCL and processors. */
static void packages(const brook_device *device, const char *folder) {
    static char bytes[1 << 18];
    char path[4096];
    size_t length;
    FILE *file;
    brook_program *program;
    const int fits = strncmp(brook_device_name(device), "open", 4) == 0;
    sprintf(path, "%.4000s/../data/package.brk", folder);
    program = brook_program_load(device, path, "steps.okl");
    CHECK((program != NULL) == fits);
    if (!fits) SAID("'steps.okl' was compiled for nothing that ");
    brook_program_release(program);
    CHECK(brook_program_load(device, path, NULL) == NULL);
    SAID("which program? there are: steps.okl, streams.br");
    CHECK(brook_program_load(device, NULL, NULL) == NULL && brook_program_load(NULL, path, "steps.okl") == NULL);
    file = fopen(path, "rb");
    CHECK(file != NULL);
    if (file == NULL) return;
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    program = brook_program_load_bytes(device, bytes, length, "steps.okl");
    CHECK((program != NULL) == fits);
    brook_program_release(program);
    CHECK(brook_program_load_bytes(device, bytes, length - 1, "steps.okl") == NULL);
    SAID("cut off");
    CHECK(brook_program_load_bytes(device, NULL, 8, NULL) == NULL);
    SAID("the package's bytes are NULL");
}

/* A kernel in the device's own language; the processor has none. */
static void native(const brook_device *device, brook_memory *x) {
    const char *opencl = "__kernel void put(__global float *x, const int to) { x[get_global_id(0)] = to + get_local_id(0); }";
    const char *other = "extern \"C\" __global__ void put(float *x, const int to) {\n"
                        "  x[blockIdx.x * blockDim.x + threadIdx.x] = to + (int)threadIdx.x;\n}\n";
    const char *const name = brook_device_name(device);
    const char *const text = strncmp(name, "opencl", 6) == 0 ? opencl : other;
    const size_t groups[3] = {2, 1, 1};
    const unsigned items[3] = {5, 1, 1};
    int i, to = 100;
    float result[10];
    brook_native_kernel *kernel;
    brook_argument arguments[2];
    brook_sequence *sequence;
    brook_native_program *program = brook_native_program_build(device, "put", text, strlen(text), NULL);
    if (strncmp(name, "openmp", 6) == 0) {
        CHECK(program == NULL && brook_last_error_code() == BROOK_INPUT_ERROR);
        SAID("functions of the host");
        CHECK(brook_native_program_kernel(NULL, "put") == NULL && brook_native_program_retain(NULL) == NULL);
        CHECK(brook_native_kernel_launch(NULL, NULL, groups, items, NULL, 0) == BROOK_INPUT_ERROR);
        return;
    }
    CHECK(program != NULL && brook_native_program_retain(program) == program);
    brook_native_program_release(program);
    CHECK(brook_native_program_kernel(program, "get") == NULL);
    SAID("'get'");
    kernel = brook_native_program_kernel(program, "put");
    brook_native_program_release(program);
    CHECK(brook_native_program_kernel(program, "put") == NULL);
    SAID("was released");
    CHECK(kernel != NULL && brook_native_kernel_retain(kernel) == kernel);
    brook_native_kernel_release(kernel);
    arguments[0] = memory(x, BROOK_MEMORY);
    arguments[1] = number(BROOK_INT, &to, sizeof to);
    CHECK(brook_native_kernel_launch(kernel, NULL, groups, items, arguments, 2) == BROOK_SUCCESS);
    CHECK(brook_memory_read(x, 0, 10, result) == BROOK_SUCCESS);
    for (i = 0; i < 10; ++i) CHECK(result[i] == (float)(100 + i % 5));
    CHECK(brook_native_kernel_launch(kernel, NULL, NULL, items, arguments, 2) == BROOK_INPUT_ERROR);
    SAID("NULL");
    CHECK(brook_record_begin_on(device) == BROOK_SUCCESS);
    CHECK(brook_native_kernel_launch(kernel, NULL, groups, items, arguments, 2) == BROOK_INPUT_ERROR);
    SAID("not recorded");
    sequence = brook_record_end();
    brook_sequence_release(sequence);
    brook_native_kernel_release(kernel);
    CHECK(brook_native_kernel_launch(kernel, NULL, groups, items, arguments, 2) == BROOK_INPUT_ERROR);
    CHECK(brook_native_program_build(device, "put", NULL, 0, NULL) == NULL);
    SAID("NULL");
    CHECK(brook_native_program_build(device, "put", "nonsense()", 10, NULL) == NULL);
    CHECK(brook_last_error_code() == BROOK_DEVICE_ERROR);
}

/* A kernel that is a template. */
static void templates(const brook_device *device) {
    const char *text = "template <typename T, int N> @kernel void f(const int n, const T *a, T *b) {\n"
                       "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) b[i] = N * a[i];\n"
                       "}\n";
    float from[3] = {1, 2, 3}, to[3] = {0, 0, 0};
    int n = 3;
    brook_program *program = brook_program_build(device, "f.okl", text, strlen(text), NULL);
    brook_kernel *f = brook_program_kernel(program, "f"), *three = brook_kernel_with(f, "N", "3"), *instance, *whole;
    brook_memory *a = brook_memory_create(device, BROOK_FLOAT, 1, 3, from), *b = brook_memory_create(device, BROOK_FLOAT, 1, 3, NULL);
    brook_memory *doubles = brook_memory_create(device, BROOK_DOUBLE, 1, 3, NULL);
    brook_argument arguments[3];
    brook_parameter parameter;
    arguments[0] = number(BROOK_INT, &n, sizeof n);
    arguments[1] = memory(a, BROOK_READ_ONLY_MEMORY);
    arguments[2] = memory(b, BROOK_MEMORY);
    CHECK(strcmp(brook_program_kernel_name(program, 0), "f") == 0 && brook_program_kernel_name(program, 1) == NULL);
    CHECK(strcmp(brook_kernel_template_parameter(f, 0), "T") == 0 && strcmp(brook_kernel_template_parameter(f, 1), "N") == 0);
    CHECK(brook_kernel_template_parameter(f, 2) == NULL && brook_kernel_template_parameter(NULL, 0) == NULL);
    CHECK(brook_kernel_parameter(f, 1, &parameter) == BROOK_SUCCESS && strcmp(parameter.type_name, "T") == 0);
    CHECK(parameter.type == BROOK_STRUCTURE && parameter.bytes == 0 && parameter.is_pointer && parameter.is_const);
    CHECK(brook_kernel_launch(f, NULL, arguments, 3) == BROOK_INPUT_ERROR);
    SAID("template parameter 'N' of kernel 'f' is not known");
    CHECK(three != NULL && brook_kernel_launch(three, NULL, arguments, 3) == BROOK_SUCCESS);
    CHECK(brook_memory_read(b, 0, 3, to) == BROOK_SUCCESS && to[0] == 3 && to[2] == 9);
    instance = brook_kernel_instance(three, arguments, 3);
    whole = brook_program_kernel(program, "f<float, 3>");
    CHECK(instance != NULL && strcmp(brook_kernel_name(instance), "f<float, 3>") == 0);
    CHECK(strcmp(brook_kernel_name(whole), "f<float, 3>") == 0 && brook_kernel_template_parameter(whole, 0) == NULL);
    CHECK(brook_kernel_parameter(instance, 1, &parameter) == BROOK_SUCCESS && parameter.type == BROOK_FLOAT);
    arguments[2] = memory(doubles, BROOK_MEMORY);
    CHECK(brook_kernel_instance(three, arguments, 3) == NULL);
    SAID("both float by argument 2 'a' and double by argument 3 'b'");
    arguments[1] = memory(a, BROOK_UNTYPED_MEMORY);
    arguments[2] = memory(b, BROOK_UNTYPED_MEMORY);
    CHECK(brook_kernel_launch(three, NULL, arguments, 3) == BROOK_INPUT_ERROR);
    SAID("template parameter 'T' of kernel 'f' is not known");
    CHECK(brook_kernel_instance(three, arguments, 2) == NULL && brook_kernel_instance(NULL, NULL, 0) == NULL);
    CHECK(brook_kernel_with(f, "M", "1") == NULL && brook_kernel_with(f, NULL, "1") == NULL);
    CHECK(brook_kernel_with(f, "N", NULL) == NULL && brook_kernel_with(NULL, "N", "1") == NULL);
    brook_memory_release(a);
    brook_memory_release(b);
    brook_memory_release(doubles);
    brook_kernel_release(whole);
    brook_kernel_release(instance);
    brook_kernel_release(three);
    brook_kernel_release(f);
    brook_program_release(program);
}

int main(int argc, char **argv) {
    const brook_device *device;
    const char *defines[] = {"BLOCK=16", NULL}, *directories[2] = {NULL, NULL};
    const char *text = "#include \"scale.h\"\n"
                       "@kernel void axpy(const int n, const float a, const float *x, float *y) {\n"
                       "  for (int i = 0; i < n; ++i; @tile(BLOCK, @outer, @inner)) y[i] += SCALE * a * x[i];\n"
                       "}\n";
    const char *whole = "@kernel void zero(float *y) {\n"
                        "  for (int i = 0; i < 8; ++i; @tile(4, @outer, @inner)) y[i] = 0;\n"
                        "}\n";
    brook_build_options options;
    brook_program *program;
    brook_kernel *kernel;
    brook_queue *queue;
    brook_event *begin, *end;
    brook_sequence *sequence;
    brook_pool *pool;
    brook_gather_scatter *nodes;
    const long long numbers[] = {3, 8, 3, 0, 8, -1};
    const float entries[] = {1, 2, 5, 4, 5, 10, 20, 50, 40, 50};
    brook_pinned *pinned;
    brook_memory *x, *y, *part, *wrong;
    brook_argument arguments[4];
    brook_parameter parameter;
    float from[10], to[10], a = 2, *host;
    int i, n = 10;
    double seconds = -1;
    size_t used = 0, idle = 1;
    if (argc != 3) return 2;
    for (i = 0; i < 10; ++i) from[i] = (float)i;

    CHECK(brook_abi_version() == BROOK_ABI_VERSION);
    device = brook_device_open(argv[1]);
    CHECK(device != NULL && brook_device_open(argv[1]) == device);
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.defines = defines;
    directories[0] = argv[2];
    options.include_directories = directories;
    program = brook_program_build(device, "axpy.okl", text, strlen(text), &options);
    CHECK(program != NULL);
    CHECK(strcmp(brook_program_kernel_name(program, 0), "axpy") == 0);
    CHECK(brook_program_kernel_name(program, 1) == NULL && brook_program_warnings(program) == NULL);
    CHECK(brook_program_is_cached(program) >= 0);
    CHECK(brook_program_retain(program) == program);
    brook_program_release(program);
    kernel = brook_program_kernel(program, "axpy");
    brook_program_release(program);
    CHECK(brook_program_kernel(program, "axpy") == NULL);
    SAID("was released");
    CHECK(strcmp(brook_kernel_name(kernel), "axpy") == 0);
    CHECK(brook_kernel_parameter_count(kernel) == 4 && brook_kernel_parameter(kernel, 2, &parameter) == BROOK_SUCCESS);
    CHECK(strcmp(parameter.name, "x") == 0 && strcmp(parameter.type_name, "float") == 0);
    CHECK(parameter.type == BROOK_FLOAT && parameter.width == 1 && parameter.bytes == 4);
    CHECK(parameter.is_pointer == 1 && parameter.is_const == 1);
    CHECK(brook_kernel_parameter(kernel, 0, &parameter) == BROOK_SUCCESS && parameter.type == BROOK_INT);
    CHECK(parameter.is_pointer == 0 && brook_kernel_parameter(kernel, 4, &parameter) == BROOK_INPUT_ERROR);
    SAID("kernel 'axpy' has 4 parameters, no number 4");
    CHECK(brook_kernel_template_parameter(kernel, 0) == NULL && brook_kernel_with(kernel, "T", "int") == NULL);
    SAID("kernel 'axpy' is no template");
    CHECK(brook_kernel_retain(kernel) == kernel);
    brook_kernel_release(kernel);

    x = brook_memory_create(device, BROOK_FLOAT, 1, 10, from);
    y = brook_memory_create(device, BROOK_FLOAT, 1, 10, NULL);
    CHECK(brook_memory_device(x) == device && brook_memory_count(x) == 10);
    native(device, y);
    CHECK(brook_memory_zero(y) == BROOK_SUCCESS);
    arguments[0] = number(BROOK_INT, &n, sizeof n);
    arguments[1] = number(BROOK_FLOAT, &a, sizeof a);
    arguments[2] = memory(x, BROOK_READ_ONLY_MEMORY);
    arguments[3] = memory(y, BROOK_MEMORY);
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 4) == BROOK_SUCCESS);
    CHECK(brook_device_finish(device) == BROOK_SUCCESS);
    CHECK(brook_device_fuse(device, BROOK_FUSION_NOW) == BROOK_SUCCESS && brook_device_fuse(device, BROOK_FUSION_OFF) == BROOK_SUCCESS);
    CHECK(brook_device_fuse(device, -1) == BROOK_INPUT_ERROR && brook_device_fuse(NULL, BROOK_FUSION_ON) == BROOK_INPUT_ERROR);
    CHECK(brook_memory_read(y, 0, 10, to) == BROOK_SUCCESS && to[0] == 0 && to[9] == 18);

    queue = brook_queue_create(device);
    begin = brook_queue_record(queue);
    CHECK(brook_queue_write(queue, y, 0, 10, from) == BROOK_SUCCESS);
    end = brook_kernel_launch_async(kernel, queue, arguments, 4);
    CHECK(end != NULL && brook_event_wait(end) == BROOK_SUCCESS && brook_event_is_done(end) == 1);
    CHECK(brook_event_elapsed(begin, end, &seconds) == BROOK_SUCCESS && seconds >= 0);
    CHECK(brook_queue_wait_for(queue, end) == BROOK_SUCCESS);
    CHECK(brook_queue_read(queue, y, 0, 10, to) == BROOK_SUCCESS && brook_queue_wait(queue) == BROOK_SUCCESS);
    CHECK(brook_queue_is_done(queue) == 1 && to[9] == 27 && brook_queue_device(queue) == device);
    CHECK(brook_event_retain(end) == end);
    brook_event_release(end);
    brook_event_release(end);
    brook_event_release(begin);
    CHECK(brook_event_wait(begin) != BROOK_SUCCESS);

    CHECK(brook_record_begin_on(device) == BROOK_SUCCESS);
    CHECK(brook_record_begin_on(device) == BROOK_INPUT_ERROR);
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 4) == BROOK_SUCCESS);
    CHECK(brook_record_copy(x, 0, y, 5, 5) == BROOK_SUCCESS);
    sequence = brook_record_end();
    CHECK(sequence != NULL && brook_sequence_launch(sequence) == BROOK_SUCCESS);
    CHECK(brook_memory_read(x, 0, 10, to) == BROOK_SUCCESS && to[4] == 45 && to[5] == 5);
    brook_memory_write(x, 0, 10, from);
    CHECK(brook_sequence_launch_on(sequence, queue) == BROOK_SUCCESS && brook_queue_wait(queue) == BROOK_SUCCESS);
    CHECK(brook_memory_read(x, 4, 1, to) == BROOK_SUCCESS && to[0] == 63);
    brook_sequence_release(sequence);

    part = brook_memory_part(y, 2, 3);
    CHECK(brook_memory_zero(part) == BROOK_SUCCESS && brook_memory_copy(part, 2, x, 1, 1) == BROOK_SUCCESS);
    CHECK(brook_memory_read(y, 0, 10, to) == BROOK_SUCCESS && to[2] == 0 && to[4] == 42 && to[5] == 35);
    brook_memory_release(y);
    CHECK(brook_memory_read(part, 2, 1, to) == BROOK_SUCCESS && to[0] == 42);
    brook_memory_release(part);

    pool = brook_pool_create(device);
    y = brook_pool_memory(pool, BROOK_FLOAT, 1, 10, from);
    CHECK(brook_pool_bytes(pool, &used, &idle) == BROOK_SUCCESS && used >= 40 && idle == 0);
    brook_memory_release(y);
    CHECK(brook_pool_bytes(pool, &used, NULL) == BROOK_SUCCESS && used == 0);
    CHECK(brook_pool_trim(pool) == BROOK_SUCCESS && brook_pool_bytes(pool, NULL, &idle) == BROOK_SUCCESS && idle == 0);
    CHECK(brook_pool_retain(pool) == pool);
    brook_pool_release(pool);
    brook_pool_release(pool);
    CHECK(brook_pool_trim(pool) != BROOK_SUCCESS);

    nodes = brook_gather_scatter_create(device, NULL, numbers, 5);
    y = brook_memory_create(device, BROOK_FLOAT, 1, 10, entries);
    CHECK(brook_gather_scatter_run(nodes, y, 2, BROOK_SUM) == BROOK_SUCCESS);
    CHECK(brook_memory_read(y, 0, 10, to) == BROOK_SUCCESS && to[0] == 6 && to[1] == 7 && to[2] == 6 && to[3] == 4);
    CHECK(to[4] == 7 && to[5] == 60 && to[6] == 70 && to[7] == 60 && to[8] == 40 && to[9] == 70);
    CHECK(brook_gather_scatter_begin(nodes, y, 1, BROOK_MAX) == BROOK_SUCCESS);
    CHECK(brook_gather_scatter_begin(nodes, y, 1, BROOK_MAX) == BROOK_INPUT_ERROR);
    CHECK(brook_gather_scatter_finish(nodes) == BROOK_SUCCESS && brook_gather_scatter_finish(nodes) == BROOK_INPUT_ERROR);
    CHECK(brook_gather_scatter_run(nodes, y, 3, BROOK_SUM) == BROOK_INPUT_ERROR);
    CHECK(brook_gather_scatter_run(nodes, y, 1, 4) == BROOK_INPUT_ERROR);
    CHECK(brook_gather_scatter_create(device, NULL, numbers + 5, 1) == NULL && brook_last_error_code() == BROOK_INPUT_ERROR);
    brook_memory_release(y);
    brook_gather_scatter_release(nodes);

    pinned = brook_pinned_create(device, sizeof from);
    host = brook_pinned_data(pinned);
    CHECK(host != NULL && host[9] == 0);
    CHECK(brook_queue_read(queue, x, 0, 10, host) == BROOK_SUCCESS && brook_queue_wait(queue) == BROOK_SUCCESS);
    CHECK(host[4] == 63);
    CHECK(brook_queue_retain(queue) == queue);
    brook_queue_release(queue);
    brook_queue_release(queue);
    CHECK(brook_queue_wait(queue) != BROOK_SUCCESS);
    brook_pinned_release(pinned);
    CHECK(brook_pinned_data(pinned) == NULL);

    templates(device);
    others(device);
    packages(device, argv[2]);

    /* What cannot be. */
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 3) == BROOK_INPUT_ERROR);
    SAID("takes 4 arguments (n, a, x, y); got 3");
    CHECK(brook_kernel_launch(kernel, NULL, NULL, 4) == BROOK_INPUT_ERROR);
    SAID("the arguments are NULL");
    CHECK(brook_kernel_launch(NULL, NULL, arguments, 4) == BROOK_INPUT_ERROR);
    SAID("the kernel is NULL");
    CHECK(brook_kernel_launch_async(kernel, NULL, arguments, 4) == NULL);
    SAID("the queue is NULL");
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 4) == BROOK_INPUT_ERROR);
    SAID("is no memory, or it was released");
    arguments[3] = memory(x, BROOK_READ_ONLY_MEMORY);
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 4) == BROOK_INPUT_ERROR);
    SAID("argument 4 'y' of kernel 'axpy' is not declared const");
    arguments[3] = memory(x, BROOK_STREAM);
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 4) == BROOK_INPUT_ERROR);
    SAID("argument 4: a launch takes no argument of kind 1");
    arguments[3] = memory(x, BROOK_MEMORY);
    arguments[1].bytes = 8;
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 4) == BROOK_INPUT_ERROR);
    SAID("argument 2: a value of 1 components of type float has 1 to 4 of them and 4 bytes, not 8");
    arguments[1] = number(BROOK_FLOAT, NULL, 4);
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 4) == BROOK_INPUT_ERROR);
    SAID("argument 2: its data is NULL");
    wrong = brook_memory_create(device, BROOK_DOUBLE, 1, 10, NULL);
    arguments[1] = number(BROOK_FLOAT, &a, sizeof a);
    arguments[2] = memory(wrong, BROOK_MEMORY);
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 4) == BROOK_INPUT_ERROR);
    SAID("argument 3 'x' of kernel 'axpy' is a float buffer; got a double buffer");
    arguments[2] = memory(wrong, BROOK_UNTYPED_MEMORY);
    CHECK(brook_kernel_launch(kernel, NULL, arguments, 4) == BROOK_SUCCESS);
    CHECK(brook_memory_read(x, 4, 1, to) == BROOK_SUCCESS && to[0] == 63);
    embedded(device, directories);
    CHECK(brook_program_build(device, "a.okl", NULL, 0, NULL) == NULL);
    SAID("source is NULL");
    CHECK(brook_program_build_file(device, "/nothing/a.okl", NULL) == NULL);
    SAID("/nothing/a.okl");
    CHECK(brook_package_write(device, "a.okl", NULL, 0, NULL, "a.brk") == BROOK_INPUT_ERROR);
    SAID("source is NULL");
    CHECK(brook_package_write(device, "a.okl", text, strlen(text), NULL, NULL) == BROOK_INPUT_ERROR);
    SAID("file is NULL");
    CHECK(brook_package_write(NULL, "a.okl", text, strlen(text), NULL, "a.brk") == BROOK_INPUT_ERROR);
    CHECK(brook_package_write(device, "a.okl", whole, strlen(whole), NULL, "/nothing/here/a.brk") != BROOK_SUCCESS);
    SAID("/nothing/here/a.brk");
    CHECK(brook_record_end() == NULL);
    SAID("not being recorded");
    brook_memory_release(wrong);
    brook_memory_release(x);
    brook_kernel_release(kernel);
    brook_kernel_release(kernel);
    SAID("was released");
    if (failures == 0) printf("all is as it should be\n");
    return failures != 0;
}
