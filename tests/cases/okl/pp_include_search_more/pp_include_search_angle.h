#define ANGLE 100
