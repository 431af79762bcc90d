void two(Stream<int> a, Stream<int2> i, Stream<int> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a.at(i[k].x, i[k].y);
}

void three(Stream<int> a, Stream<int3> i, Stream<int> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a.at(i[k].x, i[k].y, i[k].z);
}

void four(Stream<int> a, Stream<int4> i, Stream<int> o) {
  for (unsigned k = 0; k < o.size(); ++k)
    o[k] = a.at(i[k].x, i[k].y, i[k].z, i[k].w) - a.at(i[k].x, i[k].y, 0, i[k].w);
}

void built(Stream<int> a, Stream<int> x, int y, Stream<int> o) {
  for (unsigned k = 0; k < o.size(); ++k) o[k] = a.at(x[k], y) + a.at(y, x[k]) * 100;
}
