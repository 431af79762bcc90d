// How a test of C's interface sees errors: C++ catches them, and in C the program ends.
#ifndef OCCA_ERRORS_H
#define OCCA_ERRORS_H

#ifdef __cplusplus

#include <occa/utils/exception.hpp>

// That something throws, and words of its message.
#define FAILS(WHAT, WORDS)                                                                  \
    do {                                                                                    \
        std::string said = "no error";                                                      \
        try {                                                                               \
            static_cast<void>(WHAT);                                                        \
        } catch (const occa::exception &error) {                                            \
            said = error.message;                                                           \
        }                                                                                   \
        if (said.find(WORDS) == std::string::npos || said == "no error") {                  \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, said.c_str());                   \
            ++failures;                                                                     \
        }                                                                                   \
    } while (false)

#else

#define FAILS(WHAT, WORDS) ((void)0)

#endif

// That a program which does this ends by a signal, and with these words.
#define ENDS(WHAT, WORDS)                                                     \
    do {                                                                      \
        int ends[2], status = 0;                                              \
        char said[2000] = "";                                                 \
        size_t length = 0;                                                    \
        ssize_t more;                                                         \
        pid_t child;                                                          \
        fflush(stdout);                                                       \
        if (pipe(ends) != 0) exit(2);                                         \
        child = fork();                                                       \
        if (child == 0) {                                                     \
            dup2(ends[1], 2);                                                 \
            (void)(WHAT);                                                     \
            _exit(0);                                                         \
        }                                                                     \
        close(ends[1]);                                                       \
        while ((more = read(ends[0], said + length, sizeof said - 1 - length)) > 0) length += (size_t)more; \
        close(ends[0]);                                                       \
        waitpid(child, &status, 0);                                           \
        CHECK(WIFSIGNALED(status) && strstr(said, WORDS) != NULL);            \
    } while (0)

#endif
