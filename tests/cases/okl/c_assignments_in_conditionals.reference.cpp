void either(const int n, int *odd, int *even) {
  for (int i = 0; i < n; ++i) {
    int kept = 1, last = 0, value, fifth;
    if (i % 2) odd[i] = i;
    else even[i] = 2 * i;
    if (i % 2 == 0) kept = 5;
    if (i % 3 == 0) last = 1;
    else if (i % 3 == 1) last += 2;
    else last -= 3;
    if (i % 2 == 0) last = 7;
    value = last;
    if (i % 5 == 0) last = 9;
    fifth = last;
    odd[i] += kept + 10 * value + fifth;
    if (i % 2 == 0) last |= 16;
    even[i] += last;
    odd[i] += last;
  }
}
