static void hit(int *out, long k, int v) { out[k >= 0 && k < 64 ? k : 64] += v; }

void kinds(int start, int end, unsigned last, int low, int *out) {
  for (long i = start; i <= end; ++i) hit(out, i - start, 1);
  for (long i = start; i < end; i += 2) hit(out, i - start, 2);
  for (long i = long(last) - 30; i < long(last); ++i) hit(out, i + 30 - last, 4);
  for (long i = end; i >= low; i -= 400000000) hit(out, (end - i) / 400000000, 8);
  for (long i = 0; i < end - 100000000L; i += 100000000) hit(out, i / 100000000, 16);
}

void split(int start, int end, int *out) {
  for (long i = start; i < end; ++i) hit(out, i - start, int(end - 1 - i));
}
