// Streams.
#ifndef OCCA_C_STREAM_H
#define OCCA_C_STREAM_H

#include <occa/c/types.h>

OCCA_START_EXTERN_C

// Waits for all that was enqueued.
void occaStreamFinish(occaStream stream);

OCCA_END_EXTERN_C

#endif
