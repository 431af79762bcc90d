struct Range {
  int start, stop;
};
struct Plan {
  Range rows;
  double weight;
  int steps[3];
  char kind;
};
void planned(const Plan plan, const int width, double *out) {
  double weight = plan.weight + (plan.kind == 'x' && plan.rows.stop - plan.rows.start > plan.steps[0] ? plan.steps[2] : 0);
  for (int s = 0; s < plan.steps[1]; ++s)
    for (int r = plan.rows.start; r < plan.rows.stop; ++r)
      for (int i = 0; i < plan.rows.stop - 4 && i < width; ++i) out[width * r + i] += weight + plan.weight * s + plan.steps[s];
}
