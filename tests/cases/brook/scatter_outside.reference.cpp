void line(Stream<int> place, Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    if (place[i] >= 0 && place[i] < 6) o[place[i]] = a[i];
}

void plane(Stream<int2> place, Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    int x = place[i].x, y = place[i].y;
    if (x >= 0 && x < 3 && y >= 0 && y < 2) o.at(x, y) = a[i];
  }
}

void by_vector(Stream<int2> place, Stream<int> a, Stream<int> o) { plane(place, a, o); }

void floats(Stream<float> place, Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i) {
    float at = std::floor(place[i] + 0.25f);
    if (at >= 0 && at < 6) o[unsigned(at)] = a[i];
  }
}

void sometimes(Stream<int> a, Stream<int> o) {
  for (unsigned i = 0; i < a.size(); ++i)
    if (a[i] % 2 == 0) o[i] = a[i] * 10;
}
