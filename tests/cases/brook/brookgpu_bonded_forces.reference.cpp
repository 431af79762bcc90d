void bonds(Stream<float2> pair, Stream<float2> spring, Stream<float4> atoms, float, float3 box, Stream<float4> force,
           Stream<float2> energy) {
  const double size[3] = {box.x, box.y, box.z};
  for (unsigned i = 0; i < pair.size(); ++i) {
    float4 p = atoms[unsigned(pair[i].x)], q = atoms[unsigned(pair[i].y)];
    double d[3] = {double(p.x) - q.x, double(p.y) - q.y, double(p.z) - q.z}, r = 0;
    for (int k = 0; k < 3; ++k) {
      d[k] -= size[k] * std::floor(d[k] / size[k] + 0.5);
      r += d[k] * d[k];
    }
    r = std::sqrt(r);
    double stretch = r - spring[i].x, f = -2 * spring[i].y * stretch / r;
    force[i] = {float(f * d[0]), float(f * d[1]), float(f * d[2]), float(p.w * q.w / r)};
    energy[i] = {float(spring[i].y * stretch * stretch), float(r / 2)};
  }
}
