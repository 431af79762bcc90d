// Never called: no backend accepts the kernel.
void inside(const int, int *) {}
