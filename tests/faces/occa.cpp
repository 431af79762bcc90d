// OCCA's interface over brook, every function of it, with results worked out by hand: occa DEVICE FOLDER SCRATCH.
#include "occa_check.h"

#include <occa.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>

static const char *scratch = nullptr;
static std::string folder;

#include "occa_values.h"

struct Pair {
    float a;
    int b;
};

static std::vector<float> counted(std::size_t n) {
    std::vector<float> all(n);
    std::iota(all.begin(), all.end(), 0.0f);
    return all;
}

static void memory(occa::device device) {
    const occa::udim_t before = device.memoryAllocated();
    const std::vector<float> host = counted(100);
    occa::memory a = device.malloc<float>(100, host.data()), zeros = device.malloc<float>(100);
    CHECK(a.isInitialized() && a.size() == 100 && a.byte_size() == 400 && a.length() == 100 &&
          a.dtype() == occa::dtype::float_);
    CHECK(read<float>(a) == host && read<float>(zeros) == std::vector<float>(100));
    CHECK(device.memoryAllocated() == before + 800 && device.maxMemoryAllocated() >= before + 800);
    CHECK(a.mode() == device.mode() && a.getDevice() == device && a.properties()["mode"] == device.mode().c_str());
    CHECK(device.malloc(0).isInitialized() == false && occa::null.isInitialized() == false && occa::null.size() == 0);
    CHECK(device.malloc(12).length() == 12 && device.malloc(3, occa::dtype::int2).byte_size() == 24);
    CHECK(read<float>(device.malloc<float>(100, a))[99] == 99);
    CHECK(device.malloc(3, occa::dtype::int_, occa::json{{"note", 1}}).properties().has("note"));

    // Slices are the same memory.
    occa::memory part = a.slice(10, 5), rest = a + 90;
    CHECK(part.length() == 5 && rest.length() == 10 && read<float>(rest)[0] == 90 && a.slice(7).length() == 93);
    rest += 4;
    CHECK(read<float>(rest)[0] == 94 && rest.length() == 6);
    const float two[] = {-1, -2};
    part.copyFrom(two, 2, 1);
    CHECK(read<float>(a)[10] == 10 && read<float>(a)[11] == -1 && read<float>(a)[12] == -2 && read<float>(a)[13] == 13);
    float one = 0;
    a.copyTo(&one, 1, 12);
    CHECK(one == -2);
    zeros.copyFrom(a, 3, 50, 10);
    CHECK(read<float>(zeros)[50] == 10 && read<float>(zeros)[52] == -2 && read<float>(zeros)[53] == 0);
    a.copyTo(zeros, 2, 60, 11);
    CHECK(read<float>(zeros)[60] == -1 && read<float>(zeros)[61] == -2);
    a.copyFrom(a, 50, 1, 0);
    CHECK(read<float>(a)[1] == 0 && read<float>(a)[12] == -1 && read<float>(a)[51] == 51);
    const occa::json async{{"async", true}};
    zeros.copyFrom(host.data(), async);
    zeros.copyTo(a, async);
    std::vector<float> back(100);
    a.copyTo(back.data(), async);
    device.finish();
    CHECK(back == host);
    occa::memcpy(zeros, two, 2);
    occa::memcpy(zeros, a, 1, 2, 99);
    occa::memcpy(back.data(), zeros, 3);
    CHECK(back[0] == -1 && back[1] == -2 && back[2] == 99);

    occa::memory clone = a.clone(), bytes = a.cast(occa::dtype::byte), same = a;
    CHECK(clone != a && same == a && read<float>(clone) == host && bytes.length() == 400 &&
          clone.dtype() == occa::dtype::float_);
    CHECK(a.cast(occa::dtype::float4).length() == 25);
    // What is behind the last whole element is no part of a copy.
    occa::memory six = bytes.slice(0, 6).cast(occa::dtype::float_);
    float whole[2] = {0, -1};
    six.copyTo(whole);
    CHECK(six.length() == 1 && six.byte_size() == 6 && whole[0] == read<float>(bytes)[0] && whole[1] == -1);
    FAILS(bytes.cast(occa::dtype::none), "elements of 0 bytes");
    // A slice goes back as far as what it is of, and no count or offset is so large that it is small again.
    occa::memory earlier = (a + 20) + -5, middle = (a + 20).slice(-10, 5);
    CHECK(earlier.length() == 85 && read<float>(earlier) == read<float>(a.slice(15)) &&
          read<float>(middle) == read<float>(a.slice(10, 5)));
    FAILS((a + 20).slice(-21), "offset of -21");
    FAILS((a + 20).slice(-10, 91), "are not all in");
    FAILS(a.slice(occa::dim_t(1) << 62, 1), "are not all in");
    FAILS(device.malloc<double>((occa::dim_t(1) << 61) + 1), "2305843009213693953 elements of 8 bytes");
    FAILS(device.wrapMemory(whole, (occa::dim_t(1) << 62) + 1), "elements of 4 bytes");
    FAILS(device.createMemoryPool().reserve<double>((occa::dim_t(1) << 61) + 1), "elements of 8 bytes");
    FAILS(a.copyTo(whole, occa::dim_t(1) << 62), "are not all in");
    FAILS(a.copyFrom(whole, 1, occa::dim_t(1) << 62), "are not all in");
    clone.swap(zeros);
    CHECK(read<float>(zeros) == host);
    FAILS(a.slice(99, 2), "are not all in");
    FAILS(a.slice(-1), "offset of -1");
    FAILS(a.copyFrom(host.data(), 101), "are not all in");
    FAILS(a.copyFrom(host.data(), 1, 100), "are not all in");
    FAILS(a.copyFrom(occa::null), "no memory");
    FAILS(device.malloc(-1), "-1 elements");
    FAILS(occa::memory().unwrap(), "no memory");

    // Freed for all who have it, but not for slices.
    occa::memory kept = a.slice(0, 1);
    a.free();
    CHECK(!a.isInitialized() && !same.isInitialized() && kept.isInitialized() && read<float>(kept)[0] == 0 &&
          same.length() == 0);

    if (!device.hasSeparateMemorySpace()) {
        std::vector<float> mine = counted(4);
        occa::memory wrapped = device.wrapMemory(mine.data(), 4);
        occa::memory used = device.malloc<float>(4, mine.data(), {{"use_host_pointer", true}});
        CHECK(wrapped.ptr<float>() == mine.data() && used.ptr() == mine.data() &&
              (wrapped + 1).ptr<float>() == mine.data() + 1);
        CHECK(*static_cast<float **>(occa::unwrap(wrapped)) == mine.data() && wrapped.dtype() == occa::dtype::float_);
        FAILS(device.unwrap(), "no handle");
        FAILS(device.getStream().unwrap(), "no handle");
    } else {
        CHECK(device.unwrap() != nullptr && device.getStream().unwrap() != nullptr);
    }
    FAILS(device.malloc<float>(100, {{"use_host_pointer", true}}), "use_host_pointer");
}

// Whether kernels reach memory of the host; a GPU of OpenCL's has memory of its own, which error messages say.
static bool kernels_reach_host(occa::device device) {
    try {
        return device.malloc<float>(1, {{"mapped", true}}).isInitialized();
    } catch (const occa::exception &error) {
        CHECK(error.message.find("memory of its own") != std::string::npos);
        return false;
    }
}

// Memory of the host that kernels reach.
static void host_memory(occa::device device) {
    occa::kernel axpy = device.buildKernel(folder + "/occa.okl", "axpy", {{"defines/BLOCK", 16}});
    const std::vector<float> host = counted(50);
    occa::memory a = device.malloc<float>(50, host.data(), {{"host", true}}), x = device.malloc<float>(50, host.data());
    if (!kernels_reach_host(device)) {
        FAILS(axpy(1, 1.0f, a, x), "[host]");
        FAILS(device.malloc<float>(50, host.data(), {{"use_host_pointer", true}}), "memory of its own");
        return;
    }
    for (const char *property : {"host", "mapped", "unified"}) {
        // Only CUDA knows the last one.
        if (std::strcmp(property, "unified") == 0 && device.mode() != "CUDA" && device.hasSeparateMemorySpace()) continue;
        occa::memory y = device.malloc<float>(50, host.data(), {{property, true}});
        axpy(50, 2.0f, x, y);
        axpy(1, 1.0f, x + 9, y + 49);
        device.finish();
        for (int i = 0; i < 50; ++i) CHECK(y.ptr<float>()[i] == 3 * i + (i == 49 ? 9 : 0));
        y.ptr<float>()[3] = 1;
        axpy(5, 1.0f, y, x);
        CHECK(read<float>(x)[3] == 4 && read<float>(y)[3] == 1);
        x.copyFrom(host.data());
        device.finish();
    }
    std::vector<float> mine = host;
    {
        occa::memory used = device.malloc<float>(50, mine.data(), {{"use_host_pointer", true}});
        axpy(50, 1.0f, x, used);
        device.finish();
        CHECK(read<float>(used)[49] == 98);
    }
    CHECK(mine[49] == 98 && mine[1] == 2);
}

// A stream that somebody else has made, and a tag's handle.
static void wrapped_streams(occa::device device) {
    const occa::stream first = device.getStream();
    occa::streamTag tag = device.tagStream();
    if (!device.hasSeparateMemorySpace()) {
        FAILS(tag.unwrap(), "no handle");
        CHECK(device.wrapStream(nullptr) != first);
        return;
    }
    CHECK(tag.unwrap() != nullptr && *static_cast<void **>(tag.unwrap()) != nullptr);
    FAILS(device.wrapStream(nullptr), "occa::device::wrapStream");
    occa::stream theirs = device.createStream();
    void *native = *static_cast<void **>(theirs.unwrap());
    occa::stream wrapped = device.wrapStream(&native);
    CHECK(*static_cast<void **>(wrapped.unwrap()) == native && wrapped != theirs && wrapped.mode() == device.mode());
    occa::kernel axpy = device.buildKernel(folder + "/occa.okl", "axpy", {{"defines/BLOCK", 16}});
    const std::vector<float> host = counted(50);
    occa::memory x = device.malloc<float>(50, host.data()), y = device.malloc<float>(50, host.data());
    device.finishAll();
    for (int i = 0; i < 6; ++i) {
        device.setStream(i % 2 == 0 ? wrapped : theirs);
        axpy(50, 1.0f, x, y);
    }
    wrapped.finish();
    CHECK(read<float>(y)[7] == 49);
    device.setStream(wrapped);
    wrapped.free();
    CHECK(device.getStream().isInitialized() && theirs.isInitialized());
    theirs.finish();
    device.setStream(first);
}

// A device goes with its last handle, and its streams with it.
static void last_handles(const std::string &props) {
    occa::stream kept, own;
    {
        occa::device device(props);
        kept = device.createStream();
        own = device.getStream();
        device.setStream(kept);
        CHECK(kept.isInitialized() && own.isInitialized() && own.getDevice() == device);
    }
    CHECK(!kept.isInitialized() && !own.isInitialized() && !kept.getDevice().isInitialized());
    FAILS(kept.finish(), "no stream");
    FAILS(kept.properties(), "no stream");
    FAILS(own.unwrap(), "no stream");
    CHECK(kept.mode() == "No Mode" && kept.getModeDevice() == nullptr);
    kept.free();
    occa::memory memory;
    {
        occa::device device(props);
        memory = device.malloc<float>(4);
    }
    // Memory has its device.
    CHECK(memory.isInitialized() && memory.getDevice().getStream().isInitialized());
}

// Memory of the host that the device copies from and to.
static void pinned(occa::device device) {
    const std::vector<float> host = counted(50);
    const occa::json props{{"host", true}}, async{{"async", true}};
    occa::memory a = device.malloc<float>(50, host.data(), props), b = device.malloc<float>(50, props);
    occa::memory x = device.malloc<float>(50);
    CHECK(a.ptr<float>()[49] == 49 && b.ptr<float>()[49] == 0 && (a + 7).ptr<float>()[0] == 7 && a.mode() == device.mode());
    x.copyFrom(a, async);
    x.copyTo(b, 10, 20, 5, async);
    device.finish();
    CHECK(b.ptr<float>()[19] == 0 && b.ptr<float>()[20] == 5 && b.ptr<float>()[29] == 14 && b.ptr<float>()[30] == 0);
    b.copyFrom(a, 1, 0, 3);
    b.copyFrom(&host[9], 1, 1);
    CHECK(b.ptr<float>()[0] == 3 && b.ptr<float>()[1] == 9 && read<float>(a) == host && read<float>(b.slice(20, 1))[0] == 5);
    a.ptr<float>()[1] = 100;
    x.copyFrom(a);
    CHECK(read<float>(x)[1] == 100 && read<float>(a.clone())[1] == 100);
}

static void pools(occa::device device) {
    const occa::udim_t before = device.memoryAllocated();
    occa::memoryPool pool = device.createMemoryPool(), same = pool;
    CHECK(pool.isInitialized() && pool.alignment() == 128 && pool.size() == 0 && pool == same &&
          pool.getDevice() == device);
    const std::vector<float> host = counted(32);
    occa::memory a = pool.reserve<float>(32), b = pool.reserve<float>(8);
    a.copyFrom(host.data());
    b.copyFrom(host.data());
    CHECK(pool.size() == 256 && pool.reserved() == 256 && pool.numReservations() == 2 &&
          device.memoryAllocated() == before + 256);
    occa::memory half = b.slice(4);
    b.free();
    CHECK(pool.reserved() == 256 && read<float>(half)[0] == 4);
    a.free();
    CHECK(pool.reserved() == 128 && pool.numReservations() == 1);
    // What is left moves to the front.
    pool.shrinkToFit();
    CHECK(pool.size() == 128 && read<float>(half) == (std::vector<float>{4, 5, 6, 7}));
    occa::memory c = pool.reserve(3, occa::dtype::double_);
    CHECK(c.length() == 3 && pool.size() == 256 && read<float>(half)[3] == 7);
    pool.setAlignment(64);
    CHECK(pool.alignment() == 64 && read<float>(half)[1] == 5);
    pool.resize(1024);
    CHECK(pool.size() == 1024 && read<float>(half)[2] == 6);
    FAILS(pool.resize(1), "are in use");
    FAILS(pool.setAlignment(0), "alignment of 0");
    pool.free();
    CHECK(!half.isInitialized() && !same.isInitialized() && device.memoryAllocated() == before);
    FAILS(pool.reserve<float>(1), "no pool");
}

static void kernels(occa::device device) {
    const std::string file = folder + "/occa.okl";
    const occa::json props{{"defines/BLOCK", 16}, {"includes", occa::json::parse("['" + folder + "/scale.h']")}};
    occa::kernel axpy = device.buildKernel(file, "axpy", props), same = axpy;
    CHECK(axpy.isInitialized() && axpy.name() == "axpy" && axpy.sourceFilename() == file &&
          axpy.mode() == device.mode());
    CHECK(axpy == same && axpy.getDevice() == device && axpy.hash().isInitialized() &&
          (int) axpy.properties()["defines/BLOCK"] == 16);

    const std::vector<float> host = counted(100);
    occa::memory x = device.malloc<float>(100, host.data()), y = device.malloc<float>(100);
    axpy(100, 2.0f, x, y);
    CHECK(read<float>(y)[99] == 198);
    occa::kernel loaded = device.buildKernelFromBinary(axpy.binaryFilename(), "axpy");
    loaded(100, -1.0f, x, y);
    loaded(100, 1.0f, x, y);
    CHECK(read<float>(y)[99] == 198 && loaded.binaryFilename() == axpy.binaryFilename());
    FAILS(device.buildKernelFromBinary(file, "axpy"), "brook compile");
    CHECK(axpy.maxDims() == 3 && axpy.maxOuterDims().x >= 1000 && axpy.maxInnerDims().x >= 256);
    // Any integer that fits, and either floating-point type.
    axpy(int64_t(50), 0.5, x, y);
    CHECK(read<float>(y)[49] == 122.5f && read<float>(y)[50] == 100);
    // Memory without a type is of any, also in another place the next time.
    occa::memory raw = device.malloc(400, host.data()), sum = device.malloc(400);
    for (int i = 0; i < 2; ++i) axpy(100, 1.0f, raw, sum);
    axpy(100, 1.0f, x, sum);
    CHECK(read<float>(sum)[99] == 297);
    axpy(25, 1.0f, x.cast(occa::dtype::float4), y.slice(0));
    occa::memory one = x + 1;
    axpy.run({1, 1000.0f, one, y});
    CHECK(read<float>(y)[0] == 1000);
    // A call forgets what was pushed before.
    axpy.pushArg(1);
    axpy(0, 1.0f, x, y);
    FAILS(axpy.run(), "got 0");
    axpy.pushArg(1);
    axpy.pushArg(-1000.0f);
    axpy.pushArg(one);
    axpy.pushArg(y);
    axpy.run();
    axpy.run();
    axpy.clearArgs();
    CHECK(read<float>(y)[0] == -1000);
    FAILS(axpy.run(), "takes 4 arguments");
    FAILS(axpy(100, 2.0f, x), "takes 4 arguments");
    FAILS(axpy(100, 2.0f, x, device.malloc<double>(100)), "is a float buffer; got a double buffer");
    // Still so where memory without a type has shown what it is.
    FAILS(axpy(100, 2.0f, device.malloc<int>(100), sum), "is a float buffer; got an int buffer");
    const occa::json head = occa::json::parse("{defines: {A: 1, 'F(x)': '(x)'}, headers: ['#define B 2'], includes: ['none.h']}");
    CHECK(occa::assembleKernelHeader(head) ==
          "#define A 1\n#define F(x) (x)\n#include \"none.h\"\n#define B 2\n");
    CHECK(occa::kernelHeaderHash(head) == occa::hash(occa::assembleKernelHeader(head)));
    // Integers of one size are the same to OCCA, with a sign or without.
    occa::kernel wraps = device.buildKernelFromString(
        "@kernel void wraps(unsigned int *u, const long *l) {\n"
        "  for (int i = 0; i < 2; ++i; @tile(2, @outer, @inner)) u[i] = u[i] / 2 + l[i];\n}", "wraps");
    const int minus[] = {-2, 4};
    const unsigned long add[] = {1, 2};
    occa::memory u = device.malloc<int>(2, minus);
    wraps(u, device.malloc<unsigned long>(2, add));
    CHECK(read<unsigned>(u) == (std::vector<unsigned>{0x80000000u, 4}));
    FAILS(wraps(u, u), "is a long buffer; got an int buffer");
    FAILS(axpy(100, x, x, y), "argument 2 'a'");
    FAILS(axpy(1.5, 2.0f, x, y), "argument 1 'n'");
    FAILS(axpy(int64_t(1) << 40, 2.0f, x, y), "cannot hold");
    axpy.setRunDims(occa::dim(0), occa::dim(1));
    axpy(1, 5.0f, one, y);
    axpy.setRunDims(1, 1);
    CHECK(read<float>(y)[0] == -1000);

    occa::kernel kinds = device.buildKernel(file, "kinds", props);
    const Pair pairs[] = {{1.5f, 2}, {2.5f, 3}};
    occa::dtype_t type("Pair");
    type.addField("a", occa::dtype::float_).addField("b", occa::dtype::int_);
    occa::memory in = device.malloc(2, type, pairs), out = device.malloc<double>(9);
    kinds(true, int8_t(-3), uint16_t(60000), int64_t(-1), 0.25f, occa::float4(1, 2, 3, 4), pairs[0], in, occa::null, out);
    CHECK(read<double>(out) == (std::vector<double>{1, -3, 60000, -1, 0.25, 4321, 21.5, 32.5, 2}));
    kinds(false, 'a', 1, 2, 3.0, occa::float4(), pairs[1], device.malloc(16, pairs), nullptr, device.malloc(72));
    FAILS(kinds(true, 1, 1, 1, 1.0, occa::float2(), pairs[0], in, nullptr, out), "argument 6 'w'");
    FAILS(kinds(true, 1, 1, 1, 1.0, occa::float4(), pairs[0], device.malloc<double>(2), nullptr, out), "argument 8 'in'");

    occa::kernel twice = device.buildKernel(file, "twice", props);
    const double numbers[] = {1, 2, 3, 4};
    occa::memory vectors = device.malloc(2, occa::dtype::double2, numbers), plain = device.malloc(32, numbers);
    twice(2, vectors);
    twice(2, plain);
    CHECK(read<double>(vectors) == (std::vector<double>{2, 4, 6, 8}) && read<double>(plain) == read<double>(vectors));

    // Type checks may be switched off.
    const std::string text = "@kernel void set(const int n, int *x) {\n"
                             "  for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) x[i] = VALUE + EXTRA;\n}\n";
    occa::json more{{"defines", {{"VALUE", 3}}}, {"compiler_flags", ""}};
    more["headers"].asArray() += "#define EXTRA 4";
    occa::kernel set = device.buildKernelFromString(text, "set", more);
    occa::memory words = device.malloc<float>(8);
    FAILS(set(8, words), "is an int buffer; got a float buffer");
    more["type_validation"] = false;
    device.buildKernelFromString(text, "set", more)(8, words);
    CHECK(read<int>(words) == std::vector<int>(8, 7));
    FAILS(device.buildKernelFromString("@kernel void f() {\n}\n", "f"), "");
    CHECK(!device.buildKernelFromString("@kernel foo {", "foo", {{"silent", true}}).isInitialized());
    FAILS(device.buildKernelFromString(text, "get", more), "get");
    FAILS(device.buildKernelFromString(text, "set"), "VALUE");
    FAILS(device.buildKernel("/nowhere.okl", "f"), "cannot read");
    FAILS(device.buildKernelFromString(text, "set", {{"functions", {{"f", "g"}}}}), "[functions/f]");
    FAILS(device.buildKernelFromString(text, "set", {{"compiler", "c++"}}), "[compiler]");
    occa::io::addLibraryPath("faces", folder);
    CHECK(device.buildKernel("occa://faces/occa.okl", "axpy", props).isInitialized() &&
          occa::io::exists("occa://faces/occa.okl"));
    FAILS(device.buildKernel("occa://other/occa.okl", "axpy"), "addLibraryPath");

    const std::string native = "extern \"C\" void add(const int &n, const float *a, float *b, const Pair &p) {\n"
                               "  for (int i = 0; i < n; ++i) b[i] += a[i] + p.a;\n}\n";
    occa::json as_is{{"okl/enabled", false}};
    as_is["headers"].asArray() += "struct Pair { float a; int b; };";
    if (device.hasSeparateMemorySpace()) {
        const bool is_opencl = device.mode() == "OpenCL";
        const std::string text = is_opencl ? "__kernel void add(const int n, __global const float *a, __global float *b) {\n"
                                             "  const int i = get_global_id(0);\n  if (i < n) b[i] = a[i] + MORE;\n}\n"
                                           : "extern \"C\" __global__ void add(const int n, const float *a, float *b) {\n"
                                             "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                             "  if (i < n) b[i] = a[i] + MORE;\n}\n";
        occa::kernel add = device.buildKernelFromString(text, "add", {{"okl/enabled", false}, {"defines/MORE", 5}});
        add.setRunDims(occa::dim(4), occa::dim(32));
        occa::memory result = device.malloc<float>(100);
        add(100, x, result);
        CHECK(read<float>(result)[99] == 104);
        FAILS(device.buildKernelFromString("nonsense()", "add", {{"okl/enabled", false}}), "failed");
        FAILS(axpy(1, 1.0f, &host[0], y), "memory of the host");
    } else {
        occa::kernel add = device.buildKernelFromString(native, "add", as_is);
        occa::memory result = device.malloc<float>(100);
        add(100, x, result, pairs[0]);
        CHECK(read<float>(result)[99] == 100.5f);
        FAILS(device.buildKernelFromString("int x", "add", as_is), "does not compile");
        FAILS(device.buildKernelFromString("int x;", "add", as_is), "no function 'add'");
        axpy(1, 1.0f, &host[7], y);
        CHECK(read<float>(y)[0] == -993);
    }
    axpy.free();
    CHECK(!same.isInitialized() && same.name() == "" && same.mode() == "No Mode");
    FAILS(same(1), "has been freed");
    FAILS(occa::kernel()(), "no kernel");
}

// Kernels that are templates: memory's type says which.
static void templates(occa::device device) {
    const std::string text = "struct Pair { float a; int b; };\n"
                             "template <typename T, int N = 2> @kernel void f(const int n, const T *a, T *b) {\n"
                             "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) b[i] = a[i] * N;\n}\n"
                             "template <typename T> @kernel void last(const int n, const T by, T *a) {\n"
                             "  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) if (i < n - 1) a[i] = a[n - 1];\n}\n";
    const std::vector<float> floats = counted(8);
    const std::vector<int> ints = {1, 2, 3, 4};
    occa::memory x = device.malloc<float>(8, floats.data()), y = device.malloc<float>(8);
    occa::memory i = device.malloc<int>(4, ints.data()), j = device.malloc<int>(4);
    occa::kernel f = device.buildKernelFromString(text, "f");
    f(8, x, y);
    f(4, i, j);
    f(4, x + 4, y);
    CHECK(read<float>(y)[7] == 14 && read<float>(y)[0] == 8 && read<int>(j)[3] == 8);
    f(2, x.cast(occa::dtype::float4), y.cast(occa::dtype::float4));
    CHECK(read<float>(y)[4] == 8 && read<float>(y)[7] == 14);
    f(1, i.cast(occa::dtype::int2), j.cast(occa::dtype::int2));
    CHECK(read<int>(j)[1] == 4);
    const occa::json five = occa::json::parse("{okl: {template_arguments: {N: 5}}}");
    device.buildKernelFromString(text, "f", five)(8, x, y);
    CHECK(read<float>(y)[7] == 35);
    device.buildKernelFromString(text, "f<int, 3>")(4, i, j);
    CHECK(read<int>(j)[3] == 12);
    // Bytes are whatever the kernel's are.
    device.buildKernelFromString(text, "f<float>")(8, x.cast(occa::dtype::byte), y);
    CHECK(read<float>(y)[7] == 14);
    occa::dtype_t pair("Pair", 0);
    pair.addField("a", occa::dtype::float_);
    pair.addField("b", occa::dtype::int_);
    occa::memory pairs = device.malloc(2, pair, floats.data());
    const occa::json typed = occa::json::parse("{okl: {template_arguments: {T: 'Pair'}}}");
    const Pair one = {0, 0};
    device.buildKernelFromString(text, "last", typed)(2, one, pairs);
    CHECK(read<float>(pairs.cast(occa::dtype::float_))[0] == 2);
    // The name of the memory's type says it, too.
    occa::kernel last = device.buildKernelFromString(text, "last");
    for (int times = 0; times < 2; ++times) {
        pairs.copyFrom(floats.data());
        last(2, one, pairs);
        CHECK(read<float>(pairs.cast(occa::dtype::float_))[0] == 2);
    }
    const std::string swap = "struct Pair { float a; int b; };\nstruct Point { double x, y; };\n"
                             "template <typename T, typename U> @kernel void swap(const T *from, T *to, U *others) {\n"
                             "  for (int i = 0; i < 2; ++i; @tile(2, @outer, @inner)) {\n"
                             "    to[i] = from[1 - i];\n    others[i] = others[2];\n  }\n}\n";
    occa::dtype_t point("Point", 0), small("Pair", 0), unknown("Nobody", 8);
    point.addField("x", occa::dtype::double_).addField("y", occa::dtype::double_);
    small.addField("a", occa::dtype::float_);
    const std::vector<double> numbers = {1, 2, 3, 4, 5, 6};
    occa::memory points = device.malloc(3, point, numbers.data()), swapped = device.malloc(2, pair);
    occa::kernel both = device.buildKernelFromString(swap, "swap");
    pairs.copyFrom(floats.data());
    both(pairs, swapped, points);
    CHECK(read<float>(swapped.cast(occa::dtype::float_))[0] == 2 && read<float>(swapped.cast(occa::dtype::float_))[2] == 0);
    CHECK(read<double>(points.cast(occa::dtype::double_))[0] == 5 && read<double>(points.cast(occa::dtype::double_))[3] == 6);
    // Structs beside numbers.
    both(pairs, swapped, x);
    both(x, y, points);
    CHECK(read<float>(x)[1] == 2 && read<float>(y)[0] == 2 && read<float>(y)[1] == 2);
    x.copyFrom(floats.data());
    FAILS(both(pairs, points, x), "cannot be both Pair by argument 1 and Point by argument 2");
    FAILS(both(pairs.cast(small), swapped.cast(small), x), "'Pair', of 4 bytes; the kernel's has 8");
    FAILS(both(pairs.cast(unknown), swapped.cast(unknown), x), "Nobody");
    last(8, 1.0, x);
    CHECK(read<float>(x)[0] == 7);

    FAILS(f(4, x, j), "both float by argument 2 'a' and int by argument 3 'b'");
    FAILS(f(4, x.cast(occa::dtype::byte), y.cast(occa::dtype::byte)), "'T' of kernel 'f' is not known");
    FAILS(last(1, 1, x), "'by' of kernel 'last<float>' is a float");
    FAILS(device.buildKernelFromString(text, "g"), "there is no kernel 'g'");
    FAILS(device.buildKernelFromString(text, "f", occa::json::parse("{okl: {template_arguments: {M: 5}}}")),
          "no template parameter 'M'");
    FAILS(device.buildKernelFromString("@kernel void k(int *a) { for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 4; "
                                       "++j; @inner) a[j] = i; }", "k", five), "is no template");
}

static void streams(occa::device device) {
    occa::stream first = device.getStream(), second = device.createStream({{"nonblocking", true}});
    CHECK(first.isInitialized() && second != first && second.getDevice() == device && second.mode() == device.mode());
    CHECK((bool) second.properties()["nonblocking"]);
    device.setStream(second);
    CHECK(device.getStream() == second);
    occa::kernel set = device.buildKernelFromString("@kernel void set(const int n, const int v, int *x) {\n"
                                                    "  for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) x[i] = v;\n}\n",
                                                    "set");
    occa::memory a = device.malloc<int>(1000), b = device.malloc<int>(1000);
    occa::streamTag start = device.tagStream();
    set(1000, 5, a);
    b.copyFrom(a);
    occa::streamTag end = device.tagStream();
    CHECK(read<int>(b) == std::vector<int>(1000, 5));
    end.wait();
    device.waitFor(start);
    CHECK(device.timeBetween(start, end) > 0 && device.timeBetween(end, end) == 0 && end.getDevice() == device &&
          start != end);
    const std::vector<int> host(1000, 7);
    a.copyFrom(host.data());
    second.finish();
    // The device's own stream takes its place.
    second.free();
    CHECK(device.getStream().isInitialized());
    device.setStream(first);
    CHECK(!second.isInitialized() && read<int>(a) == host);
    FAILS(second.finish(), "no stream");
    FAILS(device.setStream(occa::stream()), "no stream");
    FAILS(occa::streamTag().unwrap(), "no tag");
    device.finishAll();
}

static void devices(const std::string &props) {
    occa::device none;
    CHECK(!none.isInitialized() && none.mode() == "No Mode" && none.memorySize() == 0 &&
          !none.hasSeparateMemorySpace());
    FAILS(none.malloc(1), "no device");
    occa::json all = occa::json::parse(props);
    const std::string mode = all["mode"];
    all["kernel"] = occa::json{{"one", 3}, {"two", 5}, {("modes/" + mode + "/one"), 2}};
    all["modes/" + mode + "/kernel/one"] = 1;
    occa::settings()["kernel/zero"] = 4;
    occa::device device(all), same = device;
    CHECK(device.mode() == mode && device.properties()["mode"].string() == mode && device == same);
    CHECK((int) device.kernelProperties()["one"] == 1 && (int) device.kernelProperties()["zero"] == 4);
    CHECK((int) device.kernelProperties({{"two", 6}})["two"] == 6 && device.memoryProperties()["mode"] == mode.c_str());
    CHECK((int) device.kernelProperties({{("modes/" + mode + "/x"), 9}})["x"] == 9 &&
          device.streamProperties({{"y", 1}}).has("y"));
    CHECK(device.arch().size() >= 3 && &device.arch() == &device.arch());
    FAILS(occa::device().arch(), "no device");
    CHECK(device.memorySize() > 1000000 && device.hash().isInitialized() && occa::modeIsEnabled(mode));
    CHECK(occa::getDeviceCount(occa::json{{"mode", "Abacus"}}) == 0 && occa::getDeviceCount(occa::json()) == 0);
    CHECK(occa::getDeviceCount(all) > 0 && occa::getDeviceCount(props) > 0 && !occa::modeIsEnabled("Abacus"));
    occa::memory memory = device.malloc(4);
    device.free();
    CHECK(!same.isInitialized() && !memory.isInitialized());
    if (mode == "OpenCL") {
        FAILS(occa::device({{"mode", "OpenCL"}, {"device_id", 0}}), "[platform_id]");
        FAILS(occa::device({{"mode", "OpenCL"}, {"platform_id", 0}, {"device_id", 77}}), "number 77");
    }
    FAILS(occa::device(std::string("{mode")), "occa::json");
    // What is not there is Serial, and that is said.
    CHECK(occa::device({{"mode", "Abacus"}}).mode() == "Serial");
}

static void globals(const std::string &props) {
    CHECK(occa::getDevice() == occa::host() && occa::getDevice().mode() == "Serial");
    occa::setDevice(props);
    CHECK(occa::deviceProperties()["mode"] == occa::getDevice().mode().c_str());
    const std::vector<float> host = counted(10);
    occa::memory a = occa::malloc<float>(10, host.data()), b = occa::malloc(10, occa::dtype::float_);
    const char *const text = "@kernel void copy(const int n, const float *a, float *b) {\n"
                             "  for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) b[i] = a[i];\n}\n";
    occa::kernel copy = occa::buildKernelFromString(text, "copy");
    occa::streamTag start = occa::tagStream();
    copy(10, a, b);
    occa::finish();
    occa::waitFor(occa::tagStream());
    CHECK(read<float>(b) == host && occa::timeBetween(start, occa::tagStream()) > 0);
    occa::setStream(occa::createStream());
    CHECK(occa::getStream().isInitialized() && occa::createMemoryPool().isInitialized());
    occa::free(b);
    occa::free(copy);
    CHECK(!b.isInitialized() && !copy.isInitialized());
    std::ostringstream printed;
    std::streambuf *const before = std::cout.rdbuf(printed.rdbuf());
    occa::printModeInfo();
    std::cout.rdbuf(before);
    CHECK(printed.str().find("Serial: openmp:0") == 0);
    occa::env::setOccaCacheDir(std::string(scratch) + "/other");
    CHECK(occa::env::OCCA_CACHE_DIR == std::string(scratch) + "/other/");
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    folder = argv[2];
    scratch = argv[3];
    const std::string device = argv[1];
    std::vector<std::string> all{"{mode: 'Serial'}", "{mode: 'OpenMP'}"};
    if (device == "opencl") all = {"{mode: 'OpenCL', platform_id: 0, device_id: 0}"};
    if (device.compare(0, 4, "cuda") == 0) all = {"{mode: 'CUDA', device_id: 0}"};
    try {
        jsons();
        numbers();
        types();
        for (const std::string &props : all) {
            devices(props);
            memory(occa::device(props));
            pinned(occa::device(props));
            host_memory(occa::device(props));
            wrapped_streams(occa::device(props));
            last_handles(props);
            pools(occa::device(props));
            kernels(occa::device(props));
            templates(occa::device(props));
            streams(occa::device(props));
        }
        globals(all.back());
    } catch (const std::exception &error) {
        std::printf("thrown: %s\n", error.what());
        return 1;
    }
    std::puts(failures == 0 ? "all is as it should be" : "not all is as it should be");
    return failures != 0;
}
