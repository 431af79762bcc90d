void paste_value(const int n, int *out) {
  // "value + 1" has nine characters, "\"a\\n\" 'x'" as well: quotes and the backslash are escaped.
  for (int k = 0; k < n; ++k) out[k] = 12 + 255 + k + 5 + (7 << 5) + 1000 * 4 + 10000 * 9 + 100000 * 9 + 3;
}
