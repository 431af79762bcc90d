void narrow(int *out) {
  for (int i = 100; i < 126; ++i) out[200 + i] += 1;
  for (int i = 200; i < 254; ++i) out[200 + i] += 10;
  for (int i = 65500; i < 65530; i += 3) out[i % 64] += 100;
}
