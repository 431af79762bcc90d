void multiply(Stream<float4> m, Stream<float4> v, int, float scale, Stream<float> o) {
  for (unsigned r = 0; r < o.size(); ++r) {
    float sum = 0;
    for (unsigned k = 0; k < 4 * v.size(); ++k) sum += (&m.at(0, r).x)[k] * (&v.data->x)[k];
    o[r] = sum * scale;
  }
}
