void bounded(const unsigned n, long *out) {
  for (long g = 0; g < n; ++g) out[g] += g * (g + 1) / 2;
  for (long l = 0; l < 3; ++l)
    for (long g = l; g < 3; ++g) out[g] += 4000000000L + l;
  out[0] += 1000 * ('b' + 'c');
  out[1] += 1000 * 'c';
}
