// What the programs for OCCA's C++ interface check by. FAILS takes what throws, and words of its message.
#ifndef OCCA_CHECK_H
#define OCCA_CHECK_H

#include <occa.hpp>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static int failures = 0;

#define CHECK(...)                                                                 \
    do {                                                                           \
        if (!(__VA_ARGS__)) {                                                      \
            std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
            ++failures;                                                            \
        }                                                                          \
    } while (false)

#define FAILS(WHAT, WORDS)                                                                      \
    do {                                                                                        \
        std::string said = "no error";                                                          \
        try {                                                                                   \
            static_cast<void>(WHAT);                                                            \
        } catch (const occa::exception &error) {                                                \
            said = error.message;                                                               \
            CHECK(std::strstr(error.what(), "Error") != nullptr && !error.location().empty()); \
        }                                                                                       \
        if (said.find(WORDS) == std::string::npos) {                                            \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, said.c_str());                       \
            ++failures;                                                                         \
        }                                                                                       \
    } while (false)

template <class T> static std::vector<T> read(const occa::memory &memory) {
    std::vector<T> all(memory.byte_size() / sizeof(T));
    if (!all.empty()) memory.copyTo(all.data());
    return all;
}

#endif
