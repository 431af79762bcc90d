#define UNUSED 1
