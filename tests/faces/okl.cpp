// Every function of okl.hpp, with results worked out by hand: okl DEVICE FOLDER.
#include <brook/native.hpp>
#include <brook/processes.hpp>
#include <brook/okl.hpp>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <thread>

static int failures = 0;

#define CHECK(...)                                                                 \
    do {                                                                           \
        if (!(__VA_ARGS__)) {                                                      \
            std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
            ++failures;                                                            \
        }                                                                          \
    } while (false)

// The error that something ends with, and words of its message.
template <class F> void fails(int line, F f, std::initializer_list<const char *> words, int code = BROOK_INPUT_ERROR) {
    try {
        f();
    } catch (const brook::Error &error) {
        bool all = error.code() == code && static_cast<bool>(error);
        for (const char *word : words) all = all && std::strstr(error.what(), word) != nullptr;
        if (!all) {
            std::printf("line %d: code %d: %s\n", line, error.code(), error.what());
            ++failures;
        }
        return;
    }
    std::printf("line %d: no error\n", line);
    ++failures;
}
#define FAILS(WHAT, ...) fails(__LINE__, [&] { WHAT; }, __VA_ARGS__)

struct Pair {
    float a;
    int b;
};

struct Large {
    float a[8];
};

static void memory(const brook::Device &device) {
    std::vector<float> host(100);
    std::iota(host.begin(), host.end(), 1.0f);
    brook::Memory<float> a(device, host), zeros(device, 100);
    CHECK(a && a.size() == 100 && a.bytes() == 400 && !a.empty());
    CHECK(a.to_vector() == host && zeros.to_vector() == std::vector<float>(100));
    CHECK(std::strcmp(a.device().getName(), device.getName()) == 0);

    // Parts are the same memory.
    brook::Memory<float> part = a.part(10, 5);
    CHECK(part.size() == 5 && part.to_vector()[0] == 11);
    part.write(std::vector<float>{-1, -2}, 3);
    CHECK(a.to_vector()[13] == -1 && a.to_vector()[14] == -2 && a.to_vector()[15] == 16);
    CHECK(part.part(4, 1).to_vector()[0] == -2);
    CHECK(a.part(100, 0).empty());
    brook::Memory<float> same = a.share();
    float one = 0;
    same.read(&one, 1, 13);
    CHECK(one == -1);

    // Copies, also within.
    zeros.copy_from(a, 20, 5, 10);
    std::vector<float> copied = zeros.to_vector();
    CHECK(copied[4] == 0 && copied[5] == 11 && copied[8] == -1 && copied[24] == 30 && copied[25] == 0);
    zeros.copy_from(zeros, 50, 1, 0);
    CHECK(zeros.to_vector()[6] == 11 && zeros.to_vector()[25] == 30);
    brook::Memory<float> clone = a.clone();
    a.zero();
    CHECK(clone.to_vector()[0] == 1 && a.to_vector() == std::vector<float>(100));
    a.copy_from(clone);
    CHECK(a.to_vector()[99] == 100);

    // Other types.
    brook::Memory<float4> vectors = a.cast<float4>();
    CHECK(vectors.size() == 25 && vectors.to_vector()[1].x == 5);
    brook::Memory<Pair> pairs(device, std::vector<Pair>{{1.5f, 2}, {2.5f, 3}});
    CHECK(pairs.to_vector()[1].a == 2.5f && pairs.to_vector()[1].b == 3);
    unsigned width = 0;
    CHECK(brook_memory_element(pairs.get(), &width) == BROOK_STRUCTURE && width == 8);
    CHECK(brook_memory_element(vectors.get(), &width) == BROOK_FLOAT && width == 4);
    brook::Memory<unsigned char> bytes(device, 3);
    CHECK(bytes.bytes() == 3 && bytes.to_vector().size() == 3);
    brook::Memory<double[2]> rows(device, 4);
    CHECK(rows.bytes() == 64 && rows.cast<double>().size() == 8);

    // Moved, and none.
    brook::Memory<float> moved = std::move(a), none;
    CHECK(!a && moved.size() == 100 && !none && none.size() == 0);
    none = std::move(moved);
    CHECK(none.size() == 100);

    brook::Memory<float> empty(device, 0);
    CHECK(empty && empty.empty() && empty.to_vector().empty());
    empty.zero();
    CHECK(brook::Memory<int>(device, std::vector<int>()).empty());

    FAILS(none.part(99, 2), {"2 elements from number 99 on are not all in", "[100]"});
    FAILS(none.part(static_cast<std::size_t>(-1), 2), {"are not all in"});
    FAILS(none.write(host.data(), 101), {"101 elements from number 0 on"});
    FAILS(none.write(nullptr, 1), {"host's memory is NULL"});
    FAILS(none.read(nullptr, 1), {"host's memory is NULL"});
    FAILS(none.read(host.data(), 100, 1), {"100 elements from number 1 on"});
    FAILS(none.copy_from(empty), {"are not all in"});
    FAILS(none.cast<Large>().cast<double>(), {"no whole number of elements"});
    FAILS(a.zero(), {"memory is NULL"});
    FAILS((brook::Memory<double>(device, static_cast<std::size_t>(-1) / 2)), {"too many"});

    // The device's own memory, used as somebody else's.
    std::size_t offset = 99;
    void *native = none.part(32, 32).native(&offset);
    if (native != nullptr) {
        brook::Memory<float> imported = brook::Memory<float>::import(device, native, 32, offset);
        CHECK(imported.to_vector()[0] == 33 && imported.size() == 32);
        imported.zero();
        CHECK(none.to_vector()[33] == 0 && none.to_vector()[31] == 32);
    }
    FAILS(brook::Memory<float>::import(device, nullptr, 1), {"NULL"});
}

static void pools(const brook::Device &device) {
    brook::Pool pool(device), same = pool;
    {
        brook::Memory<int> a = pool.memory<int>(1000), b = same.memory(std::vector<int>{1, 2, 3});
        CHECK(a.to_vector() == std::vector<int>(1000) && b.to_vector()[2] == 3);
        CHECK(pool.used_bytes() >= 4012 && pool.idle_bytes() == 0);
        brook::Memory<int> part = a.part(1, 2);
        a = brook::Memory<int>();
        CHECK(pool.used_bytes() >= 4012);
    }
    CHECK(pool.used_bytes() == 0 && pool.idle_bytes() >= 4012);
    CHECK(pool.memory<int>(1000).to_vector() == std::vector<int>(1000));
    pool.trim();
    CHECK(pool.idle_bytes() == 0);
}

static void same_numbers(const brook::Device &device) {
    const brook::GatherScatter nodes(device, {2, 9, 2, 0, 9});
    const brook::Memory<int> a(device, std::vector<int>{1, 2, 3, 4, 5});
    nodes.run(a);
    CHECK(a.to_vector() == (std::vector<int>{4, 7, 4, 4, 7}));
    const brook::Memory<long long> b(device, std::vector<long long>{1, -2, 3, 4, 5});
    nodes.begin(b, 1, BROOK_MIN);
    nodes.finish();
    CHECK(b.to_vector() == (std::vector<long long>{1, -2, 1, 4, -2}));
    FAILS(nodes.finish(), {"no exchange has begun"});
    FAILS(nodes.run(brook::Memory<short>(device, 5)), {"short"});
    FAILS(nodes.run(a, 2), {"10 values", "5"});
    FAILS(brook::GatherScatter(device, {1, -7}), {"entry 1", "-7"});
    CHECK(!brook::Communicator() && !brook::GatherScatter());
}

static brook::Program built(const brook::Device &device, const std::string &folder, brook::BuildOptions options = {}) {
    return brook::Program::file(device, folder + "/kernels.okl", options.define("BLOCK", 32));
}

static void launches(const brook::Device &device, const std::string &folder) {
    brook::Program program = built(device, folder), copy = program;
    CHECK(program && program.kernels() == std::vector<std::string>{"axpy", "kinds", "vectors", "count", "maybe", "many"});
    CHECK(copy.kernel("axpy").name() == "axpy");
    const int n = 100;
    brook::Memory<float> x(device, std::vector<float>(n, 3)), y(device, std::vector<float>(n, 1));
    const brook::Kernel axpy = program.kernel("axpy");
    axpy(n, 2.0f, x, y);
    axpy(n, 2.0, x.read_only(), y);
    CHECK(y.to_vector() == std::vector<float>(n, 13));
    // Other integer types, if the number fits.
    axpy(static_cast<std::size_t>(n), 1.0f, x, y);
    axpy(static_cast<unsigned char>(n), 1.0f, x, y);
    CHECK(y.to_vector() == std::vector<float>(n, 19));

    brook::Memory<double> out(device, 9);
    brook::Memory<Pair> pairs(device, std::vector<Pair>{{0, 0}, {4, 7}});
    program.kernel("kinds")(true, static_cast<signed char>(-3), static_cast<unsigned short>(65535), -5000000000L, 0.1,
                            float3(1, 2, 3), float4(1, 2, 3, 4), Pair{2.5f, 9}, pairs, out);
    CHECK(out.to_vector() == std::vector<double>{1, -3, 65535, -5000000000.0, 0.1, 321, 4321, 92.5, 74});

    brook::Memory<float4> in(device, std::vector<float4>(20, float4(1, 2, 3, 4))), twice(device, 20);
    program.kernel("vectors")(20, in, twice);
    CHECK(twice.to_vector()[19].x == 2 && twice.to_vector()[0].w == 8);
    // Numbers for vectors of them.
    program.kernel("vectors")(10, twice.cast<float>(), in.cast<float>());
    CHECK(in.to_vector()[9].y == 8 && in.to_vector()[10].y == 2);

    brook::Memory<float> result(device, 20);
    program.kernel("maybe")(20, nullptr, result);
    CHECK(result.to_vector() == std::vector<float>(20, -1));

    brook::Memory<int> sum(device, 1);
    program.kernel("many")(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, sum);
    CHECK(sum.to_vector()[0] == 136 + 1700);

    FAILS(axpy(n, 2.0f, x), {"takes 4 arguments (n, a, x, y); got 3"});
    FAILS(axpy(n, 2.0f, x, y, y), {"got 5"});
    FAILS(axpy(2.0f, 2.0f, x, y), {"argument 1 'n' of kernel 'axpy' is an int; got a float"});
    FAILS(axpy(5000000000L, 2.0f, x, y), {"argument 1 'n'", "cannot hold 5000000000"});
    FAILS(axpy(n, 2, x, y), {"argument 2 'a'", "is a float; got an int"});
    FAILS(axpy(n, 2.0f, out, y), {"argument 3 'x'", "is a float buffer; got a double buffer"});
    FAILS(axpy(n, 2.0f, x, y.read_only()), {"argument 4 'y'", "not declared const"});
    FAILS(axpy(n, 2.0f, 1.0f, y), {"argument 3 'x'", "got a float"});
    FAILS(axpy(n, x, x, y), {"argument 2 'a'", "got a float buffer"});
    FAILS(axpy(n, float2(1, 2), x, y), {"argument 2 'a'", "got a float2"});
    FAILS(axpy(n, Pair{1, 2}, x, y), {"argument 2 'a'"});
    FAILS(program.kernel("kinds")(true, 1, 2, 3, 4.0, float4(1, 2, 3, 4), float4(1, 2, 3, 4), Pair{2.5f, 9}, pairs, out),
          {"argument 6 'v'", "is a float3; got a float4"});
    FAILS(program.kernel("kinds")(true, 1, 2, 3, 4.0, float3(1, 2, 3), float4(1, 2, 3, 4), Large(), pairs, out),
          {"argument 8 'p'", "got a value of 32 bytes"});
    FAILS(axpy(n, 2.0f, brook::Memory<float>(), y), {"memory is NULL"});
    FAILS(program.kernel("nothing"), {"there is no kernel 'nothing'", "axpy, kinds"});
    FAILS(brook::Kernel()(1), {"kernel is NULL"});
}

static void builds(const brook::Device &device, const std::string &folder) {
    const char *text = "#include \"scale.h\"\n"
                       "#ifdef NEGATIVE\n#undef SCALE\n#define SCALE -1\n#endif\n"
                       "@kernel void f(const int n, double *a) {\n"
                       "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] = SCALE * VALUE;\n"
                       "}\n"
                       "#ifdef NEGATIVE\n"
                       "template <typename T, int by> @kernel void g(const int n, T *a) {\n"
                       "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] = by;\n"
                       "}\n#endif\n";
    brook::BuildOptions options;
    options.include_directory(folder).define("VALUE", 0.1).math(brook::Math::strict).line_directives(true);
    brook::Memory<double> a(device, 4);
    brook::Program program = brook::Program::source(device, text, options);
    program.kernel("f")(4, a);
    CHECK(a.to_vector() == std::vector<double>(4, 0.1));
    options.define("NEGATIVE").instantiate("g<double, 7>").cache(false).widen(false).auto_barriers(false);
    program = brook::Program::source(device, text, options, "other.okl");
    CHECK(!program.is_cached());
    program.kernel("f")(4, a);
    CHECK(a.to_vector() == std::vector<double>(4, -0.1));
    program.kernel("g<double, 7>")(4, a);
    CHECK(a.to_vector() == std::vector<double>(4, 7));
    // A file of what was tuned is looked into, if that source has one.
    std::ofstream(folder + "/broken.okl.toml") << "nothing that was tuned";
    brook::BuildOptions tuned = options;
    tuned.tuned(folder).tuned_for("n=4");
    brook::Program::source(device, text, tuned, "other.okl").kernel("f")(4, a);
    CHECK(a.to_vector() == std::vector<double>(4, -0.1));
    try {
        brook::Program::source(device, text, tuned, "broken.okl");
        CHECK(false);
    } catch (const brook::Error &error) {
        CHECK(std::string(error.what()).find("broken.okl.toml") != std::string::npos);
    }
    brook::BuildOptions forced;
    forced.forced_include(folder + "/scale.h");
    const char *plain = "@kernel void f(const int n, double *a) {\n"
                        "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] = SCALE;\n}\n";
    brook::Program::source(device, plain, forced).kernel("f")(4, a);
    CHECK(a.to_vector() == std::vector<double>(4, 1));

    // Functions of each backend's own; flags and standards are words of the device's compiler.
    brook::BuildOptions own;
    const bool processor = std::strncmp(device.getName(), "openmp", 6) == 0;
    own.intrinsics("[three]\narguments = 0\nfallback = \"3.0\"\n");
    own.flag("-DFLAGGED=2.0");
    if (processor) own.standard("c++20");
    brook::Program::source(device, "@kernel void f(const int n, double *a) {\n"
                                   "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] = three() * FLAGGED;\n}\n",
                           own).kernel("f")(4, a);
    CHECK(a.to_vector()[3] == 6);
    // Said once: what comes from the cache says nothing.
    brook::BuildOptions unusual;
    unusual.cache(false);
    const brook::Program warned =
        brook::Program::source(device, "@kernel void f(double *a) {\n#if A = 1\n#endif\n"
                                       "  for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) a[i] = 1;\n}\n", unusual);
    CHECK(warned.warnings().find("source.okl:2") != std::string::npos && program.warnings().empty());
    FAILS(brook::Program::source(device, plain, brook::BuildOptions().intrinsics("no table")), {""});
    FAILS(brook::Program::source(device, plain, brook::BuildOptions().flag("--no-such-flag").forced_include(folder + "/scale.h")),
          {""}, BROOK_DEVICE_ERROR);

    FAILS(brook::Program::source(device, plain, brook::BuildOptions()).kernel("f")(4, a), {"SCALE"});
    FAILS(brook::Program::source(device, "@kernel void f() { for (;;) {} }", {}, "wrong.okl"), {"wrong.okl:1"});
    FAILS(brook::Program::file(device, folder + "/nothing.okl"), {"nothing.okl"});
    FAILS(brook::Program::source(device, ""), {"No [@kernel]"});
    FAILS(brook::Program().kernel("f"), {"program is NULL"});
    brook_build_options small = brook_build_options();
    small.size = 8;
    CHECK(brook_program_build_file(device.get(), "a.okl", &small) == nullptr);
    CHECK(std::strstr(brook_last_error(), "sizeof(brook_build_options)") != nullptr);
}

// Files that are not on the disk.
static void embedded(const brook::Device &device) {
    const char *text = "#include \"scale.h\"\n#include <more.h>\n"
                       "@kernel void f(const int n, double *a) {\n"
                       "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] = SCALE * MORE * BY;\n}\n";
    brook::Memory<double> a(device, 4);
    const auto result = [&](const brook::Program &program) {
        program.kernel("f")(4, a);
        return a.to_vector()[3];
    };
    brook::BuildOptions options;
    options.define("BY", 1).include_directory("embedded:/inc").file("embedded:/inc/more.h", "#define MORE 5\n");
    options.file("embedded:/k/scale.h", std::string_view("#define SCALE 3\nrest", 16));
    options.file("embedded:/k/f.okl", text);
    CHECK(result(brook::Program::file(device, "embedded:/k/f.okl", options)) == 15);
    CHECK(result(brook::Program::source(device, text, options, "embedded:/k/other.okl")) == 15);
    // A file of another text is another file, in the cache, too; the last one counts.
    options.file("embedded:/k/scale.h", "#define SCALE 4\n");
    CHECK(result(brook::Program::file(device, "embedded:/k/f.okl", options)) == 20);
    CHECK(result(brook::Program::file(device, "embedded:/k/f.okl", options)) == 20);
    FAILS(brook::Program::file(device, "embedded:/f.okl", options), {"there is no 'embedded:/f.okl' in the program"});
    FAILS(brook::Program::source(device, text, options, "embedded:/f.okl"), {"embedded:/f.okl:1", "scale.h"});

    const brook_file files[] = {{"embedded:/k/f.okl", text, std::strlen(text)},
                                {"embedded:/m/g.okl", text, std::strlen(text)},
                                {"embedded:/o/g.okl", text, std::strlen(text)},
                                {"embedded:/k/scale.h", "#define SCALE 7\n", 16},
                                {"embedded:/more.h", "#define MORE 1\n", 15},
                                {nullptr, nullptr, 0}};
    const char *const directories[] = {"embedded:/", nullptr}, *const defines[] = {"BY=2", nullptr};
    brook_build_options own = brook_build_options();
    own.size = sizeof own;
    own.defines = defines;
    own.include_directories = directories;
    const brook_embedded sources = {sizeof(brook_embedded), files, 3, &own, "nothing that fits", 17};
    CHECK(result(brook::Program::embedded(device, sources, "f.okl")) == 14);
    CHECK(result(brook::Program::embedded(device, sources, "k/f.okl", brook::BuildOptions().cache(false))) == 14);
    // What is asked for comes behind the program's own.
    CHECK(result(brook::Program::embedded(device, sources, "embedded:/k/f.okl", brook::BuildOptions().define("BY", 3))) == 21);
    CHECK(result(brook::Program::embedded(device, sources, "f.okl",
                                          brook::BuildOptions().file("embedded:/k/scale.h", "#define SCALE 9\n"))) == 18);
    FAILS(brook::Program::embedded(device, sources, "g.okl"), {"more than one source 'g.okl'", "embedded:/m/g.okl"});
    FAILS(brook::Program::embedded(device, sources, "m/g.okl"), {"embedded:/m/g.okl:1", "scale.h"});
    FAILS(brook::Program::embedded(device, sources, "scale.h"), {"the program has no source 'scale.h'"});
}

static void templates(const brook::Device &device) {
    const char *text = "struct Pair { float a; int b; };\n"
                       "template <typename T, int N = 2> @kernel void f(const int n, const T *a, T *b, const T by) {\n"
                       "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) b[i] = a[i] * by + (T)(N);\n"
                       "}\n"
                       "template <typename T> @kernel void last(const int n, T *a) {\n"
                       "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) if (i < n - 1) a[i] = a[n - 1];\n"
                       "}\n"
                       "template <int X, bool negative> @kernel void fill(double *a) {\n"
                       "  for (int i = 0; i < X; ++i; @outer) for (int j = 0; j < 2; ++j; @inner) if (j) a[i] = negative ? -X : X;\n"
                       "}\n";
    const brook::Program program = brook::Program::source(device, text);
    CHECK((program.kernels() == std::vector<std::string>{"f", "last", "fill"}));
    const brook::Kernel f = program.kernel("f");
    CHECK(f.name() == "f" && (f.template_parameters() == std::vector<std::string>{"T", "N"}));
    brook_parameter parameter;
    CHECK(brook_kernel_parameter(f.get(), 1, &parameter) == BROOK_SUCCESS && parameter.is_pointer && parameter.is_const);
    CHECK(parameter.type == BROOK_STRUCTURE && parameter.bytes == 0 && std::string(parameter.type_name) == "T");
    CHECK(brook_kernel_parameter(f.get(), 0, &parameter) == BROOK_SUCCESS && parameter.type == BROOK_INT);
    brook::Memory<float> a(device, std::vector<float>{1, 2}), b(device, 2);
    brook::Memory<long long> c(device, std::vector<long long>{1, 2}), d(device, 2);
    f(2, a, b, 3.0f);
    CHECK((b.to_vector() == std::vector<float>{5, 8}));
    f(2, c.read_only(), d, 3);
    CHECK((d.to_vector() == std::vector<long long>{5, 8}));
    f(2, a, b, 1.0);
    CHECK((b.to_vector() == std::vector<float>{3, 4}));
    const brook::Queue queue(device);
    const brook::Kernel ten = f.with("N", 10);
    ten.launch_async(queue, 2, a, b, 1.0).wait();
    CHECK((b.to_vector() == std::vector<float>{11, 12}));
    ten.with<float>("T").launch_on(queue, 2, a, b, 2.0);
    queue.wait();
    CHECK((b.to_vector() == std::vector<float>{12, 14}));
    brook::Sequence twice(device, [&] {
        ten(2, a, b, 1.0f);
        f(2, b, b, 1.0f);
    });
    twice.launch();
    CHECK((b.to_vector() == std::vector<float>{13, 14}));
    const brook::Kernel one = ten.instance(0, a, nullptr, 0.5f), other = program.kernel("f<float, 10>");
    CHECK(one.name() == "f<float, 10>" && other.name() == one.name() && one.template_parameters().empty());
    one(2, a, b, 0.0f);
    CHECK((b.to_vector() == std::vector<float>{10, 10}));
    CHECK(one.instance(2, a, b, 0.0f).name() == one.name());

    brook::Memory<Pair> pairs(device, std::vector<Pair>{{1, 2}, {3, 4}});
    program.kernel("last").with("T", "Pair")(2, pairs);
    CHECK(pairs.to_vector()[0].a == 3 && pairs.to_vector()[0].b == 4);
    brook::Memory<brook::float4> vectors(device, std::vector<brook::float4>{{1, 2, 3, 4}, {5, 6, 7, 8}});
    program.kernel("last")(2, vectors);
    CHECK(vectors.to_vector()[0].w == 8);
    brook::Memory<double> filled(device, 3);
    program.kernel("fill").with("X", 3).with("negative", true)(filled);
    CHECK(filled.to_vector() == std::vector<double>(3, -3));

    FAILS(f(2, a, d, 1), {"'T' of kernel 'f'", "float by argument 2 'a'", "long by argument 3 'b'"});
    FAILS(f(2, nullptr, nullptr, nullptr), {"'T' of kernel 'f' is not known", "a null pointer", "by name"});
    FAILS(f(2, a, b), {"takes 4 arguments (n, a, b, by); got 3"});
    FAILS(program.kernel("last")(2, pairs), {"'T' of kernel 'last' is not known", "8-byte structure"});
    FAILS(program.kernel("last<float>")(2, vectors, 1), {"takes 2 arguments"});
    FAILS(program.kernel("fill")(filled), {"'X' of kernel 'fill' is not known: no argument's type tells it"});
    FAILS(f.with("M", 1), {"no template parameter 'M'"});
    FAILS(f.with("T", "float, int"), {"'float, int' is no argument"});
    FAILS(one.with("N", 1), {"is no template"});
    FAILS(f.with("T", "Nothing")(2, a, b, 1.0f), {"no type 'Nothing'"});
    FAILS(brook::Kernel().with("N", 1), {"kernel is NULL"});
    CHECK(brook_kernel_with(f.get(), nullptr, "1") == nullptr && brook_kernel_with(f.get(), "N", nullptr) == nullptr);
    CHECK(brook_kernel_instance(nullptr, nullptr, 0) == nullptr);
    CHECK(brook_kernel_template_parameter(nullptr, 0) == nullptr);
}

static void packages(const brook::Device &device, const std::string &folder) {
    const std::string path = folder + "/../data/package.brk";
    FAILS(brook::Program::load(device, path), {"package.brk: which program? there are: steps.okl, streams.br"});
    FAILS(brook::Program::load(device, path, "b.okl"), {"package.brk: there is no program 'b.okl'"});
    FAILS(brook::Program::load(device, folder + "/nothing.brk"), {"nothing.brk"});
    FAILS(brook::Program::load(device, folder + "/scale.h"), {"scale.h: it is no file of 'brook compile'"});
    FAILS(brook::Program::load(device, folder.data(), 0), {"it is no file of 'brook compile'"});
    FAILS(brook::Program::load(device, nullptr, 8), {"the package's bytes are NULL"});
    const std::string name = device.getName();
    CHECK(device.getParts() == 0 && brook::Device::open((name + "," + name).c_str()).getParts() == 2);
    if (name.rfind("open", 0) != 0) {
        FAILS(brook::Program::load(device, path, "steps.okl"), {"'steps.okl' was compiled for nothing that "});
        return;
    }
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (const brook::Program &program : {brook::Program::load(device, path, "steps.okl"),
                                          brook::Program::load(device, bytes.data(), bytes.size(), "steps.okl")}) {
        CHECK(program.kernels() == std::vector<std::string>{"steps"} && !program.is_cached());
        struct Step {
            int scale;
            float offset;
        } step = {3, 0.5f};
        brook::Memory<int> a(device, std::vector<int>(10, 1));
        brook::Memory<float> sums(device, 1);
        program.kernel("steps")(10, 4, step, a, sums);
        CHECK(a.to_vector() == std::vector<int>(10, 304) && sums.to_vector()[0] == 3045);
        FAILS(program.kernel("steps")(10, 4, step, sums, sums), {"argument 4 'a' of kernel 'steps' is an int buffer"});
    }
}

static void queues(const brook::Device &device, const std::string &folder) {
    const brook::Kernel count = built(device, folder).kernel("count");
    const std::size_t n = 1000;
    brook::Memory<int> a(device, n), b(device, n);
    brook::Pinned<int> host(device, n);
    CHECK(host.size() == n && host[0] == 0 && host.end() - host.begin() == 1000);
    std::iota(host.begin(), host.end(), 0);
    {
        brook::Queue first(device), second(device), same = first;
        first.write(a, host);
        const brook::Event begin = first.record();
        count.launch_on(first, static_cast<int>(n), a);
        const brook::Event end = same.record();
        second.wait_for(end);
        second.copy(b, a, n / 2, n / 2, 0);
        second.wait();
        CHECK(second.is_done() && begin.is_done() && end.is_done());
        end.wait();
        CHECK(end.seconds_since(begin) >= 0);
        std::vector<int> back(n / 2);
        first.wait_for(second.record());
        first.read(b, back.data(), back.size(), n / 2);
        first.wait();
        CHECK(back[0] == 1 && back[499] == 500);
        const brook::Event done = count.launch_async(first, static_cast<int>(n), a);
        done.wait();
        first.read(a, host);
        first.wait();
        CHECK(host[0] == 2 && host[999] == 1001);
        CHECK(std::strcmp(first.device().getName(), device.getName()) == 0);
        CHECK(std::strcmp(first.device().getArchitecture(), device.getArchitecture()) == 0 && *device.getArchitecture() != 0);
        FAILS(first.copy(a, b, n, 1), {"are not all in"});
        FAILS(first.write(a, host.data(), n + 1), {"are not all in"});
        FAILS(first.read(a, static_cast<int *>(nullptr), 1), {"NULL"});
        FAILS(count.launch_on(first, 1.5, a), {"argument 1 'n'"});
        FAILS(count.launch_async(first, 3), {"takes 2 arguments"});
        FAILS(brook::Event().wait(), {"event is NULL"});
        // Its end waits.
        count.launch_on(first, static_cast<int>(n), a);
    }
    CHECK(a.to_vector()[0] == 3);
    brook::Queue own = brook::Queue::of(device);
    count.launch_on(own, static_cast<int>(n), a);
    device.finish();
    CHECK(own.is_done() && a.to_vector()[0] == 4);
    device.fuse(BROOK_FUSION_ON);
    device.fuse(BROOK_FUSION_OFF);
    FAILS(device.fuse(3), {"no enum brook_fusion"});
    const brook::Event last = own.record();
    CHECK((last.native() == nullptr) == (own.native() == nullptr));
    if (own.native() == nullptr) {
        FAILS(brook::Queue::import(device, nullptr), {"takes no queues of others"});
    } else {
        brook::Queue theirs(device);
        const brook::Queue same = brook::Queue::import(device, theirs.native());
        CHECK(same.native() == theirs.native());
        for (int i = 0; i < 5; ++i) count.launch_on(i % 2 == 0 ? theirs : same, static_cast<int>(n), a);
        same.wait();
        CHECK(a.to_vector()[0] == 9);
    }

    brook::Pinned<int> moved = std::move(host);
    CHECK(!host && host.size() == 0 && moved[0] == 2);
    FAILS((brook::Pinned<double>(device, static_cast<std::size_t>(-1) / 4)), {""},
          BROOK_DEVICE_ERROR);
}

// Memory that the host and kernels both use.
static void shared_memory(const brook::Device &device, const std::string &folder) {
    const brook::Kernel count = built(device, folder).kernel("count");
    CHECK(brook::Memory<int>().host() == nullptr);
    std::vector<int> mine(300, 4);
    brook::Memory<int> made;
    try {
        made = brook::Memory<int>::shared(device, 100);
    } catch (const brook::Error &error) {
        // A GPU of OpenCL's.
        CHECK(std::string(error.what()).find("memory of its own") != std::string::npos);
        FAILS(brook::Memory<int>::import_host(device, mine.data(), 300), {"memory of its own"});
        return;
    }
    int *const host = made.host();
    CHECK(host != nullptr && made.part(7, 3).host() == host + 7 && host[0] == 0 && host[99] == 0);
    for (int i = 0; i < 100; ++i) host[i] = i;
    count(100, made);
    device.finish();
    for (int i = 0; i < 100; ++i) CHECK(host[i] == i + 1);
    CHECK(made.to_vector()[99] == 100);
    made.write(&mine[0], 1, 5);
    device.finish();
    CHECK(host[5] == 4);
    {
        const brook::Memory<int> theirs = brook::Memory<int>::import_host(device, mine.data(), mine.size());
        CHECK(theirs.host() == mine.data());
        count(300, theirs);
        count(1, theirs.part(299, 1));
        device.finish();
        CHECK(mine[0] == 5 && mine[298] == 5 && mine[299] == 6);
    }
    CHECK(mine[299] == 6);
    FAILS(brook::Memory<int>::import_host(device, nullptr, 3), {"NULL"});
}

static void sequences(const brook::Device &device, const std::string &folder) {
    const brook::Kernel count = built(device, folder).kernel("count");
    brook::Pool pool(device);
    brook::Memory<int> a(device, 64), b(device, 64);
    brook::Sequence sequence(device, [&] {
        count(64, a);
        count(32, a);
        brook::record_copy(b, a, 64);
        // Kept as long as the sequence.
        brook::Memory<int> scratch = pool.memory<int>(64);
        count(64, scratch);
    });
    CHECK(a.to_vector()[0] == 0 && pool.idle_bytes() == 0);
    CHECK(sequence.launch() && sequence.launch());
    CHECK(a.to_vector()[0] == 4 && a.to_vector()[63] == 2 && b.to_vector()[31] == 4);
    brook::Queue queue(device);
    sequence.launch_on(queue);
    queue.wait();
    CHECK(b.to_vector()[31] == 6);
    FAILS(brook::Sequence(device, [&] { count(64); }), {"takes 2 arguments"});
    // The failed one is over.
    FAILS(brook::record_copy(b, a, 64), {"not being recorded"});
    count(64, a);
    CHECK(a.to_vector()[0] == 7);
}

// Kernels in the device's own language; the processor has none.
static void native(const brook::Device &device) {
    const std::string name = brook_device_name(device.get());
    const bool is_opencl = name.find("opencl") == 0;
    const std::string text = is_opencl ? "__kernel void put(__global T *x, const T to) {\n"
                                         "  x[get_global_id(0) + 3 * get_global_id(1)] = to + get_local_id(0);\n}\n"
                                       : "extern \"C\" __global__ void put(T *x, const T to) {\n"
                                         "  x[blockIdx.x * blockDim.x + threadIdx.x + 3 * blockIdx.y] = to + threadIdx.x;\n}\n";
    brook::BuildOptions options;
    options.define("T", "int");
    if (name.find("openmp") == 0) {
        FAILS(brook::NativeProgram(device, text, options), {"functions of the host"});
        CHECK(!brook::NativeProgram() && !brook::NativeKernel());
        return;
    }
    const brook::NativeProgram program(device, text, options, "put.txt");
    const brook::NativeKernel put = program.kernel("put");
    brook::Memory<int> x(device, 6);
    put.launch({1, 2, 1}, {3, 1, 1}, x, 10);
    CHECK(x.to_vector() == (std::vector<int>{10, 11, 12, 10, 11, 12}));
    const brook::Queue queue(device);
    put.launch_on(queue, {3, 1, 1}, {1, 1, 1}, x, 7);
    put.launch_on(queue, {0, 1, 1}, {1, 1, 1}, x, 8);
    queue.wait();
    CHECK(x.to_vector() == (std::vector<int>{7, 7, 7, 10, 11, 12}));
    FAILS(program.kernel("get"), {"'get'"});
    FAILS((put.launch({1, 1, 1}, {1u << 20, 1, 1}, x, 1)), {"group"});
    FAILS(brook::NativeProgram(device, "nonsense()"), {}, BROOK_DEVICE_ERROR);
}

static void threads(const brook::Device &device, const std::string &folder) {
    const brook::Kernel count = built(device, folder).kernel("count");
    std::atomic<int> wrong{0};
    std::vector<std::thread> all;
    for (int t = 0; t < 16; ++t) {
        all.emplace_back([&, t] {
            brook::Memory<int> a(device, std::vector<int>(100, t));
            for (int i = 0; i < 20; ++i) count(100, a);
            if (a.to_vector() != std::vector<int>(100, t + 20)) ++wrong;
            try {
                count(t);
                ++wrong;
            } catch (const brook::Error &error) {
                if (std::strstr(error.what(), "takes 2 arguments") == nullptr) ++wrong;
            }
        });
    }
    for (std::thread &thread : all) thread.join();
    CHECK(wrong == 0);
}

// Everything of 16 threads' own, beside what they share; and a handle that one of them takes away.
static void many_threads(const brook::Device &device, const std::string &folder) {
    const char *text = "@kernel void add(const int n, const int by, int *a) {\n"
                       "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] += by * TIMES;\n}\n";
    const brook::Kernel shared = built(device, folder).kernel("count");
    const brook::Queue common(device);
    const brook::Pool pool(device);
    brook::Memory<int> taken(device, 10);
    brook_memory *const handle = taken.get();
    std::atomic<int> wrong{0};
    const auto right = [&](bool so) { wrong += !so; };
    const auto work = [&](int t) {
        const int n = 64, times = 1 + t % 4;
        const brook::Device same = brook::Device::open(device.getName());
        const brook::Program program =
            brook::Program::source(same, text, brook::BuildOptions().define("TIMES", times));
        const brook::Kernel add = program.kernel("add"), copy = shared;
        const brook::Queue queue(same);
        for (int i = 0; i < 5; ++i) {
            const brook::Memory<int> a(same, n), b = pool.memory<int>(n);
            add(n, t, a);
            copy(n, a);
            same.finish();
            queue.copy(b, a, n);
            const brook::Event done = add.launch_async(queue, n, 1, b);
            common.wait_for(done);
            shared.launch_on(common, n, b);
            common.record().wait();
            right(b.to_vector() == std::vector<int>(n, times * (t + 1) + 2));
            brook::Sequence sequence(same, [&] { add(n, 1, a); });
            right(sequence.launch() && sequence.launch());
            right(a.part(n - 1, 1).to_vector()[0] == times * (t + 2) + 1);
        }
        try {
            program.kernel("none" + std::to_string(t));
            right(false);
        } catch (const brook::Error &error) {
            right(std::strstr(error.what(), ("'none" + std::to_string(t) + "'").c_str()) != nullptr);
        }
        for (int i = 0; i < 50; ++i) {
            if (t == 7 && i == 25) taken = brook::Memory<int>();
            int value = 1;
            const int status = brook_memory_read(handle, 9, 1, &value);
            right(status == BROOK_SUCCESS ? value == 0 : std::strstr(brook_last_error(), "was released") != nullptr);
        }
    };
    std::vector<std::thread> all;
    for (int t = 0; t < 16; ++t) {
        all.emplace_back([&, t] {
            try {
                work(t);
            } catch (const brook::Error &error) {
                std::printf("thread %d: %s\n", t, error.what());
                ++wrong;
            }
        });
    }
    for (std::thread &thread : all) thread.join();
    CHECK(wrong == 0);
}

static void handles(const brook::Device &device) {
    CHECK(std::strcmp(device.getType(), "cpu") == 0 || std::strcmp(device.getType(), "cal") == 0);
    CHECK(device.getBindings() != nullptr && device.native("nothing") == nullptr);
    brook_memory *memory = brook_memory_create(device.get(), BROOK_FLOAT, 1, 4, nullptr);
    CHECK(brook_memory_retain(memory) == memory);
    brook_memory_release(memory);
    CHECK(brook_memory_count(memory) == 4);
    brook_memory_release(memory);
    CHECK(brook_memory_count(memory) == 0 && std::strstr(brook_last_error(), "was released") != nullptr);
    brook_memory_release(memory);
    CHECK(std::strstr(brook_last_error(), "was released") != nullptr);
    brook_queue *queue = brook_queue_create(device.get());
    CHECK(brook_memory_count(reinterpret_cast<brook_memory *>(queue)) == 0);
    CHECK(std::strstr(brook_last_error(), "is a queue instead of a memory") != nullptr);
    brook_queue_release(queue);
    int local = 0;
    CHECK(brook_event_is_done(reinterpret_cast<brook_event *>(&local)) == -1);
    CHECK(brook_memory_create(nullptr, BROOK_FLOAT, 1, 4, nullptr) == nullptr);
    CHECK(brook_memory_create(device.get(), 99, 1, 4, nullptr) == nullptr);
    CHECK(std::strstr(brook_last_error(), "99 is no enum brook_type") != nullptr);
    CHECK(brook_memory_create(device.get(), BROOK_FLOAT, 0, 4, nullptr) == nullptr);
    CHECK(brook_device_open("nothing:7") == nullptr && brook_last_error_code() == BROOK_DEVICE_ERROR);
    CHECK(brook_abi_version() == BROOK_ABI_VERSION);
    FAILS(brook::Device::open("nothing"), {"no device is called 'nothing'"}, BROOK_DEVICE_ERROR);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    try {
        const brook::Device device = brook::Device::open(argv[1]);
        const std::string folder = argv[2];
        memory(device);
        pools(device);
        same_numbers(device);
        launches(device, folder);
        builds(device, folder);
        embedded(device);
        templates(device);
        packages(device, folder);
        queues(device, folder);
        shared_memory(device, folder);
        sequences(device, folder);
        native(device);
        threads(device, folder);
        many_threads(device, folder);
        handles(device);
    } catch (const brook::Error &error) {
        std::printf("error %d: %s\n", error.code(), error.what());
        return 1;
    }
    if (failures == 0) std::printf("all is as it should be\n");
    return failures == 0 ? 0 : 1;
}
