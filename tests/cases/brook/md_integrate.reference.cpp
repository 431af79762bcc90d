#include <cmath>

static float part(float3 v, int c) { return c == 0 ? v.x : c == 1 ? v.y : v.z; }
static void set(float3 &v, int c, double value) { (c == 0 ? v.x : c == 1 ? v.y : v.z) = (float)value; }

void gather_forces(Stream<float2>, float, Stream<float4> from1, Stream<float4> from2, Stream<float3> list1,
                   Stream<float3> list2, Stream<float3> before, Stream<float3> total) {
  for (unsigned i = 0; i < total.size(); ++i) {
    float a[8] = {from1[i].x, from1[i].y, from1[i].z, from1[i].w, from2[i].x, from2[i].y, from2[i].z, from2[i].w};
    for (int c = 0; c < 3; ++c) {
      double sum = part(before[i], c);
      for (int k = 0; k < 8; ++k)
        if (a[k] >= 0) sum += part((k < 4 ? list1 : list2)[(unsigned)a[k]], c);
      set(total[i], c, sum);
    }
  }
}

void verlet(float dt, float box, Stream<float3> now, Stream<float3> before, Stream<float3> force, Stream<float> mass,
            Stream<float3> next, Stream<float3> kept, Stream<float3> velocity) {
  for (unsigned i = 0; i < next.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      double here = part(now[i], c), step = here - part(before[i], c);
      if (step >= box / 2) step -= box;
      if (step < -box / 2) step += box;
      double there = here + step + (double)dt * dt * part(force[i], c) / mass[i];
      set(velocity[i], c, (there - (here - step)) / (2 * dt));
      if (there < 0) there += box;
      if (there >= box) there -= box;
      set(next[i], c, there);
      set(kept[i], c, here);
    }
}

void restore(Stream<float2>, Stream<float4> partners, Stream<float3> pos, float, Stream<float3> better, Stream<float4> off) {
  for (unsigned i = 0; i < better.size(); ++i) {
    float others[3] = {partners[i].x, partners[i].y, partners[i].z};
    double moved[3] = {pos[i].x, pos[i].y, pos[i].z}, errors[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      if (others[k] < 0) continue;
      float3 other = pos[(unsigned)others[k]];
      double d[3], r = 0;
      for (int c = 0; c < 3; ++c) {
        d[c] = (double)part(pos[i], c) - part(other, c);
        r += d[c] * d[c];
      }
      r = std::sqrt(r);
      errors[k] = r - partners[i].w;
      for (int c = 0; c < 3; ++c) moved[c] -= errors[k] / 2 * d[c] / r;
    }
    for (int c = 0; c < 3; ++c) set(better[i], c, moved[c]);
    off[i].x = (float)errors[0];
    off[i].y = (float)errors[1];
    off[i].z = (float)errors[2];
    off[i].w = 0;
  }
}

void maxwell(Stream<float2>, Stream<float2> random, float temperature, Stream<float3> velocity, Stream<float2> where) {
  for (unsigned i = 0; i < velocity.size(); ++i) {
    double u = random[i].x < 0.001 ? 0.001 : random[i].x, angle = 6.283185307 * random[i].y;
    double radius = std::sqrt(-2 * temperature * std::log(u));
    velocity[i].x = (float)(radius * std::cos(angle));
    velocity[i].y = (float)(radius * std::sin(angle));
    velocity[i].z = (float)(std::cos(angle) < std::sin(angle) ? radius : -radius);
    where[i].x = (float)(i % where.extents[0] * 2) + 0.5f;
    where[i].y = (float)(i / where.extents[0] * 2) + 0.5f;
  }
}

void kinetic(Stream<float3> v, float mass, float3 *total) {
  double sum[3] = {0, 0, 0};
  for (unsigned i = 0; i < v.size(); ++i)
    for (int c = 0; c < 3; ++c) sum[c] += 0.5 * mass * part(v[i], c) * part(v[i], c);
  for (int c = 0; c < 3; ++c) set(*total, c, sum[c]);
}

void momentum(Stream<float3> v, Stream<float> weights, float3 *total) {
  double sum[3] = {0, 0, 0};
  for (unsigned i = 0; i < v.size(); ++i)
    for (int c = 0; c < 3; ++c) sum[c] += (double)weights[0] * part(v[i], c) + (double)weights[1] * part(v[i], (c + 2) % 3);
  for (int c = 0; c < 3; ++c) set(*total, c, sum[c]);
}

void extent(Stream<float3> v, float3 *largest) {
  *largest = v[0];
  for (unsigned i = 1; i < v.size(); ++i)
    for (int c = 0; c < 3; ++c)
      if (part(v[i], c) > part(*largest, c)) set(*largest, c, part(v[i], c));
}
