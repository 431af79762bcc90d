// Calls the kernels of truths.okl in a shared object, and prints which of them are right.
#include <cstdio>
#include <dlfcn.h>
#include <vector>

typedef void (*Kernel)(int, const float *, const int *, const float *, float *);
typedef int (*Place)(float, int);

static int first(float x, int) { if (x > 0.5f) return 1; return 0; }
static int negated(float x, int) { if (x > 0.5f) return 3; return 4; }
static int modulo(float, int k) { if (k == 2) return 0; return 1; }
static int second(float, int) { return 1; }
static int sum(float x, int k) { int s = 0; if (x > 0.5f) s += 1; if (k > 2) s += 1; return s; }

int main(int, char **arguments) {
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (!library) { std::puts(dlerror()); return 2; }
  const struct { const char *name; Place place; } all[] = {
      {"declared", first}, {"boolean", first}, {"cast", first}, {"byte", first}, {"negated", negated},
      {"masked", first}, {"modulo", modulo}, {"branch", first}, {"choice", first}, {"sum", sum},
      {"pointer", first}, {"comma", first}, {"branched", second}};
  const int n = 300;
  // Lanes that read at -1 find other numbers there.
  std::vector<float> x(n), memory(64, -1.0f), out(n);
  std::vector<int> numbers(n + 64, 3);
  int *k = numbers.data() + 32;
  for (int i = 0; i < n; ++i) { x[i] = (i * 37 % 100) / 100.0f; k[i] = i % 5; }
  const float *table = memory.data() + 32;
  for (int i = 0; i < 8; ++i) memory[32 + i] = 3.0f * i + 1.0f;
  for (const auto &one : all) {
    Kernel kernel = (Kernel)dlsym(library, one.name);
    if (!kernel) { std::puts(one.name); return 2; }
    std::printf("%s ", one.name);
    std::fflush(stdout);
    kernel(n, x.data(), k, table, out.data());
    bool wrong = false;
    for (int i = 0; i < n; ++i) wrong |= out[i] != table[one.place(x[i], k[i])];
    std::puts(wrong ? "wrong" : "right");
    std::fflush(stdout);
  }
  return 0;
}
