#define SHIFT 0.5f
