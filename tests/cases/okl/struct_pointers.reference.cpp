struct Node {
  int next;
  float weight[2];
  short low, high;
};
void walk(const int n, Node *nodes, const Node *others, float *out) {
  for (int k = 0; k < 4 * n; ++k) {
    Node &a = nodes[k];
    const Node &b = others[a.next];
    a.weight[0] += 0.5f + k % 4, a.weight[1] -= 0.5f + k % 4, a.high += 2;
    a.low = b.high + 16;
    out[k] = a.weight[0] + 8 * (a.weight[1] + b.weight[0] + others[k / 4 * 4 + k % 2].low) + a.low + a.high;
  }
}
