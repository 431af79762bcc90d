void turned(Stream<float> a, Stream<float> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = a[i] / 2 + 1;
}

void hidden(Stream<float> a, Stream<float> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = a[i] + 2;
}

void late(Stream<float> a, Stream<float> o) {
  for (unsigned i = 0; i < o.size(); ++i) o[i] = a[i] / 4;
}
