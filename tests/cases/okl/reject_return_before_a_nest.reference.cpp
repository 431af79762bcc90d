// Never called: no backend accepts the kernel.
void ambiguous(const int, int *) {}
