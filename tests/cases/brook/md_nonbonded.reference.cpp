#include <cmath>

void nonbonded(float atoms, float3 box, float cutoff, float2 lj, Stream<float4> posq, Stream<float4> keep,
               Stream<float4> force, Stream<float2> parts) {
  int n = (int)atoms;
  for (int i = 0; i < n; ++i) {
    double f[3] = {0, 0, 0}, dispersion = 0, electric = 0;
    for (int j = 0; j < n; ++j) {
      const float4 k = keep.at((unsigned)j / 4, (unsigned)i);
      const float wanted[4] = {k.x, k.y, k.z, k.w};
      if (wanted[j % 4] == 0) continue;
      float4 a = posq.at((unsigned)i, 0), b = posq.at((unsigned)j, 0);
      double d[3] = {(double)a.x - b.x, (double)a.y - b.y, (double)a.z - b.z}, size[3] = {box.x, box.y, box.z}, r2 = 0;
      for (int c = 0; c < 3; ++c) {
        while (d[c] >= size[c] / 2) d[c] -= size[c];
        while (d[c] < -size[c] / 2) d[c] += size[c];
        r2 += d[c] * d[c];
      }
      if (r2 >= (double)cutoff * cutoff) continue;
      double r = std::sqrt(r2), v = lj.x / std::pow(r, 12) - lj.y / std::pow(r, 6), e = a.w * b.w / r;
      double slope = 12 * lj.x / std::pow(r, 13) - 6 * lj.y / std::pow(r, 7) + a.w * b.w / r2;
      for (int c = 0; c < 3; ++c) f[c] += slope * d[c] / r;
      dispersion += v;
      electric += e;
    }
    force[i].x = (float)f[0];
    force[i].y = (float)f[1];
    force[i].z = (float)f[2];
    force[i].w = (float)((dispersion + electric) / 2);
    parts[i].x = (float)(dispersion / 2);
    parts[i].y = (float)(electric / 2);
  }
}

void near_partners(float width, float longest, Stream<float3> place, Stream<float3> all, Stream<float4> lists,
                   Stream<float4> weight, Stream<float> count) {
  for (unsigned i = 0; i < count.size(); ++i) {
    float sum[4] = {0, 0, 0, 0};
    count[i] = 0;
    bool more = true;
    for (unsigned row = 0; row < (unsigned)longest && more; ++row) {
      float4 p = lists.at(i, row);
      float numbers[4] = {p.x, p.y, p.z, p.w};
      for (int c = 0; c < 4; ++c) {
        if (numbers[c] < 0) {
          more = false;
          continue;
        }
        float3 a = place[i], b = all[(unsigned)numbers[c]];
        double r2 = std::pow((double)a.x - b.x, 2) + std::pow((double)a.y - b.y, 2) + std::pow((double)a.z - b.z, 2);
        sum[c] += (float)(1 / (1 + r2));
        count[i] += 1;
      }
    }
    weight[i].x = sum[0];
    weight[i].y = sum[1];
    weight[i].z = sum[2];
    weight[i].w = sum[3];
  }
}
