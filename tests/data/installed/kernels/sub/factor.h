#define MORE 0.25f
