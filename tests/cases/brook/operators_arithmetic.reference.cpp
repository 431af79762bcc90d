void four(Stream<float4> a, Stream<float4> b, Stream<float4> o) {
  for (unsigned i = 0; i < 4 * a.size(); ++i) {
    float x = (&a.data->x)[i], y = (&b.data->x)[i];
    (&o.data->x)[i] = (x + y) * (x - y) / y + x;
  }
}

void three(Stream<float3> a, Stream<float3> b, Stream<float3> o) {
  for (unsigned i = 0; i < 3 * a.size(); ++i) {
    float x = (&a.data->x)[i], y = (&b.data->x)[i];
    (&o.data->x)[i] = x / y / y * x - y - x;
  }
}

void pair(Stream<double2> a, Stream<double2> b, Stream<double2> o) {
  for (unsigned i = 0; i < 2 * a.size(); ++i) {
    double x = (&a.data->x)[i], y = (&b.data->x)[i];
    (&o.data->x)[i] = x * y / (x + y) + (x - y);
  }
}
