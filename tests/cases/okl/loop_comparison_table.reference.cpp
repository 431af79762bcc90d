static void add(int *to, int first, int last, int step, int what) {
  for (int i = first; step > 0 ? i <= last : i >= last; i += step) to[i] += what;
}
void upwards(const int low, const int high, int *out) {
  for (int g = 0; g < 2; ++g, out += 100) {
    add(out, low, high - 1, 1, 1 + 2 + 16 + 32);
    add(out, low, high, 1, 4 + 8);
    add(out, low, high - 1, 3, 64);
    add(out, low, high, 4, 128);
    add(out, low, high, 5, 256);
  }
}
void downwards(const int low, const int high, int *out) {
  for (int g = 0; g < 2; ++g, out += 100) {
    add(out, high, low + 1, -1, 1 + 2 + 16 + 32);
    add(out, high, low, -1, 4 + 8);
    add(out, high, low + 1, -3, 64);
    add(out, high, low, -4, 128);
    add(out, high, low, -5, 256);
  }
}
void groups(const int low, const int high, int *out) {
  add(out, low, high - 1, 1, 1 + 8);
  add(out, low, high, 2, 2);
  add(out, low, high, 3, 4);
  add(out, high, low, -2, 16);
  add(out, high, low + 1, -3, 32);
  add(out, high, low + 1, -1, 64);
}
