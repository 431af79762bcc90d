void least(int n, const int *key, long *of, int *counts) {
  for (int i = 0; i < n; ++i) {
    if (n - i < of[key[i]]) of[key[i]] = n - i;
    counts[key[i]] += 1;
  }
}
