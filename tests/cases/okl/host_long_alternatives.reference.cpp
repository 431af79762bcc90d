int chosen(int n) {
  int k = -1;
  if (n == 0) k = 0;
  else if (n == 3) k = 1;
  else if (n == 6) k = 4;
  else if (n == 9) k = 9;
  else if (n == 12) k = 16;
  else if (n == 15) k = 25;
  else if (n == 18) k = 36;
  else if (n == 21) k = 49;
  else if (n == 24) k = 64;
  else if (n == 27) k = 81;
  else if (n == 30) k = 100;
  else if (n == 33) k = 121;
  else if (n == 36) k = 144;
  else if (n == 39) k = 169;
  else if (n == 42) k = 196;
  else if (n == 45) k = 225;
  else if (n == 48) k = 256;
  else if (n == 51) k = 289;
  else if (n == 54) k = 324;
  else if (n == 57) k = 361;
  else if (n == 60) k = 400;
  else if (n == 63) k = 441;
  else if (n == 66) k = 484;
  else if (n == 69) k = 529;
  else if (n == 72) k = 576;
  else k = 7 * n;
  return k;
}

void picks(const int n, int *o) {
  int k = chosen(n), j = 0;
  while (j < 100) {
    if ((j += 1) == n + 0) { k += 0; break; }
    else if ((j += 1) == n + 1) { k += 1; break; }
    else if ((j += 1) == n + 2) { k += 2; break; }
    else if ((j += 1) == n + 3) { k += 3; break; }
    else if ((j += 1) == n + 4) { k += 4; break; }
    else if ((j += 1) == n + 5) { k += 5; break; }
    else if ((j += 1) == n + 6) { k += 6; break; }
    else if ((j += 1) == n + 7) { k += 7; break; }
    else if ((j += 1) == n + 8) { k += 8; break; }
    else if ((j += 1) == n + 9) { k += 9; break; }
    else if ((j += 1) == n + 10) { k += 10; break; }
    else if ((j += 1) == n + 11) { k += 11; break; }
    else if (int m = k % 5) { k += m; }
    else if ((j += 1) == n + 13) { k += 13; break; }
    else if ((j += 1) == n + 14) { k += 14; break; }
    else if ((j += 1) == n + 15) { k += 15; break; }
    else if ((j += 1) == n + 16) { k += 16; break; }
    else if ((j += 1) == n + 17) { k += 17; break; }
    else if ((j += 1) == n + 18) { k += 18; break; }
    else if ((j += 1) == n + 19) { k += 19; break; }
    else if ((j += 1) == n + 20) { k += 20; break; }
    else if ((j += 1) == n + 21) { k += 21; break; }
    else if ((j += 1) == n + 22) { k += 22; break; }
    else if ((j += 1) == n + 23) { k += 23; break; }
    else { k += 1000; }
  }
  for (int i = 0; i < 8; ++i) o[i] = k + 1000 * chosen(n + 1) + j;
}
