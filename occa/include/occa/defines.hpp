// Versions, C's linkage, and for C++ checks that throw occa::exception. C reads this, too.
#ifndef OCCA_DEFINES_HPP
#define OCCA_DEFINES_HPP

// The interface's version: OCCA's whose programs this is for. `scripts/install --occa-version 1` makes it 1, where sizes of
// memory and what copies count are bytes.
#define OCCA_MAJOR_VERSION 2
#define OCCA_MINOR_VERSION 0
#define OCCA_PATCH_VERSION 0
#define OCCA_VERSION 20000
#define OCCA_VERSION_STR "2.0.0"

#define OKL_MAJOR_VERSION 2
#define OKL_MINOR_VERSION 0
#define OKL_PATCH_VERSION 0
#define OKL_VERSION 20000
#define OKL_VERSION_STR "2.0.0"

// Who answers behind the interface.
#define OCCA_IS_BROOK 1

#ifdef __cplusplus
#define OCCA_START_EXTERN_C extern "C" {
#define OCCA_END_EXTERN_C }
#else
#define OCCA_START_EXTERN_C
#define OCCA_END_EXTERN_C
#endif

#include <occa/defines/compiledDefines.hpp>

#ifndef OCCA_DISABLE_VARIADIC_MACROS
#include <occa/defines/count.h>
#endif

#ifdef __cplusplus

#include <occa/utils/logging.hpp>

// What is streamed together as the message is only made if the condition does not hold.
#define OCCA_REPORT_(REPORT, MESSAGE, CONDITION)                                       \
    do {                                                                               \
        if (!static_cast<bool>(CONDITION)) {                                           \
            ::std::ostringstream occa_message_;                                        \
            occa_message_ << MESSAGE;                                                  \
            REPORT(__FILE__, __PRETTY_FUNCTION__, __LINE__, occa_message_.str());      \
        }                                                                              \
    } while (false)

#define OCCA_ERROR(MESSAGE, CONDITION) OCCA_REPORT_(::occa::error, MESSAGE, CONDITION)
#define OCCA_WARNING(MESSAGE, CONDITION) OCCA_REPORT_(::occa::warn, MESSAGE, CONDITION)
// Compilers know that nothing comes behind this.
#define OCCA_FORCE_ERROR(MESSAGE)                                                      \
    do {                                                                               \
        ::std::ostringstream occa_message_;                                            \
        occa_message_ << MESSAGE;                                                      \
        ::occa::error(__FILE__, __PRETTY_FUNCTION__, __LINE__, occa_message_.str());   \
    } while (false)
#define OCCA_FORCE_WARNING(MESSAGE) OCCA_WARNING(MESSAGE, false)

#endif

#endif
