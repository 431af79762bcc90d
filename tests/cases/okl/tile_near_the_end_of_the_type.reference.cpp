void ends(int *out) {
  for (int i = 0; i < 40; ++i) out[i] += 11 + (i % 3 == 0 ? 100 : 0);
}
