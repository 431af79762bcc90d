#include <cstring>

// A body is a float4 of 16 bytes, a double, and 8 bytes of padding: 32 bytes.
void mixed(int n, double dt, const float *in, const int *counts, float *bodies, float *out) {
  const float step = float(dt), halved = float(0.5 * dt);
  for (int i = 0; i < n; ++i) {
    float v[4], w[3];
    for (int c = 0; c < 4; ++c) {
      v[c] = in[4 * i + c] * step + halved * in[4 * i + c];
      v[c] += 0.25f;
      v[c] /= step;
    }
    for (int c = 0; c < 3; ++c) w[c] = step * v[c] - 2 * v[c] * float(1.0 - dt);
    int k[4];
    for (int c = 0; c < 4; ++c) k[c] = (counts[4 * i + c] * 2 + 3) / 2;
    double mass;
    std::memcpy(&mass, bodies + 8 * i + 4, sizeof mass);
    float *const velocity = bodies + 8 * i;
    for (int c = 0; c < 3; ++c) velocity[c] = (velocity[c] * float(mass) + w[c]) * halved;
    const float factor = float(i > 2 ? dt : 0.5 * dt);
    const float u[4] = {w[0], w[1], velocity[2], float(k[0] + k[1])};
    for (int c = 0; c < 4; ++c) out[4 * i + c] = u[c] * factor + v[c] * halved;
  }
}
