#if N=2
int unused(int i) { return (i; + 2); }
