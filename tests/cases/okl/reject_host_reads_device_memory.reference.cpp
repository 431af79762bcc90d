// Never called: no backend accepts the kernel.
void reads(const int, int *) {}
