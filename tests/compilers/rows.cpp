// Calls the kernels of rows.okl in a shared object, and prints which of them are right.
#include <cstdio>
#include <dlfcn.h>
#include <vector>

typedef void (*Kernel)(int, const double *, double *);

int main(int, char **arguments) {
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (!library) { std::puts(dlerror()); return 2; }
  const int groups = 5;
  std::vector<double> in(24 * groups), out(8 * groups);
  for (int i = 0; i < 24 * groups; ++i) in[i] = i * 7 % 23;
  for (const char *name : {"one", "cube", "known", "corner"}) {
    Kernel kernel = (Kernel)dlsym(library, name);
    if (!kernel) { std::puts(name); return 2; }
    std::printf("%s ", name);
    std::fflush(stdout);
    kernel(groups, in.data(), out.data());
    bool wrong = false;
    for (int g = 0; g < groups; ++g) {
      const double *rows = &in[24 * g];
      for (int i = 0; i < 8; ++i) {
        double expected = 0;
        if (name[0] == 'o' || name[0] == 'k') {
          expected = rows[i] + 2 * rows[8 + i] + 3 * rows[16 + i] + rows[10];
        } else if (name[1] == 'o') {
          expected = rows[10] + i;
        } else {
          for (int k = 0; k < 6; ++k) expected += (k + 1) * rows[4 * k + i % 4];
          expected += rows[23];
        }
        wrong |= out[8 * g + i] != expected;
      }
    }
    std::puts(wrong ? "wrong" : "right");
    std::fflush(stdout);
  }
  return 0;
}
