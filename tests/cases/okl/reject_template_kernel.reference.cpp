// Never called: no backend accepts the kernel.
void generic(const int, int *) {}
