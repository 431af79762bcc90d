void bytes(Stream<uchar> a, Stream<int> place, Stream<uchar> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[place[i]] = a[i];
}

void triples(Stream<float3> a, Stream<int> place, Stream<float3> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[place[i]] = {a[i].z, a[i].y, a[i].x};
}

void shorts(Stream<short3> a, Stream<int2> place, Stream<short3> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    o.at(place[i].x, place[i].y) = {short(2 * a[i].x), short(2 * a[i].y), short(2 * a[i].z)};
}

void doubles(Stream<double2> a, Stream<int> place, Stream<double2> o) {
  for (unsigned i = 0; i < a.size(); ++i) o[place[i]] = {a[i].x * a[i].x, a[i].y * a[i].y};
}
