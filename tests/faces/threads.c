/* 16 threads at once, from C: threads DEVICE FOLDER. Each has things of its own, all share some, and one takes a handle
 * away that the others use: their calls succeed, or say that it was released. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>

enum { THREADS = 16, COUNT = 64, ROUNDS = 8 };

static const char source[] = "@kernel void add(const int n, const int by, int *a) {\n"
                             "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] += by * TIMES;\n}\n";
static const char streams[] = "kernel void twice(int a<>, out int b<>) { b = 2 * a; }\n";

static const brook_device *device;
static const char *folder;
static brook_kernel *shared_kernel;
static brook_module *shared_module;
static brook_queue *shared_queue;
static brook_memory *taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* One of threads, whose failures are counted together. */
static void so(int line, int right) {
    if (right) return;
    pthread_mutex_lock(&lock);
    check(__FILE__, line, 0);
    pthread_mutex_unlock(&lock);
}
#define SO(WHAT) so(__LINE__, (WHAT))

static brook_program *built(int times) {
    char define[32], *list[2] = {NULL, NULL};
    brook_build_options options;
    sprintf(define, "TIMES=%d", times);
    list[0] = define;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.defines = (const char *const *)list;
    return brook_program_build(device, "add.okl", source, sizeof source - 1, &options);
}

static int launch(const brook_kernel *kernel, const brook_queue *queue, brook_memory *data, int by) {
    int n = COUNT;
    brook_argument arguments[3];
    arguments[0] = number(BROOK_INT, &n, sizeof n);
    arguments[1] = number(BROOK_INT, &by, sizeof by);
    arguments[2] = memory(data, BROOK_MEMORY);
    return brook_kernel_launch(kernel, queue, arguments, 3);
}

/* Devices, programs, kernels, memory, queues and events of the thread's own. */
static void own(int number_) {
    /* Four programs, each wanted by four threads at once. */
    const int times = 1 + number_ % 4;
    int values[COUNT], i;
    brook_program *program = built(times);
    brook_kernel *kernel = brook_program_kernel(program, "add");
    brook_queue *queue = brook_queue_create(device);
    brook_pool *pool = brook_pool_create(device);
    brook_event *event;
    double seconds = -1;
    brook_program_release(program);
    SO(brook_device_open(brook_device_name(device)) == device && kernel != NULL && queue != NULL);
    for (i = 0; i < ROUNDS; ++i) {
        brook_memory *data = i % 2 ? brook_memory_create(device, BROOK_INT, 1, COUNT, NULL)
                                   : brook_pool_memory(pool, BROOK_INT, 1, COUNT, NULL);
        brook_memory *part = brook_memory_part(data, 0, COUNT);
        SO(launch(kernel, NULL, data, number_) == BROOK_SUCCESS && brook_device_finish(device) == BROOK_SUCCESS);
        SO(launch(kernel, queue, part, 1) == BROOK_SUCCESS);
        event = brook_queue_record(queue);
        SO(brook_queue_wait_for(shared_queue, event) == BROOK_SUCCESS);
        SO(brook_event_wait(event) == BROOK_SUCCESS && brook_event_elapsed(event, event, &seconds) == BROOK_SUCCESS);
        brook_event_release(event);
        brook_memory_release(data);
        SO(brook_queue_read(queue, part, 0, COUNT, values) == BROOK_SUCCESS && brook_queue_wait(queue) == BROOK_SUCCESS);
        SO(values[0] == times * (number_ + 1) && values[COUNT - 1] == values[0]);
        brook_memory_release(part);
    }
    /* Errors are the thread's own. */
    SO(brook_memory_create(device, 100 + number_, 1, 1, NULL) == NULL);
    {
        char words[64];
        sprintf(words, "%d is no enum brook_type", 100 + number_);
        SO(strstr(brook_last_error(), words) != NULL);
    }
    brook_pool_release(pool);
    brook_queue_release(queue);
    brook_kernel_release(kernel);
    SO(launch(kernel, NULL, taken, 1) != BROOK_SUCCESS && strstr(brook_last_error(), "was released") != NULL);
}

/* What all threads use. */
static void together(int number_, brook_memory *counters) {
    brook_memory *mine = brook_memory_part(counters, (size_t)number_ * 1024, COUNT);
    int values[COUNT], i;
    for (i = 0; i < ROUNDS; ++i) {
        SO(brook_kernel_retain(shared_kernel) == shared_kernel);
        SO(launch(shared_kernel, i % 2 ? shared_queue : NULL, mine, 1) == BROOK_SUCCESS);
        SO(brook_device_finish(device) == BROOK_SUCCESS);
        brook_kernel_release(shared_kernel);
    }
    SO(brook_memory_read(mine, 0, COUNT, values) == BROOK_SUCCESS && values[0] == ROUNDS && values[COUNT - 1] == ROUNDS);
    brook_memory_release(mine);
}

/* The module's kernels over streams, recorded, too, which is the thread's own affair. */
static void over_streams(int number_) {
    const unsigned extent = COUNT;
    int in[COUNT], out[COUNT], i;
    brook_stream *a, *b;
    brook_argument call[2];
    brook_sequence *sequence;
    for (i = 0; i < COUNT; ++i) in[i] = i + number_;
    brook_use_device(device);
    a = brook_stream_create("int", 1, &extent);
    b = brook_stream_create("int", 1, &extent);
    SO(brook_stream_read(a, in, "async") == BROOK_SUCCESS);
    call[0] = given(BROOK_STREAM, 0, 0, a);
    call[1] = given(BROOK_STREAM, 0, 0, b);
    SO(brook_call(shared_module, "twice", NULL, call, 2) == BROOK_SUCCESS);
    SO(brook_stream_write(b, out, NULL) == BROOK_SUCCESS && out[COUNT - 1] == 2 * (COUNT - 1 + number_));
    SO(brook_record_begin() == BROOK_SUCCESS);
    call[0].data = b;
    call[1].data = a;
    SO(brook_call(shared_module, "twice", NULL, call, 2) == BROOK_SUCCESS);
    sequence = brook_record_end();
    SO(brook_sequence_launch(sequence) == BROOK_SUCCESS);
    SO(brook_stream_write(a, out, NULL) == BROOK_SUCCESS && out[0] == 4 * number_);
    brook_sequence_release(sequence);
    brook_stream_release(a);
    brook_stream_release(b);
}

/* The handle that is taken away at some moment. */
static void released(int number_) {
    int values[COUNT], i;
    for (i = 0; i < ROUNDS * 8; ++i) {
        if (number_ == 7 && i == ROUNDS * 4) {
            brook_memory_release(taken);
            continue;
        }
        if (brook_memory_read(taken, 0, COUNT, values) != BROOK_SUCCESS) {
            SO(strstr(brook_last_error(), "was released") != NULL);
        } else {
            SO(values[0] == 0);
        }
        if (brook_memory_retain(taken) != NULL) brook_memory_release(taken);
    }
}

static brook_memory *counters;

static void *work(void *data) {
    const int number_ = *(const int *)data;
    own(number_);
    together(number_, counters);
    over_streams(number_);
    released(number_);
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    int numbers[THREADS], i;
    if (argc != 3) return 2;
    folder = argv[2];
    device = brook_device_open(argv[1]);
    CHECK(device != NULL && folder != NULL);
    {
        brook_program *program = built(1);
        shared_kernel = brook_program_kernel(program, "add");
        brook_program_release(program);
    }
    shared_module = brook_module_create("twice.br", streams, sizeof streams - 1, NULL);
    shared_queue = brook_queue_create(device);
    counters = brook_memory_create(device, BROOK_INT, 1, 1024 * THREADS, NULL);
    taken = brook_memory_create(device, BROOK_INT, 1, COUNT, NULL);
    CHECK(shared_kernel != NULL && shared_module != NULL && shared_queue != NULL && counters != NULL && taken != NULL);
    for (i = 0; i < THREADS; ++i) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, work, &numbers[i]) != 0) return 3;
    }
    for (i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    CHECK(brook_memory_count(taken) == 0);
    SAID("was released");
    brook_memory_release(counters);
    brook_queue_release(shared_queue);
    brook_kernel_release(shared_kernel);
    brook_module_release(shared_module);
    CHECK(brook_finish() == BROOK_SUCCESS);
    if (failures == 0) printf("all is as it should be\n");
    return failures != 0;
}
