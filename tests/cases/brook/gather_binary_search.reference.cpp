void search(Stream<float> wanted, Stream<float> sorted, Stream<float> index, float size, int) {
  for (unsigned i = 0; i < wanted.size(); ++i) {
    index[i] = -1;
    for (unsigned k = 0; k < unsigned(size); ++k)
      if (sorted[k] == wanted[i]) index[i] = k;
  }
}
