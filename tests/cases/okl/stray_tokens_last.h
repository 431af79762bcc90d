// The last #endif is missing, as in headers of solvers.
#ifndef STRAY_TOKENS_LAST
#define STRAY_TOKENS_LAST
#if 1
void never(int *x) { *x = (1; + 1); }
