struct Best {
  float value;
  int place;
};
struct tally {
  short count, sum;
};
struct Flags {
  unsigned char set, seen;
};
static void least(Best &best, float value, int place) {
  if (value < best.value || (value == best.value && place < best.place)) best = {value, place};
}
void objects(const int n, const float *in, Best *best, tally *tallies, Flags *flags, float *words, long *wide) {
  for (int i = 0; i < n; ++i) {
    least(best[0], in[i], i);
    least(best[1 + i % 3], in[i], i);
    tallies[i % 2].count += 1;
    tallies[i % 2].sum += i % 5;
    flags[i % 3].set |= 1 << (i % 8);
    flags[i % 3].seen ^= 1 << (i % 8);
    if (i < 5) words[0] *= 0.5f;
    *wide += ((long) i << 33) + i;
  }
}
void exchanged(const int groups, Best *slot, int *places, float *values) {
  for (int g = 0; g < groups; ++g) {
    for (int copy = 0; copy < 2; ++copy) {
      int *const p = places + 34 * g + 17 * copy;
      float *const v = values + 34 * g + 17 * copy;
      for (int i = 0; i < 16; ++i) p[i] += 1, v[i] = 2.0f * i + g;
      p[slot[g].place] += 1, v[slot[g].place] = slot[g].value;
    }
    slot[g] = {0, 0};
  }
}
void copied(const int n, Best *from, Best *to, const Best given) {
  for (int i = 0; i < n; ++i) {
    to[i] = from[i];
    to[i].place += i;
    if (i % 2) to[i] = given;
  }
}
void ofGroups(const int groups, const float *in, Best *best, tally *tallies) {
  for (int g = 0; g < groups; ++g) {
    for (int i = 0; i < 2; ++i) best[2 * g + i] = {1000, -1};
    for (int i = 0; i < 3; ++i) tallies[3 * g + i] = {0, 0};
    for (int i = 0; i < 16; ++i) {
      least(best[2 * g + i % 2], in[16 * g + i], i);
      tallies[3 * g + i % 3].count += 1;
      tallies[3 * g + i % 3].sum += i;
    }
  }
}
