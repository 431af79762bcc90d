// Forces are the slopes of the energy, taken numerically in double precision.
#include <cmath>
#include <functional>
#include <vector>

struct Point { double c[3]; };

static Point atom(Stream<float3> pos, float number, float width) {
  long row = (long)std::floor((number + 0.5) / width), column = (long)(number - row * width);
  row = row < 0 ? 0 : row >= (long)pos.extents[1] ? pos.extents[1] - 1 : row;
  column = column < 0 ? 0 : column >= (long)pos.extents[0] ? pos.extents[0] - 1 : column;
  float3 p = pos.at((unsigned)column, (unsigned)row);
  return {{p.x, p.y, p.z}};
}
static Point operator-(Point a, Point b) { return {{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}}; }
static double inner(Point a, Point b) { return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2]; }
static Point outer(Point a, Point b) {
  return {{a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2], a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
}
static float3 force(std::vector<Point> points, unsigned which, std::function<double(const std::vector<Point> &)> energy) {
  float result[3];
  for (int i = 0; i < 3; ++i) {
    double h = 1e-5, kept = points[which].c[i];
    points[which].c[i] = kept + h;
    double up = energy(points);
    points[which].c[i] = kept - h;
    double down = energy(points);
    points[which].c[i] = kept;
    result[i] = (float)((down - up) / (2 * h));
  }
  float3 f;
  f.x = result[0];
  f.y = result[1];
  f.z = result[2];
  return f;
}
static float3 none() {
  float3 f;
  f.x = f.y = f.z = 0;
  return f;
}

void bonds(float width, Stream<float2> pair, Stream<float2> param, Stream<float3> pos, Stream<float3> fi, Stream<float3> fj,
           Stream<float2> e) {
  for (unsigned i = 0; i < fi.size(); ++i) {
    if (pair[i].x < 0) {
      fi[i] = fj[i] = none();
      e[i].x = e[i].y = 0;
      continue;
    }
    std::vector<Point> p = {atom(pos, pair[i].x, width), atom(pos, pair[i].y, width)};
    auto length = [](const std::vector<Point> &q) { return std::sqrt(inner(q[0] - q[1], q[0] - q[1])); };
    auto energy = [&](const std::vector<Point> &q) { return param[i].x * std::pow(length(q) - param[i].y, 2); };
    fi[i] = force(p, 0, energy);
    fj[i] = force(p, 1, energy);
    e[i].x = (float)energy(p);
    e[i].y = (float)length(p);
  }
}

void angles(float width, Stream<float4> atoms, Stream<float2> table, Stream<float3> pos, Stream<float3> fi, Stream<float3> fj,
            Stream<float3> fk, Stream<float> e) {
  for (unsigned i = 0; i < fi.size(); ++i) {
    if (atoms[i].x < 0) {
      fi[i] = fj[i] = fk[i] = none();
      e[i] = 0;
      continue;
    }
    std::vector<Point> p = {atom(pos, atoms[i].x, width), atom(pos, atoms[i].y, width), atom(pos, atoms[i].z, width)};
    float2 param = table[(unsigned)atoms[i].w];
    auto energy = [&](const std::vector<Point> &q) {
      Point a = q[0] - q[1], b = q[2] - q[1];
      double theta = std::acos(inner(a, b) / std::sqrt(inner(a, a) * inner(b, b)));
      return param.x * (theta - param.y) * (theta - param.y);
    };
    fi[i] = force(p, 0, energy);
    fj[i] = force(p, 1, energy);
    fk[i] = force(p, 2, energy);
    e[i] = (float)energy(p);
  }
}

void torsions(float width, Stream<float4> atoms, Stream<float3> param, Stream<float3> pos, Stream<float3> fi, Stream<float3> fj,
              Stream<float3> fk, Stream<float3> fl, Stream<float2> e) {
  for (unsigned i = 0; i < fi.size(); ++i) {
    std::vector<Point> p = {atom(pos, atoms[i].x, width), atom(pos, atoms[i].y, width), atom(pos, atoms[i].z, width),
                            atom(pos, atoms[i].w, width)};
    auto turn = [](const std::vector<Point> &q) {
      Point b1 = q[1] - q[0], b2 = q[2] - q[1], b3 = q[3] - q[2];
      Point m = outer(b1, b2), n = outer(b2, b3);
      return std::atan2(inner(outer(m, n), b2) / std::sqrt(inner(b2, b2)), inner(m, n));
    };
    auto energy = [&](const std::vector<Point> &q) { return param[i].x * (1 + std::cos(param[i].z * turn(q) - param[i].y)); };
    fi[i] = force(p, 0, energy);
    fj[i] = force(p, 1, energy);
    fk[i] = force(p, 2, energy);
    fl[i] = force(p, 3, energy);
    e[i].x = (float)energy(p);
    e[i].y = (float)turn(p);
  }
}
