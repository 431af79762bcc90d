#define BELOW 4000
