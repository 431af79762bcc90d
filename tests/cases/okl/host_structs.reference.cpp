#define AXES 3
typedef struct { int nx, ny; long total; } Grid;
struct Ray { char tag; float origin[AXES]; double weight; };
enum Mode { Off, On = 5 };
union Either { int number; double real; };
typedef struct {
  short n;
  Grid grid;
  unsigned char sizes[4];
  struct Ray rays[2];
  enum Mode mode;
  union Either either;
  struct { int deep; } nested[2];
  long nothing;
} Params;

void fields(const Params p, const struct Ray ray, double *out) {
  for (int k = 0; k < p.sizes[1]; ++k)
    for (int b = 0; b < p.grid.nx; ++b)
      for (int i = 0; i < p.sizes[k]; ++i)
        out[b * 8 + i] += p.grid.total + ray.origin[1] * (k + 1) + p.rays[1].weight;
  if (p.mode == On && ray.weight > 0.5 && p.nested[1].deep == 9)
    for (long b = p.grid.total; b > p.grid.total - p.n; --b)
      for (int i = 0; i < (int)(sizeof(Params) / sizeof(Ray)); ++i)
        out[56 + (p.grid.total - b)] += ray.tag + p.either.number;
}
