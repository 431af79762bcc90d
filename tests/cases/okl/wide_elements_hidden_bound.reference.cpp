void ofTile(const int n, float *o) {
  for (int i = 0; i < n; ++i) o[i] = i + 1;
}
void ofCondition(const int n, const int most, float *o) {
  for (int i = 0; i < n; ++i)
    if (2 * i < most) o[i] = 1 + 2 * i;
}
void ofIndex(const int n, float *o) {
  for (int i = 4; i < n; ++i) o[i - 4] = i;
}
