void spaces(int groups, const float *in, float *out) {
  for (int g = 0; g < groups; ++g) {
    const float *row = in + 4 * g;
    const float four = row[0] + row[1] + row[2] + row[3], tripled = four + 2 * row[0];
    for (int i = 0; i < 4; ++i) {
      const float start = in[0] + in[1] + in[2] + in[3];
      float result = start + tripled + 10 * (row[1] + row[2]) + 10;
      result += 2 * 10 * four + 2 * 10 * row[0] + row[3] + 10 * row[i];
      result += row[0] + in[1] + in[2] + (row[i] == 0 ? 1000 : 0);
      out[4 * g + i] = result;
    }
  }
}
