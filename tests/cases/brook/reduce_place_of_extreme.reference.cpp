void place(Stream<float2> a, float2 *r) {
  *r = a[0];
  for (unsigned i = 1; i < a.size(); ++i)
    if (a[i].x > r->x) *r = a[i];
}

void longest_run(Stream<int4> a, int4 *r) {
  int run = 0, best = 0, start = -1, n = int(a.size());
  for (int i = 0; i < n; ++i) {
    run = a[i].w ? run + 1 : 0;
    if (run > best) best = run;
    if (!a[i].w && start < 0) start = i;
  }
  *r = {n, start < 0 ? n : start, run, best};
}
