void many(const int n, const int items, int *out) {
  // The second nest counts down: its first iteration is the item that was first before.
  for (int g = 0; g < n; ++g)
    for (int i = 0; i < items; ++i) out[g * items + items - 1 - i] = 3 * g + 3 * i + i;
}
