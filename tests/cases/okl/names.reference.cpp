void names(const int groups, const int items, const int *arguments, int *threads) {
  for (int block = 0; block < groups; ++block)
    for (int lane = 0; lane < 16; ++lane)
      threads[16 * block + lane] = (lane + 1 + arguments[(16 * block + 15 - lane) % items]) * 2;
}

void reserved(const int count, const float *pointer, float *result, float *name) {
  for (int i = 0; i < count; ++i) {
    result[i] = pointer[i] + 2.0f;
    name[i] = count / 2;
  }
}
