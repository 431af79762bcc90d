void one(Stream<float> a, Stream<int> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a[i[k]];
}

void two(Stream<float> a, Stream<int2> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a.at(i[k].x, i[k].y);
}

void three(Stream<float> a, Stream<int3> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a.at(i[k].x, i[k].y, i[k].z);
}

void four(Stream<float> a, Stream<int4> i, Stream<float> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a.at(i[k].x, i[k].y, i[k].z, i[k].w);
}
