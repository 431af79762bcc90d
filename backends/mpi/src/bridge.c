/* What brook asks of MPI, in types that are the same for all of its implementations. Compiled by the user's own mpicc. */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include <mpi.h>
#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__GNUC__)
#define SHOWN __attribute__((visibility("default")))
#else
#define SHOWN
#endif

/* A communicator of ours: nobody else's messages are in it. */
typedef struct {
    MPI_Comm comm;
} brook_mpi_comm;

/* In the order of brook's `Reduction` and `Number`. */
static const MPI_Op OPERATIONS[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};

static MPI_Datatype number(int which) {
    switch (which) {
    case 0: return MPI_INT32_T;
    case 1: return MPI_INT64_T;
    case 2: return MPI_FLOAT;
    case 3: return MPI_DOUBLE;
    default: return MPI_UINT64_T;
    }
}

/* How many calls of MPI this process is in. An exit from within one is MPI's own. */
static volatile int inside = 0;

static int returned(int code) {
    --inside;
    return code;
}

#define CALL(call) (++inside, returned(call))

/* What went wrong, to be freed; null if nothing did. */
static char *said(int code) {
    char text[MPI_MAX_ERROR_STRING + 1];
    int length = 0;
    if (code == MPI_SUCCESS)
        return NULL;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        length = snprintf(text, sizeof text, "MPI's error %d", code);
    text[length] = 0;
    return strdup(text);
}

SHOWN void brook_mpi_free(void *memory) { free(memory); }

/* Set once we have started MPI, and so are to end it. Nothing else goes through it. */
static MPI_Comm last = MPI_COMM_NULL;
/* The process that MPI knows, which may have children. */
static pid_t known = 0;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Whether all processes have come here within so many seconds; forever if negative. */
static int all_came(MPI_Comm all, double patience) {
    MPI_Request request;
    double began = seconds();
    int done = 0, told = 0;
    if (CALL(MPI_Ibarrier(all, &request)) != MPI_SUCCESS)
        return 0;
    for (;;) {
        if (CALL(MPI_Test(&request, &done, MPI_STATUS_IGNORE)) != MPI_SUCCESS)
            return 0;
        if (done)
            return 1;
        if (patience >= 0 && seconds() - began > patience)
            return 0;
        if (!told && seconds() - began > 60) {
            int rank = 0;
            MPI_Comm_rank(all, &rank);
            fprintf(stderr, "brook: the process of rank %d has ended, and has waited 60 s for others to end\n", rank);
            told = 1;
        }
        usleep(200);
    }
}

/* The process ends: well, and then waits for all others, or not, and then does not let them wait for it. */
static void end(int status) {
    MPI_Comm all = last;
    int over = 0, rank = 0;
    MPI_Finalized(&over);
    if (over || all == MPI_COMM_NULL || inside > 0 || getpid() != known)
        return;
    /* MPI_Abort may come here, too. */
    last = MPI_COMM_NULL;
    if (!all_came(all, status == 0 ? -1.0 : 10.0)) {
        MPI_Comm_rank(all, &rank);
        fprintf(stderr, "brook: the process of rank %d ended with status %d before the others; they are ended\n", rank,
                status);
        fflush(stderr);
        MPI_Abort(all, status == 0 ? 1 : status);
    }
    MPI_Finalize();
}

#if defined(__GLIBC__)
static void ended(int status, void *nothing) {
    (void)nothing;
    end(status);
}
#else
static void ended(void) { end(0); }
#endif

static char *ours(MPI_Comm of, brook_mpi_comm **made) {
    brook_mpi_comm *comm = malloc(sizeof *comm);
    char *failure;
    if (comm == NULL)
        return strdup("out of memory");
    failure = said(CALL(MPI_Comm_dup(of, &comm->comm)));
    if (failure == NULL)
        failure = said(MPI_Comm_set_errhandler(comm->comm, MPI_ERRORS_RETURN));
    if (failure != NULL) {
        free(comm);
        return failure;
    }
    *made = comm;
    return NULL;
}

/* The headers of one MPI and the library of another agree on nothing, and nobody says so before something crashes. */
static char *mixed(void) {
#if MPI_VERSION >= 3
    /* As much as any of them writes, whatever these headers say. */
    static char version[65536];
    int length = 0, open, expected = 0;
    MPI_Get_library_version(version, &length);
#if defined(OPEN_MPI)
    expected = 1;
#endif
    version[sizeof version - 1] = 0;
    version[strcspn(version, "\n,")] = 0;
    open = strncmp(version, "Open MPI", 8) == 0;
    if (open != expected) {
        char *text = malloc(strlen(version) + 200);
        if (text != NULL)
            sprintf(text, "mpicc compiles with the headers of %sOpen MPI, and links the library of another one: '%.200s'",
                    expected ? "" : "another MPI than ", version);
        return text != NULL ? text : strdup("out of memory");
    }
#endif
    return NULL;
}

/* All processes of the job; starts MPI where nobody has, and then ends it with the process: before what the libraries do at their ends, which
   were loaded just now, and so before what the program has put off until its end before it opened a device. */
SHOWN char *brook_mpi_world(brook_mpi_comm **made) {
    int before = 0, over = 0, threads = 0;
    char *failure = mixed();
    if (failure == NULL)
        failure = said(MPI_Initialized(&before));
    if (failure == NULL)
        failure = said(MPI_Finalized(&over));
    if (failure != NULL)
        return failure;
    if (over)
        return strdup("MPI has been ended already");
    if (!before && (failure = said(CALL(MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &threads)))) != NULL)
        return failure;
    known = getpid();
    failure = ours(MPI_COMM_WORLD, made);
    if (failure == NULL && !before) {
        /* Some errors of messages are told to it, whichever communicator they are of. */
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        failure = said(CALL(MPI_Comm_dup(MPI_COMM_WORLD, &last)));
    }
    if (failure == NULL && !before) {
#if defined(__GLIBC__)
        on_exit(ended, NULL);
#else
        atexit(ended);
#endif
    }
    return failure;
}

/* A communicator that somebody has, as Fortran names it. */
SHOWN char *brook_mpi_of(int fortran, brook_mpi_comm **made) {
    int before = 0;
    char *failure = mixed();
    if (failure == NULL)
        failure = said(MPI_Initialized(&before));
    if (failure == NULL && !before)
        failure = strdup("MPI has not been started");
    known = getpid();
    return failure != NULL ? failure : ours(MPI_Comm_f2c((MPI_Fint)fortran), made);
}

/* Numbers of this process and of all, in the communicator and among those that share its memory. */
SHOWN char *brook_mpi_place(brook_mpi_comm *comm, int *rank, int *size, int *local_rank, int *local_size) {
    MPI_Comm node;
    char *failure = said(MPI_Comm_rank(comm->comm, rank));
    if (failure == NULL)
        failure = said(MPI_Comm_size(comm->comm, size));
    if (failure == NULL)
        failure = said(CALL(MPI_Comm_split_type(comm->comm, MPI_COMM_TYPE_SHARED, *rank, MPI_INFO_NULL, &node)));
    if (failure != NULL)
        return failure;
    MPI_Comm_rank(node, local_rank);
    MPI_Comm_size(node, local_size);
    return said(MPI_Comm_free(&node));
}

/* How many threads may call at once: 0 to 3, as MPI_THREAD_SINGLE to MPI_THREAD_MULTIPLE. */
SHOWN char *brook_mpi_threads(int *level) {
    int provided = 0;
    char *failure = said(MPI_Query_thread(&provided));
    *level = provided == MPI_THREAD_MULTIPLE     ? 3
             : provided == MPI_THREAD_SERIALIZED ? 2
             : provided == MPI_THREAD_FUNNELED   ? 1
                                                 : 0;
    return failure;
}

/* Whether MPI says that it takes addresses of GPUs' memory, CUDA's and ROCm's: by functions that not all of them have, or declare. */
SHOWN void brook_mpi_devices(int *cuda, int *rocm) {
    *cuda = *rocm = 0;
#if defined(__unix__) || defined(__APPLE__)
    int (*asked)(void);
    *(void **)&asked = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
    if (asked != NULL)
        *cuda = asked() == 1;
    *(void **)&asked = dlsym(RTLD_DEFAULT, "MPIX_Query_rocm_support");
    if (asked != NULL)
        *rocm = asked() == 1;
#endif
}

/* Whether messages can still be sent. */
SHOWN int brook_mpi_goes_on(void) {
    int over = 1;
    if (inside > 0 || getpid() != known)
        return 0;
    MPI_Finalized(&over);
    return !over;
}

/* Room for a request. */
static char *request(void **made) {
    *made = malloc(sizeof(MPI_Request));
    return *made == NULL ? strdup("out of memory") : NULL;
}

/* What has begun, unless it could not. */
static char *begun(int code, void **made) {
    char *failure = said(code);
    if (failure != NULL) {
        free(*made);
        *made = NULL;
    }
    return failure;
}

SHOWN char *brook_mpi_send(brook_mpi_comm *comm, const void *from, int bytes, int to, int tag, void **made) {
    char *failure = request(made);
    return failure != NULL ? failure : begun(CALL(MPI_Isend(from, bytes, MPI_BYTE, to, tag, comm->comm, *made)), made);
}

SHOWN char *brook_mpi_receive(brook_mpi_comm *comm, void *to, int bytes, int from, int tag, void **made) {
    char *failure = request(made);
    return failure != NULL ? failure : begun(CALL(MPI_Irecv(to, bytes, MPI_BYTE, from, tag, comm->comm, *made)), made);
}

SHOWN char *brook_mpi_broadcast(brook_mpi_comm *comm, void *memory, int bytes, int root, void **made) {
    char *failure = request(made);
    return failure != NULL ? failure : begun(CALL(MPI_Ibcast(memory, bytes, MPI_BYTE, root, comm->comm, *made)), made);
}

/* Equally many bytes of each, in the order of ranks. */
SHOWN char *brook_mpi_gather(brook_mpi_comm *comm, const void *own, int bytes, void *all, void **made) {
    char *failure = request(made);
    if (failure != NULL)
        return failure;
    return begun(CALL(MPI_Iallgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm->comm, *made)), made);
}

/* In place. */
SHOWN char *brook_mpi_reduce(brook_mpi_comm *comm, void *numbers, int count, int type, int operation, void **made) {
    char *failure = request(made);
    if (failure != NULL)
        return failure;
    return begun(
        CALL(MPI_Iallreduce(MPI_IN_PLACE, numbers, count, number(type), OPERATIONS[operation], comm->comm, *made)), made);
}

/* Whether it is done; what is done, or failed, is gone. `bytes` is how many came, where some did. */
SHOWN char *brook_mpi_test(void *request, int *done, int *bytes) {
    MPI_Status status;
    char *failure = said(CALL(MPI_Test(request, done, &status)));
    if (failure == NULL && *done)
        failure = said(CALL(MPI_Get_count(&status, MPI_BYTE, bytes)));
    if (failure != NULL || *done)
        free(request);
    return failure;
}

SHOWN void brook_mpi_abort(brook_mpi_comm *comm, int status) {
    last = MPI_COMM_NULL;
    MPI_Abort(comm->comm, status);
}
