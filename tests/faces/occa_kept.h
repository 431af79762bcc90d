// What is kept of a place in the program where kernels are made: each of these comes by the same place with something else.
#ifndef OCCA_KEPT_H
#define OCCA_KEPT_H

// The n-th element becomes the macro's value times two.
static void doubled(const occa::memory &values, const occa::json &props, int n = 0) {
    occa::scope scope({{"values", values}, {"n", n}}, props);
    OCCA_JIT(scope, (for (int i = 0; i < 1; ++i; @tile(1, @outer, @inner)) { values[n] = A * 2; }));
}

// The same of whatever type of memory and number, in two places with the same text.
template <class T> static void add(const occa::array<T> &values, const occa::scope &scope) {
    OCCA_JIT(scope, (for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) { values[i] = i / 2 + x; }));
    static_cast<void>(values);
}

template <class T> static T most(const std::vector<T> &values, T least) {
    const occa::array<T> all = array_of(values);
    const T largest = all.max();
    const occa::scope captured({{"least", least}});
    const bool some = all.some(OCCA_FUNCTION(captured, [=](const T &v) -> bool { return v < least; }));
    return some ? least : largest;
}

// One place for all kinds of loops.
static void number(occa::forLoop loop, int form, const occa::scope &scope, int tile) {
    const occa::array<int> order = array_of<int>({3, 1, 2, 0});
    const occa::iteration all[] = {4, occa::range(4), occa::range(3, -1), occa::range(0, 8, 2), order};
    int n = 0;
    int *const out = nullptr;
    loop.tile({all[form], tile}).run(OCCA_FUNCTION(scope, [=](const int i) -> void { out[i] = 10 * n + i; }));
    static_cast<void>(n);
}

static void kept(occa::device device) {
    typedef std::vector<int> Ints;
    // Values of a macro that are equal but not written alike, and others.
    occa::array<float> a(2);
    const float half = 1;
    doubled(a, {{"defines/A", 1}}); CHECK(a[0] == 2 * half);
    doubled(a, {{"defines/A", "1 / 2"}}); CHECK(a[0] == 0);
    doubled(a, {{"defines/A", "1 / 2."}}); CHECK(a[0] == 1);
    doubled(a, {{"defines/A", 1.5}}); CHECK(a[0] == 3);
    doubled(a, {{"defines/A", "sizeof(B)"}, {"defines/B", "int"}}); CHECK(a[0] == 8);
    doubled(a, {{"defines/A", "sizeof(B)"}, {"defines/B", "double"}}); CHECK(a[0] == 16);
    doubled(a, {{"defines/A", "sizeof(1)"}}); CHECK(a[0] == 8);
    doubled(a, {{"defines/A", "sizeof(1.)"}}); CHECK(a[0] == 16);
    doubled(a, {{"defines/A", "7 / B"}, {"defines/B", 2}}); CHECK(a[0] == 6);
    doubled(a, {{"defines/A", "7 / B"}, {"defines/B", 2.0}}); CHECK(a[0] == 7);
    doubled(a, {{"defines/A", "7 / B"}, {"defines/B", 2}}, 1); CHECK(a[1] == 6 && a[0] == 7);
    FAILS(doubled(a, occa::json()), "A");
    // Other types of memory and of values, other names in another order.
    occa::array<int> ints(4);
    const occa::array<double> doubles(4);
    for (int round = 0; round < 3; ++round) {
        doubled(ints.memory(), {{"defines/A", 1.75}}); CHECK(ints[0] == 3);
        doubled(doubles.memory(), {{"defines/A", 1.75}}); CHECK(doubles[0] == 3.5);
        add(ints, {{"values", ints}, {"x", 2}});
        CHECK(read<int>(ints) == Ints({2, 2, 3, 3}));
        add(ints, {{"x", 0.5f + static_cast<float>(round)}, {"values", ints}});
        CHECK(read<int>(ints) == Ints({round, round, round + 1, round + 1}));
        add(doubles, {{"x", 0.5f}, {"values", doubles}});
        CHECK(doubles[3] == 1.5);
        add(doubles, {{"values", doubles}, {"x", 0.25}, {"unused", round}});
        CHECK(doubles[3] == 1.25);
        // What the scope's name is told to be matters, and not what the memory is.
        occa::scope cast;
        cast.add(occa::scopeKernelArg("values", occa::kernelArg(doubles.memory().cast(occa::dtype::int_)), occa::dtype::int_, false));
        cast.add("x", 5);
        add(doubles, cast);
        CHECK(read<int>(doubles.memory())[0] == 5 && read<int>(doubles.memory())[3] == 6);
    }
    // Structs of one name that are two types: both have all of what the kernel looks at.
    for (int round = 0; round < 2; ++round) {
        for (const char *field : {"x", "y"}) {
            const occa::dtype_t type = occa::dtype_t("Two").addField("x", occa::dtype::float_).addField("y", occa::dtype::float_);
            const float values[2] = {1, 2};
            const occa::memory pair = device.malloc(1, type, values);
            occa::json props({{"defines/FIELD", field}});
            props["headers"].asArray() += "typedef struct { float x, y; } Two;";
            occa::scope scope({{"pair", pair}, {"out", a.memory()}}, props);
            OCCA_JIT(scope, (for (int i = 0; i < 1; ++i; @tile(1, @outer, @inner)) { out[i] = pair[i].FIELD; }));
            CHECK(a[0] == (field[0] == 'x' ? 1 : 2));
        }
    }
    // One lambda's text with other types.
    for (int round = 0; round < 2; ++round) {
        CHECK(most<int>({1, 5, 3}, 0) == 5 && most<int>({1, 5, 3}, 2) == 2);
        CHECK(most<float>({1.5f, 5.5f, 3}, 0.5f) == 5.5f && most<float>({1.25f, 5.5f}, 1.375f) == 1.375f);
        CHECK(most<double>({1.5, 5.5, 3}, 0) == 5.5 && most<unsigned>({1, 3000000000u}, 0) == 3000000000u);
    }
    // A lambda that lies where another one was.
    for (int round = 0; round < 2; ++round) {
        std::string text = "[](const int &v) -> int { return v + 1; }";
        const auto plus = [](const int &v) -> int { return v; };
        const auto mapped = [&] { return read<int>(ints.map(occa::functional::inferFunction(text.c_str(), plus))); };
        ints.fill(1);
        CHECK(mapped() == Ints({2, 2, 2, 2}));
        text[text.size() - 4] = '2';
        CHECK(mapped() == Ints({3, 3, 3, 3}));
    }
    // Loops over other numbers, in tiles that divide them and that do not.
    occa::forLoop loop(device);
    for (int round = 0; round < 2; ++round) {
        for (int form = 0; form < 5; ++form) {
            for (const int tile : {2, 3}) {
                occa::array<int> out(8);
                const int n = form + tile;
                number(loop, form, {{"out", out}, {"n", n}}, tile);
                Ints expected(8, 0);
                for (int i = 0; i < 4; ++i) {
                    const int at = form == 3 ? 2 * i : i;
                    expected[static_cast<std::size_t>(at)] = 10 * n + at;
                }
                CHECK(read<int>(out) == expected);
            }
        }
    }
    // Tiles of arrays, and ranges as such.
    for (int round = 0; round < 2; ++round) {
        for (const int tile : {0, 16}) {
            occa::range numbers(3, 9, 2);
            occa::array<int> same = array_of<int>({3, 5, 7});
            if (tile > 0) numbers.setTileSize(tile, 2), same.setTileSize(tile, 3);
            const auto square = OCCA_FUNCTION([](const int &v) -> int { return v * v; });
            const auto square_value = OCCA_FUNCTION([](const int v) -> int { return v * v; });
            CHECK(read<int>(numbers.map<int>(square_value)) == Ints({9, 25, 49}));
            CHECK(read<int>(same.map<int>(square)) == Ints({9, 25, 49}));
            CHECK(same.max() == 7 && same.min() == 3 && same.indexOf(5) == 1 && same.indexOf(6) == -1);
        }
    }
    // Another device, one that has gone, and one that is where it was.
    for (int round = 0; round < 4; ++round) {
        occa::device other(device.properties());
        occa::array<float> there(other, 2);
        const auto sum = [](const occa::array<float> &all) {
            return all.reduce<float>(reductionType::sum,
                                     OCCA_FUNCTION([=](const float &x, const float &v) -> float { return x + v; }));
        };
        for (int again = 0; again < 2; ++again) {
            doubled(there, {{"defines/A", 2}}); CHECK(there[0] == 4);
            doubled(a, {{"defines/A", 2}}); CHECK(a[0] == 4 && sum(there) == 4);
            const float second = a[1];
            CHECK(sum(a) == 4 + second);
        }
        other.free();
        CHECK(!there.isInitialized());
        doubled(a, {{"defines/A", 2}}); CHECK(a[0] == 4);
    }
    // Kernels that have been freed are built again.
    occa::kernelBuilder builder("(for (int i = 0; i < 1; ++i; @tile(1, @outer, @inner)) { values[i] = x; })", "set");
    const occa::scope set({{"values", a}, {"x", 3}});
    for (int round = 0; round < 3; ++round) {
        builder.run(set); CHECK(a[0] == 3);
        if (round == 0) builder.getOrBuildKernel(set).free();
        else builder.free();
        a.fill(0);
    }
    builder.run(set); CHECK(a[0] == 3);
    // More than are kept without their texts.
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 40; ++i) {
            const occa::dtype_t type("float", occa::dtype::float_);
            builder.run({{"values", a}, {"x", i}});
            occa::scope named;
            named.add("values", a);
            named.add(occa::scopeKernelArg("x", occa::kernelArg(static_cast<float>(i) + 0.5f), type, true));
            builder.run(named);
            CHECK(a[0] == static_cast<float>(i) + 0.5f);
        }
    }
}

// Sixteen threads at the same places, on two devices.
static void kept_by_threads(occa::device device) {
    occa::device devices[2] = {device, occa::device(device.properties())};
    std::vector<std::thread> all;
    std::vector<int> good(16, 0);
    for (int t = 0; t < 16; ++t) {
        all.emplace_back([t, &devices, &good] {
            for (int round = 0; round < 20; ++round) {
                const occa::device &own = devices[(t + round) % 2];
                occa::setDevice(own);
                const occa::array<int> ints(4);
                const occa::array<float> floats(4);
                const int n = 100 * t + round;
                add(ints, {{"values", ints}, {"x", n}});
                if (t % 3 == 0) add(floats, {{"values", floats}, {"x", static_cast<float>(n) + 0.5f}});
                else add(floats, {{"x", n}, {"values", floats}});
                occa::array<int> out(8);
                number(occa::forLoop(own), t % 5, {{"out", out}, {"n", n}}, 2 + round % 2);
                const bool right = ints[3] == n + 1 && floats[0] == static_cast<float>(n) + (t % 3 == 0 ? 0.5f : 0.f) &&
                                   out[0] == 10 * n && ints.max() == n + 1 && floats.indexOf(floats[2]) == 2;
                if (right) ++good[static_cast<std::size_t>(t)];
            }
        });
    }
    for (std::thread &thread : all) thread.join();
    CHECK(good == std::vector<int>(16, 20));
    devices[1].free();
}

#endif
