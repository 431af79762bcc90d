void chosen(int n, const int *in, short *out, short *most) {
  for (int i = 0; i < n; ++i) {
    const int one = in[i], two = n;
    const int first[2] = {one + (i > 2 ? one : two), 3 + (i > 2 ? one : two)};
    for (int c = 0; c < 2; ++c) out[2 * i + c] = short(first[c] * i - (i ? one : two));
    const int a = i > 3 ? one : two, b = i > 3 ? two : one;
    most[i] = short((a > one ? a : one) + (two < b ? two : b));
  }
}
