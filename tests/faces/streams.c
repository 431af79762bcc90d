/* What abi.h has for streams, from C: streams DEVICE FOLDER. Results are worked out by hand. */
#include "check.h"

static const char source[] = "kernel void axpy(float a, float x<>, float y<>, out float z<>) { z = a * x + y; }\n"
                             "reduce void sum(float x<>, reduce float total) { total += x; }\n"
                             "kernel void row(float x[4], float i<>, out float z<>) { z = x[(int) i]; }\n";

static brook_argument stream(brook_stream *data) { return given(BROOK_STREAM, 0, 0, data); }

static brook_stream *made(unsigned count) { return brook_stream_create("float", 1, &count); }

/* Gives a stream up, whose errors were looked at or do not matter: nobody prints them. */
static void gone(brook_stream *data) {
    brook_stream_error_log(data);
    brook_stream_error(data);
    brook_stream_release(data);
}

/* Whether a stream has an error of that kind, which says this. */
static int has(brook_stream *data, int error, const char *words) {
    return strstr(brook_stream_error_log(data), words) != NULL && brook_stream_error(data) == error &&
           brook_stream_error(data) == BROOK_STREAM_NO_ERROR;
}

static void devices(const brook_device *device) {
    unsigned count = 0, i;
    const brook_device *const *all = brook_devices("all", &count);
    int found = 0;
    CHECK(all != NULL && count > 0);
    for (i = 0; i < count; ++i) found += all[i] == device;
    /* These are the GPUs and the processor; others can be opened by their names. */
    CHECK(found == (strncmp(brook_device_name(device), "opencl", 6) != 0) || strcmp(brook_device_type(device), "cal") == 0);
    brook_devices("nothing", &count);
    CHECK(count == 0);
    CHECK(strstr(brook_device_name(device), ":0") != NULL);
    CHECK(brook_device_architecture(device)[0] != '\0' && brook_device_architecture(NULL) == NULL);
    CHECK(brook_device_architecture(device) == brook_device_architecture(device));
    CHECK(strcmp(brook_device_type(device), "cpu") == 0 || strcmp(brook_device_type(device), "cal") == 0);
    CHECK(brook_device_bindings(device) != NULL);
    CHECK(brook_device_native(device, "nothing") == NULL);
    brook_device_native(device, "context");
    CHECK(brook_device_native(NULL, "context") == NULL);
    SAID("the device is NULL");
    CHECK(brook_device_name(NULL) == NULL && brook_device_type(NULL) == NULL && brook_device_bindings(NULL) == NULL);
    CHECK(brook_device_name((const brook_device *)&found) == NULL);
    SAID("is no device of this library's");
    brook_use_device(NULL);
    CHECK(brook_current_device() == device);
}

/* A set of that device twice: rows go where they are said to go. */
static void distribution(const brook_device *device) {
    char name[200];
    const brook_device *set;
    const unsigned rows = 10;
    const size_t counts[2] = {3, 7}, few[2] = {3, 3};
    size_t held[4] = {0, 0, 0, 0};
    float in[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, out[10];
    brook_stream *a, *alone = made(4);
    CHECK(strlen(brook_device_name(device)) < 90);
    sprintf(name, "%s,%s", brook_device_name(device), brook_device_name(device));
    set = brook_device_open(name);
    CHECK(set != NULL && brook_device_parts(set) == 2 && brook_device_parts(device) == 0 && brook_device_parts(NULL) == 0);
    brook_use_device(set);
    a = made(rows);
    CHECK(brook_stream_read(a, in, NULL) == 0 && brook_stream_share_out(a, 2, counts) == 0);
    CHECK(brook_stream_rows_on(a, 1, held, 2) == 1 && held[0] == 3 && held[1] == 7);
    CHECK(brook_stream_prefetch(a, 0, 8, 2) == 0 && brook_stream_rows_on(a, 0, held, 1) == 2 && held[0] == 0 && held[1] == 3);
    CHECK(brook_stream_rows_on(a, 0, held, 2) == 2 && held[2] == 8 && held[3] == 2 && brook_stream_rows_on(a, 0, NULL, 0) == 2);
    CHECK(brook_stream_write(a, out, NULL) == 0 && memcmp(in, out, sizeof in) == 0);
    CHECK(brook_stream_rows_on(a, 2, held, 2) == 0 && brook_stream_rows_on(NULL, 0, held, 2) == 0);
    CHECK(brook_stream_share_out(a, 2, few) != 0 && has(a, BROOK_STREAM_INVALID_PARAMETER, "10 rows are to be shared out"));
    CHECK(brook_stream_share_out(a, 2, NULL) != 0 && brook_stream_prefetch(a, 2, 0, 1) != 0 && brook_stream_prefetch(a, 0, 9, 2) != 0);
    CHECK(brook_stream_share_out(NULL, 2, counts) != 0 && brook_stream_prefetch(NULL, 0, 0, 1) != 0);
    gone(a);
    brook_use_device(device);
    CHECK(brook_stream_prefetch(alone, 0, 0, 4) == 0 && brook_stream_share_out(alone, 2, few) != 0);
    gone(alone);
}

static void data(const brook_device *device) {
    const unsigned extents[2] = {2, 3}, start[2] = {1, 0}, end[2] = {3, 2}, none[1] = {0}, far[2] = {9, 9};
    unsigned found[4] = {0, 0, 0, 0}, width = 0;
    float in[6] = {1, 2, 3, 4, 5, 6}, out[6] = {0, 0, 0, 0, 0, 0};
    brook_stream *a = brook_stream_create("float", 2, extents), *b = brook_stream_declare("float", 2, extents, NULL);
    brook_stream *vectors = brook_stream_create("int4", 2, extents), *part, *wrong;
    CHECK(a != NULL && b != NULL && brook_stream_bytes(a) == 24 && brook_stream_bytes(vectors) == 96);
    CHECK(brook_stream_extents(a, found) == 2 && found[0] == 2 && found[1] == 3 && brook_stream_extents(a, NULL) == 2);
    CHECK(brook_stream_element(vectors, &width) == BROOK_INT && width == 4);
    CHECK(brook_stream_element(a, NULL) == BROOK_FLOAT);
    CHECK(brook_stream_device(a) == device);
    brook_stream_native(a);
    CHECK(brook_stream_write(a, out, NULL) == BROOK_SUCCESS && out[0] == 0 && out[5] == 0);
    CHECK(brook_stream_read(a, in, "async") == BROOK_SUCCESS && brook_stream_finish(a) == BROOK_SUCCESS);
    CHECK(brook_stream_is_sync(a) == 1);
    CHECK(brook_stream_assign(b, a) == BROOK_SUCCESS);
    CHECK(brook_stream_write(b, out, "async") == BROOK_SUCCESS && brook_stream_finish(b) == BROOK_SUCCESS && out[5] == 6);

    /* A part: columns 1 and 2 of both rows. */
    part = brook_stream_domain(a, 2, start, end);
    CHECK(brook_stream_bytes(part) == 16 && brook_stream_write(part, out, NULL) == BROOK_SUCCESS);
    CHECK(out[0] == 2 && out[1] == 3 && out[2] == 5 && out[3] == 6);
    brook_stream_release(part);
    part = brook_stream_domain(a, 0, start, end);
    CHECK(brook_stream_bytes(part) == 16);
    CHECK(brook_stream_retain(part) == part);
    brook_stream_release(part);
    CHECK(brook_stream_bytes(part) == 16);
    brook_stream_release(part);
    CHECK(brook_stream_bytes(part) == 0);
    SAID("was released");
    brook_stream_release(part);
    CHECK(brook_stream_retain(part) == NULL && brook_stream_read(part, in, NULL) == BROOK_INPUT_ERROR);
    SAID("was released");

    /* What cannot be. */
    part = brook_stream_domain(a, 2, start, far);
    CHECK(has(part, BROOK_STREAM_DOMAIN, "Domain"));
    CHECK(brook_stream_bytes(part) == 0 && brook_stream_extents(part, found) == 0 && brook_stream_element(part, NULL) == -1);
    CHECK(brook_stream_device(part) == NULL && brook_stream_native(part) == NULL);
    brook_stream_release(part);
    part = brook_stream_domain(a, 2, NULL, end);
    CHECK(has(part, BROOK_STREAM_DOMAIN, "Domain start point can't be NULL"));
    brook_stream_release(part);
    part = brook_stream_domain(a, 2, start, NULL);
    CHECK(has(part, BROOK_STREAM_DOMAIN, "Domain end point can't be NULL"));
    brook_stream_release(part);
    CHECK(brook_stream_domain(NULL, 2, start, end) == NULL && brook_stream_exec_domain(NULL, 1) == NULL);
    CHECK(brook_stream_create("float", 1, none) == NULL);
    SAID("0");
    CHECK(brook_stream_create("nothing", 1, extents) == NULL);
    SAID("nothing");
    CHECK(brook_stream_create("float", 5, far) == NULL && brook_stream_create(NULL, 2, extents) == NULL);
    CHECK(brook_stream_create("float", 2, NULL) == NULL);
    wrong = brook_stream_declare("nothing", 1, extents, NULL);
    CHECK(has(wrong, BROOK_STREAM_DECLARATION, "nothing"));
    CHECK(brook_stream_read(wrong, in, NULL) == BROOK_INPUT_ERROR && brook_stream_error(wrong) != BROOK_STREAM_NO_ERROR);
    brook_stream_release(wrong);
    CHECK(brook_stream_read(a, NULL, NULL) == BROOK_INPUT_ERROR && has(a, BROOK_STREAM_READ, "NULL"));
    CHECK(brook_stream_write(b, NULL, NULL) == BROOK_INPUT_ERROR && has(b, BROOK_STREAM_WRITE, "NULL"));
    CHECK(brook_stream_assign(a, vectors) == BROOK_INPUT_ERROR && has(a, BROOK_STREAM_ASSIGN, "Assign"));
    CHECK(brook_stream_assign(a, NULL) == BROOK_INPUT_ERROR && has(a, BROOK_STREAM_ASSIGN, "Assign"));
    CHECK(brook_stream_set_property(a, "pointer", in) == BROOK_INPUT_ERROR);
    CHECK(has(a, BROOK_STREAM_INVALID_PARAMETER, "not an interoperable stream"));
    CHECK(brook_stream_is_sync(NULL) == 1 && brook_stream_finish(NULL) == BROOK_INPUT_ERROR);
    CHECK(brook_stream_error(NULL) == BROOK_STREAM_INVALID_PARAMETER && brook_stream_error_log(NULL)[0] == '\0');
    brook_stream_release(a);
    brook_stream_release(b);
    brook_stream_release(vectors);
    brook_stream_release(NULL);
}

/* Memory of the host's as a stream, where the device's is that. */
static void bindings(const brook_device *device) {
    float host[4] = {1, 2, 3, 4}, out[4] = {0, 0, 0, 0};
    const unsigned count = 4;
    brook_stream *bound = brook_stream_declare("float", 1, &count, "host");
    if (strstr(brook_device_bindings(device), "host") == NULL) {
        CHECK(has(bound, BROOK_STREAM_DECLARATION, "host"));
    } else {
        CHECK(brook_stream_set_property(bound, "nothing", host) == BROOK_INPUT_ERROR);
        CHECK(has(bound, BROOK_STREAM_INVALID_PARAMETER, "no property 'nothing'; it has 'pointer'"));
        CHECK(brook_stream_set_property(bound, "pointer", NULL) == BROOK_INPUT_ERROR);
        CHECK(has(bound, BROOK_STREAM_INVALID_PARAMETER, "'pointer' is NULL"));
        CHECK(brook_stream_set_property(bound, "pointer", host) == BROOK_SUCCESS);
        CHECK(brook_stream_write(bound, out, NULL) == BROOK_SUCCESS && out[3] == 4);
        CHECK(brook_stream_native(bound) == (void *)host);
    }
    brook_stream_release(bound);
}

static void calls(brook_module *module) {
    float in[4] = {1, 2, 3, 4}, out[4], a = 2, total = 7, places[4] = {3, 2, 1, 0};
    brook_stream *x = made(4), *y = made(4), *z = made(4), *other = made(3), *first;
    brook_argument call[4];
    brook_domain domain;
    brook_stream_read(x, in, NULL);
    brook_stream_read(y, in, NULL);
    call[0] = number(BROOK_FLOAT, &a, sizeof a);
    call[1] = stream(x);
    call[2] = stream(y);
    call[3] = stream(z);
    CHECK(brook_call(module, "axpy", NULL, call, 4) == BROOK_SUCCESS && brook_finish() == BROOK_SUCCESS);
    CHECK(brook_stream_write(z, out, NULL) == BROOK_SUCCESS && out[0] == 3 && out[3] == 12);
    memset(&domain, 0, sizeof domain);
    domain.has_offset = domain.has_size = 1;
    domain.offset[0] = 1;
    domain.size[0] = 2;
    a = 0;
    CHECK(brook_call(module, "axpy", &domain, call, 4) == BROOK_SUCCESS);
    CHECK(brook_stream_write(z, out, NULL) == BROOK_SUCCESS);
    CHECK(out[0] == 3 && out[1] == 2 && out[2] == 3 && out[3] == 12);
    first = brook_stream_exec_domain(z, 1);
    call[3] = stream(first);
    a = 10;
    CHECK(brook_call(module, "axpy", NULL, call, 4) == BROOK_SUCCESS);
    CHECK(brook_stream_write(z, out, NULL) == BROOK_SUCCESS && out[0] == 11 && out[1] == 2);
    gone(first);
    first = brook_stream_exec_domain(z, 9);
    CHECK(has(first, BROOK_STREAM_DOMAIN, "Exec"));
    gone(first);

    call[0] = stream(x);
    call[1] = given(BROOK_VARIABLE, BROOK_FLOAT, sizeof total, &total);
    CHECK(brook_call(module, "sum", NULL, call, 2) == BROOK_SUCCESS && total == 10);
    call[0] = given(BROOK_ARRAY, BROOK_FLOAT, sizeof in, in);
    call[0].rank = 1;
    call[0].extents[0] = 4;
    brook_stream_read(y, places, NULL);
    call[1] = stream(y);
    call[2] = stream(z);
    CHECK(brook_call(module, "row", NULL, call, 3) == BROOK_SUCCESS);
    CHECK(brook_stream_write(z, out, NULL) == BROOK_SUCCESS && out[0] == 4 && out[3] == 1);
    call[0] = given(BROOK_POINTER, BROOK_FLOAT, 0, in);
    CHECK(brook_call(module, "row", NULL, call, 3) == BROOK_SUCCESS);

    /* What cannot be. */
    CHECK(brook_call(module, "nothing", NULL, call, 3) == BROOK_INPUT_ERROR);
    SAID("there is no kernel 'nothing'");
    CHECK(brook_call(module, NULL, NULL, call, 3) == BROOK_INPUT_ERROR);
    CHECK(brook_call(NULL, "row", NULL, call, 3) == BROOK_INPUT_ERROR);
    CHECK(brook_call(module, "row", NULL, call, 2) == BROOK_INPUT_ERROR);
    CHECK(brook_call(module, "row", NULL, NULL, 3) == BROOK_INPUT_ERROR);
    /* All of these are the output's, too. */
    CHECK(brook_stream_error(z) == BROOK_STREAM_KERNEL);
    gone(z);
    z = made(4);
    call[2] = stream(z);
    call[1] = stream(x);
    call[0] = number(BROOK_FLOAT, &a, sizeof a);
    call[3] = stream(other);
    CHECK(brook_call(module, "axpy", NULL, call, 3) == BROOK_INPUT_ERROR);
    CHECK(brook_stream_error(z) == BROOK_STREAM_KERNEL || brook_stream_error(z) == BROOK_STREAM_NO_ERROR);
    gone(x);
    gone(y);
    gone(z);
    gone(other);
}

static void sequences(brook_module *module) {
    float ones[4] = {1, 1, 1, 1}, out[4], a = 2, total = 0;
    brook_stream *x = made(4), *y = made(4), *z = made(4);
    brook_sequence *sequence;
    brook_argument call[4], reduction[2];
    brook_stream_read(x, ones, NULL);
    brook_stream_read(y, ones, NULL);
    call[0] = number(BROOK_FLOAT, &a, sizeof a);
    call[1] = stream(x);
    call[2] = stream(y);
    call[3] = stream(z);
    CHECK(brook_record_begin() == BROOK_SUCCESS && brook_record_begin() == BROOK_INPUT_ERROR);
    SAID("being recorded already");
    CHECK(brook_call(module, "axpy", NULL, call, 4) == BROOK_SUCCESS);
    call[1] = stream(z);
    call[3] = stream(y);
    /* It reads and writes y, item by item. */
    CHECK(brook_call(module, "axpy", NULL, call, 4) == BROOK_SUCCESS);
    reduction[0] = stream(x);
    reduction[1] = given(BROOK_VARIABLE, BROOK_FLOAT, sizeof total, &total);
    CHECK(brook_call(module, "sum", NULL, reduction, 2) == BROOK_INPUT_ERROR);
    sequence = brook_record_end();
    CHECK(sequence != NULL && brook_record_end() == NULL);
    SAID("not being recorded");
    /* z = 2 x + y = 3, y = 2 z + y = 7; z = 9, y = 25. */
    CHECK(brook_sequence_launch(sequence) == BROOK_SUCCESS && brook_stream_write(y, out, NULL) == BROOK_SUCCESS);
    CHECK(out[0] == 7 && out[3] == 7);
    CHECK(brook_sequence_launch(sequence) == BROOK_SUCCESS && brook_stream_write(y, out, NULL) == BROOK_SUCCESS);
    CHECK(out[0] == 25);
    CHECK(brook_sequence_launch_on(sequence, NULL) == BROOK_INPUT_ERROR);
    brook_sequence_release(sequence);
    CHECK(brook_sequence_launch(sequence) == BROOK_INPUT_ERROR);
    SAID("was released");
    brook_sequence_release(sequence);
    brook_sequence_release(NULL);
    gone(x);
    gone(y);
    gone(z);
}

static void indirect(brook_module *module) {
    float in[4] = {10, 20, 30, 40}, places[3] = {3, 0, 3}, out[4];
    brook_stream *array = made(4), *index = made(3), *target = made(3);
    brook_stream_read(array, in, NULL);
    brook_stream_read(index, places, NULL);
    CHECK(brook_gather(target, index, array, BROOK_GATHER_FETCH, NULL, NULL) == BROOK_SUCCESS);
    CHECK(brook_stream_write(target, out, NULL) == BROOK_SUCCESS && out[0] == 40 && out[1] == 10 && out[2] == 40);
    CHECK(brook_gather(target, index, array, BROOK_GATHER_INC, NULL, NULL) == BROOK_SUCCESS);
    CHECK(brook_stream_write(array, out, NULL) == BROOK_SUCCESS && out[0] == 11 && out[1] == 20 && out[3] == 42);
    CHECK(brook_stream_write(target, out, NULL) == BROOK_SUCCESS && out[0] == 40 && out[2] == 41);
    CHECK(brook_scatter(target, index, array, BROOK_SCATTER_ADD, NULL, NULL) == BROOK_SUCCESS);
    CHECK(brook_stream_write(array, out, NULL) == BROOK_SUCCESS && out[0] == 21 && out[3] == 123);
    CHECK(brook_scatter(target, index, array, BROOK_SCATTER_ASSIGN, NULL, NULL) == BROOK_SUCCESS);
    CHECK(brook_scatter(target, index, array, BROOK_KERNEL, module, "sum") == BROOK_SUCCESS);
    CHECK(brook_stream_write(array, out, NULL) == BROOK_SUCCESS && out[0] == 20 && out[3] == 122);
    CHECK(brook_scatter(target, index, array, BROOK_SCATTER_MUL | BROOK_RUNTIME_ORDER, NULL, NULL) == BROOK_SUCCESS);
    CHECK(brook_stream_write(target, out, NULL) == BROOK_SUCCESS && out[1] == 200);
    CHECK(brook_gather(target, index, array, 99, NULL, NULL) == BROOK_INPUT_ERROR);
    CHECK(has(target, BROOK_STREAM_KERNEL, "there is no such operation"));
    CHECK(brook_gather(target, index, NULL, BROOK_GATHER_FETCH, NULL, NULL) == BROOK_INPUT_ERROR);
    CHECK(brook_stream_error(target) == BROOK_STREAM_KERNEL);
    CHECK(brook_gather(NULL, index, array, BROOK_GATHER_FETCH, NULL, NULL) == BROOK_INPUT_ERROR);
    SAID("the stream is NULL");
    CHECK(brook_scatter(target, index, array, 99, NULL, NULL) == BROOK_INPUT_ERROR);
    CHECK(brook_stream_error(array) == BROOK_STREAM_KERNEL);
    gone(array);
    gone(index);
    gone(target);
}

int main(int argc, char **argv) {
    const brook_device *device;
    brook_module *module, *wrong;
    brook_stream *x;
    brook_argument call[2];
    if (argc != 3) return 2;
    device = brook_device_open(argv[1]);
    CHECK(device != NULL);
    brook_use_device(device);
    CHECK(brook_current_device() == device);
    devices(device);
    data(device);
    distribution(device);
    bindings(device);
    module = brook_module_create("streams.br", source, sizeof source - 1, NULL);
    CHECK(module != NULL);
    calls(module);
    sequences(module);
    indirect(module);
    brook_module_release(module);
    CHECK(brook_call(module, "sum", NULL, NULL, 0) == BROOK_INPUT_ERROR);
    SAID("was released");
    brook_module_release(module);
    brook_module_release(NULL);
    CHECK(brook_module_create(NULL, source, 1, NULL) == NULL && brook_module_create("a.br", NULL, 1, NULL) == NULL);
    /* A source is looked at when a kernel of it is called. */
    wrong = brook_module_create("wrong.br", "kernel void f(float a<>) { a = 1.0f; }", 38, NULL);
    x = made(4);
    call[0] = stream(x);
    CHECK(brook_call(wrong, "f", NULL, call, 1) == BROOK_INPUT_ERROR);
    SAID("wrong.br");
    brook_stream_error(x);
    brook_stream_release(x);
    brook_module_release(wrong);
    if (failures == 0) printf("all is as it should be\n");
    return failures != 0;
}
