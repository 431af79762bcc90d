void product(uint width, Stream<float> A, Stream<float> B, Stream<float> C) {
  for (unsigned y = 0; y < C.extents[1]; ++y)
    for (unsigned x = 0; x < C.extents[0]; ++x) {
      C.at(x, y) = 0;
      for (unsigned k = 0; k < width; ++k) C.at(x, y) += A.at(k, y) * B.at(x, k);
    }
}

void position(Stream<float> o, Stream<float2> p) {
  for (unsigned y = 0; y < o.extents[1]; ++y)
    for (unsigned x = 0; x < o.extents[0]; ++x) {
      o.at(x, y) = x;
      p.at(x, y) = {float(x), float(y)};
    }
}
