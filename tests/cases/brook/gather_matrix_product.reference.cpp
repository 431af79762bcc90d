void product(float width, Stream<float> A, Stream<float> B, Stream<float> C) {
  for (unsigned row = 0; row < C.extents[1]; ++row)
    for (unsigned column = 0; column < C.extents[0]; ++column) {
      float sum = 0;
      for (unsigned k = 0; k < unsigned(width); ++k) sum += A.at(k, row) * B.at(column, k);
      C.at(column, row) = sum;
    }
}
