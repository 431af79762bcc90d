// Never called: no backend accepts the kernel.
void writes(const int, int *) {}
