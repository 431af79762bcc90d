// Several processes, from a program in C++ that knows nothing of MPI.
#include <brook/processes.hpp>

#include <cstdio>
#include <cstdlib>

#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __LINE__)

static void check(bool holds, const char *what, int line) {
    if (holds) return;
    std::fprintf(stderr, "processes.cpp:%d: not %s\n", line, what);
    std::exit(1);
}

int main(int, char **argv) {
    const brook::Communicator world = brook::Communicator::world();
    const int own = world.rank(), all = world.size();
    CHECK(all > 1 && own < all);
    const brook::Device device = world.device("openmp");
    const brook::Program program = world.source(device, "@kernel void fill(const int n, const double x, double *a) {"
                                                        " for (int i = 0; i < n; ++i; @tile(8, @outer, @inner)) a[i] = x + i; }");
    CHECK(!world.file(device, argv[1]).kernels().empty());
    const brook::Memory<double> a(device, 4);
    program.kernel("fill")(4, 100.0 * own, a);
    // Numbers 1 and 2 are everybody's, 3 twice here; two fields of two entries each are another way to look at it.
    const brook::GatherScatter nodes(device, world, {1, 2, 3LL + own, 3LL + own});
    nodes.run(a);
    const std::vector<double> values = a.to_vector();
    const double sum = 100.0 * all * (all - 1) / 2;
    CHECK(values[0] == sum && values[1] == sum + all);
    // The two of this process, and what others have of the same number, which is nothing.
    CHECK(values[2] == 200.0 * own + 5 && values[3] == values[2]);
    const brook::GatherScatter fields(device, world, {1, 0});
    fields.begin(a, 2, BROOK_MAX);
    fields.finish();
    const std::vector<double> most = a.to_vector();
    CHECK(most[0] == sum && most[1] == values[1] && most[2] == 200.0 * (all - 1) + 5 && most[3] == values[3]);
    try {
        world.source(device, "@kernel void f(float *a) { a[0] = missing; }");
        CHECK(false);
    } catch (const brook::Error &error) {
        CHECK(std::string(error.what()).find("error") != std::string::npos);
    }
    std::puts("well");
    return 0;
}
