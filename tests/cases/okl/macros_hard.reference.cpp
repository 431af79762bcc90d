void macros_hard(int *a) {
  for (int i = 0; i < 32; ++i) {
    a[i] = i % 4 + 1 + i / 4;
    // The line of WHERE, seven after the one that #line calls 100.
    a[i] += 7;
    // SEVEN, 1.5 times two, and the nine characters of a "b\n" c with the zero byte.
    a[i] += 7 + 3 + 10;
  }
}
