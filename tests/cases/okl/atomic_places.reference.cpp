struct Cell {
  int count;
  float weights[2];
};
void places(const int n, Cell *cells, int *data) {
  for (int g = 0; g < 2; ++g) {
    int s[6] = {}, count[2] = {}, weight[2] = {};
    for (int i = 0; i < n; ++i) {
      cells[i % 3].count += 1, cells[1].weights[i % 2] += 0.5f, cells[2].count++;
      data[0] += i, data[1] -= 1, data[2 + i % 2]--;
      s[i % 2 * 3 + i % 3]++, weight[i % 2] += 2, count[1 - i % 2] += i;
      data[4 + g]++, s[0]++;
    }
    for (int i = 0; i < 6; ++i) data[10 + 6 * g + i] = s[i];
    for (int i = 0; i < 2; ++i) data[22 + 2 * g + i] = count[i] * 100 + weight[i];
  }
}
