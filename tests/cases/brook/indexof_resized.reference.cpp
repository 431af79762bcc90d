void both(Stream<float> a, Stream<float> b, Stream<float4> o, Stream<float4> p) {
  for (unsigned y = 0; y < 6; ++y)
    for (unsigned x = 0; x < 5; ++x) {
      const float ax = x * 10 / 5, ay = y * 2 / 6, bx = x * 2 / 5, by = y * 9 / 6;
      o.at(x, y) = {ax, ay, bx, by};
      // What is no stream's element is the kernel's own.
      p.at(x, y) = {ay, ax, (float)y, (float)x};
    }
}
