void trace(Stream<float3> from, Stream<float3> to, Stream<float4> o, Stream<int> p) {
  for (unsigned i = 0; i < o.size(); ++i) {
    float dx = to[i].x - from[i].x, dy = to[i].y - from[i].y, dz = to[i].z - from[i].z;
    o[i] = {from[i].x, dx, dx, (dx * dx + dy * dy + dz * dz) / 2};
    p[i] = 0 + 15 + 20;
  }
}
