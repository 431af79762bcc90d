typedef float real;
struct S { float a; };

void own(int *b) {
  typedef double real;
  struct S { double a; double c; };
  const int m = (int) sizeof(real) + (real) 1 / 2 * 2;
  for (int o = 0; o < (int) sizeof(real); ++o)
    for (int i = 0; i < (int) sizeof(S); ++i) b[o * 16 + i] = m + (real) 0.5 * 2;
}
void files(int *b) {
  for (int o = 0; o < (int) sizeof(real); ++o)
    for (int i = 0; i < (int) sizeof(S); ++i) b[o * 4 + i] = 1 + sizeof(real);
}
void inside(int *b) {
  for (int o = 0; o < (int) sizeof(real); ++o) {
    typedef double real;
    for (int i = 0; i < (int) sizeof(real); ++i) b[o * 8 + i] = sizeof(real);
  }
}
void blocks(int *b) {
  for (int o = 0; o < (int) sizeof(S); ++o)
    for (int i = 0; i < 2; ++i) b[o * 2 + i] = 1;
  {
    struct S { int a[2]; };
    for (int o = 0; o < (int) sizeof(S); ++o)
      for (int i = 0; i < 2; ++i) b[o * 2 + i] += 2;
  }
  for (int o = 0; o < (int) sizeof(S); ++o)
    for (int i = 0; i < 2; ++i) b[o * 2 + i] += 4;
}
void casts(int *b) {
  typedef int real;
  for (int o = 0; o < 2; ++o)
    for (int i = 0; i < (real) 2.5 * 2; ++i) b[o * 4 + i] = (real) 1.5;
}
void casts_again(int *b) {
  for (int o = 0; o < 2; ++o)
    for (int i = 0; i < (int) ((real) 2.5 * 2); ++i) b[o * 5 + i] = 1;
}

// An enumeration in one kernel, a number in another.
void first(int *b) {
  enum Small { a = 3 };
  for (int o = 0; o < (int) sizeof(Small); ++o)
    for (int i = 0; i < a; ++i) b[o * 3 + i] = sizeof(Small);
}
void second(int *b) {
  typedef short Small;
  const int a = 2;
  for (int o = 0; o < (int) sizeof(Small); ++o)
    for (int i = 0; i < a; ++i) b[o * 2 + i] = sizeof(Small);
}
