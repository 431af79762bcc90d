// Arrays, ranges, loops and lambdas of OCCA's interface over brook, beside plain loops of the host: occa_functions DEVICE.
#include "occa_check.h"

#include <occa.hpp>
#include <occa/experimental.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

struct Point {
    float x;
    int n;
};
namespace occa {
namespace dtype {
template <> dtype_t get<Point>() {
    static const dtype_t type = dtype_t("Point").addField("x", float_).addField("n", int_);
    return type;
}
} // namespace dtype
} // namespace occa

using occa::int2;
using occa::int3;
using occa::reductionType;

template <class T> static occa::array<T> array_of(const std::vector<T> &values) {
    occa::array<T> all(static_cast<occa::dim_t>(values.size()));
    if (!values.empty()) all.copyFrom(values.data());
    return all;
}

// Numbers that look like none in particular.
static std::vector<int> some(std::size_t count) {
    std::vector<int> all(count);
    unsigned state = 12345u + static_cast<unsigned>(count);
    for (int &value : all) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<int>(state >> 16) % 1000 - 500;
    }
    return all;
}

static const std::size_t lengths[] = {1, 2, 31, 127, 128, 129, 255, 256, 257, 1000, 65536 + 3, 200001};

static void reductions() {
    for (const std::size_t n : lengths) {
        const std::vector<int> host = some(n);
        const occa::array<int> all = array_of(host);
        long sum = 0;
        int bits_or = 0, bits_and = -1, bits_xor = 0;
        bool any = false, every = true;
        for (const int v : host) {
            sum += v;
            bits_or |= v;
            bits_and &= v;
            bits_xor ^= v;
            any = any || v == 7;
            every = every && v > -501;
        }
        CHECK(all.min() == *std::min_element(host.begin(), host.end()));
        CHECK(all.max() == *std::max_element(host.begin(), host.end()));
        CHECK(all.reduce<long>(reductionType::sum, OCCA_FUNCTION([](const long &acc, const int &v) -> long {
                                   return acc + v;
                               })) == sum);
        // The first value counts once, in whatever pieces the array is summed.
        CHECK(all.reduce<long>(reductionType::sum, 1000L, OCCA_FUNCTION([](const long &acc, const int &v) -> long {
                                   return acc + v;
                               })) == sum + 1000);
        CHECK(all.reduce<int>(reductionType::bitOr, OCCA_FUNCTION([](const int &acc, const int &v) -> int {
                                  return acc | v;
                              })) == bits_or);
        CHECK(all.reduce<int>(reductionType::bitAnd, OCCA_FUNCTION([](const int &acc, const int &v) -> int {
                                  return acc & v;
                              })) == bits_and);
        CHECK(all.reduce<int>(reductionType::bitXor, 5, OCCA_FUNCTION([](const int &acc, const int &v) -> int {
                                  return acc ^ v;
                              })) == (bits_xor ^ 5));
        CHECK(all.reduce<bool>(reductionType::boolOr, OCCA_FUNCTION([](const bool &acc, const int &v) -> bool {
                                   return acc || v == 7;
                               })) == any);
        CHECK(all.reduce<bool>(reductionType::boolAnd, OCCA_FUNCTION([](const bool &acc, const int &v) -> bool {
                                   return acc && v > -501;
                               })) == every);
        // Of an element and its place, with all values at hand.
        long weighted = 0;
        for (std::size_t i = 0; i < n; ++i) weighted += static_cast<long>(i) * host[n - 1 - i];
        const occa::scope captured({{"n", static_cast<int>(n)}});
        CHECK(all.reduce<long>(reductionType::sum,
                               OCCA_FUNCTION(captured, [=](const long &acc, const int &, const int i, const int *v) -> long {
                                   return acc + (long) i * v[(int) n - 1 - i];
                               })) == weighted);
        // The least of something else than the elements.
        int least = std::numeric_limits<int>::max();
        for (const int v : host) least = std::min(least, v * v + 3);
        CHECK(all.reduce<int>(reductionType::min, OCCA_FUNCTION([](const int &acc, const int &v) -> int {
                                  return v * v + 3 < acc ? v * v + 3 : acc;
                              })) == least);
        const auto found = std::find(host.begin(), host.end(), 7);
        CHECK(all.indexOf(7) == (found == host.end() ? -1 : found - host.begin()));
        const auto last = std::find(host.rbegin(), host.rend(), 7);
        CHECK(all.lastIndexOf(7) == (last == host.rend() ? -1 : host.rend() - last - 1));
        CHECK(all.includes(host[n / 2]) && !all.includes(501));
        CHECK(all.findIndex(OCCA_FUNCTION([](const int &v) -> bool { return v < 600; })) == 0);
        const occa::array<long> wide = all.cast<long>();
        const std::vector<long> longs(host.begin(), host.end());
        CHECK(wide.dotProduct(wide) == std::inner_product(longs.begin(), longs.end(), longs.begin(), 0L));
    }
}

// One type of element: least, largest, sum, product.
template <class T> static void numbers_of(const std::vector<T> &host) {
    const occa::array<T> all = array_of(host);
    CHECK(all.min() == *std::min_element(host.begin(), host.end()));
    CHECK(all.max() == *std::max_element(host.begin(), host.end()));
    const T sum = all.template reduce<T>(reductionType::sum, OCCA_FUNCTION([](const T &acc, const T &v) -> T {
                                             return acc + v;
                                         }));
    CHECK(sum == std::accumulate(host.begin(), host.end(), static_cast<T>(0)));
    const T product = all.template reduce<T>(reductionType::multiply, OCCA_FUNCTION([](const T &acc, const T &v) -> T {
                                                 return acc * v;
                                             }));
    T by_hand = 1;
    for (const T &v : host) by_hand = static_cast<T>(by_hand * v);
    CHECK(product == by_hand);
    CHECK(all[0] == host[0] && all[static_cast<occa::dim_t>(host.size()) - 1] == host.back());
    // Two elements at once are two values.
    CHECK((all[0] < all[1]) == (host[0] < host[1]));
    std::vector<T> reversed(host.rbegin(), host.rend());
    CHECK(read<T>(all.reverse()) == reversed);
    CHECK(read<double>(all.template cast<double>()) == std::vector<double>(host.begin(), host.end()));
}

static void types() {
    numbers_of<char>({1, -2, 3, 1, 1, -1, 5});
    numbers_of<signed char>({-1, -2, 3, 1, 1, -1, 5});
    numbers_of<unsigned char>({200, 1, 3, 1, 1, 1});
    numbers_of<short>({-300, 2, 7, 1, 1});
    numbers_of<unsigned short>({60000, 2, 7, 1, 1});
    numbers_of<int>({-70000, 2, 7, 1, 1});
    numbers_of<unsigned int>({4000000000u, 2, 7, 1, 1});
    numbers_of<long>({-5000000000L, 2, 7, 1, 1});
    numbers_of<unsigned long>({10000000000000000000ul, 2, 7, 1, 1});
    numbers_of<float>({-0.5f, 2, 8, 0.25f, 1});
    numbers_of<double>({-0.5, 2, 8, 1e300, 1});
    // None of these is between the start value and nothing.
    numbers_of<float>({-3, -2, -8});
    numbers_of<double>({3, 2, 8});

    const std::vector<float> host = {1, 0, 3};
    occa::array<bool> truth = array_of(host).map<bool>(OCCA_FUNCTION([](const float &v) -> bool { return v > 0; }));
    CHECK(truth[0] && !truth[1] && truth[2]);
    CHECK(!truth.every(OCCA_FUNCTION([](const bool &v) -> bool { return v; })));
    CHECK(truth.some(OCCA_FUNCTION([](const bool &v) -> bool { return v; })));
    FAILS(truth.max(), "occa::reductionType::max");
    FAILS(array_of(host).reduce<float>(reductionType::bitOr,
                                       OCCA_FUNCTION([](const float &acc, const float &) -> float { return acc; })),
          "occa::reductionType::bitOr");
    // Structs that kernels are told of, and vectors, are elements, too.
    std::vector<Point> places(300);
    float x_sum = 0;
    for (int i = 0; i < 300; ++i) {
        places[static_cast<std::size_t>(i)] = {static_cast<float>(i), 2 * i};
        x_sum += static_cast<float>(i) + 10;
    }
    const Point by = {10, 20};
    const occa::json told({{"headers", occa::jsonArray{"typedef struct Point { float x; int n; } Point;"}}});
    const occa::scope captured({{"by", by}}, told);
    const occa::array<Point> moved = array_of(places).map(OCCA_FUNCTION(captured, [=](const Point &p, const int i) -> Point {
        Point to = {p.x + by.x, p.n * by.n - i};
        return to;
    }));
    CHECK(moved[299].x == 309 && moved[299].n == 598 * 20 - 299);
    CHECK(moved.reduce<float>(reductionType::sum, OCCA_FUNCTION(captured, [=](const float &sum, const Point &p) -> float {
                                  return sum + p.x;
                              })) == x_sum);
    occa::array<occa::float2> points(5);
    points.fill(occa::float2(1.5f, -2));
    CHECK(points[4].x == 1.5f && points[4].y == -2);
    occa::array<float> sums = points.map<float>(
        OCCA_FUNCTION([](const occa::float2 &p, const int i) -> float { return p.x + p.y * static_cast<float>(i); }));
    CHECK(read<float>(sums) == std::vector<float>({1.5f, -0.5f, -2.5f, -4.5f, -6.5f}));
}

static void maps() {
    for (const std::size_t n : lengths) {
        const std::vector<int> host = some(n);
        occa::array<int> all = array_of(host);
        for (const int tile : {0, 1, 7, 64}) {
            all.setTileSize(tile, tile == 7 ? 3 : 1);
            const std::vector<int> twice = read<int>(all.map(OCCA_FUNCTION([](const int &v, const int i) -> int {
                return 2 * v + i;
            })));
            bool good = twice.size() == n;
            for (std::size_t i = 0; good && i < n; ++i) good = twice[i] == 2 * host[i] + static_cast<int>(i);
            CHECK(good);
            if (n > 1000) break;
        }
        const int by = static_cast<int>(n / 3 + 1);
        const std::vector<int> left = read<int>(all.shiftLeft(by, -9)), right = read<int>(all.shiftRight(by, -9));
        bool good = left.size() == n && right.size() == n;
        for (std::size_t i = 0; good && i < n; ++i) {
            const std::size_t from = i + static_cast<std::size_t>(by);
            good = left[i] == (from < n ? host[from] : -9) &&
                   right[i] == (i >= static_cast<std::size_t>(by) ? host[i - static_cast<std::size_t>(by)] : -9);
        }
        CHECK(good);
        CHECK(all.clamp(-3, 4).min() >= -3 && all.clamp(-3, 4).max() <= 4);
        CHECK(all.clampMin(10).min() >= 10 && all.clampMax(10).max() <= 10);
        CHECK(all.concat(all).length() == 2 * n && all.concat(all)[static_cast<occa::dim_t>(2 * n) - 1] == host[n - 1]);
    }
    occa::array<int> all = array_of(some(10));
    CHECK(all.shiftLeft(0).memory() != all.memory());
    CHECK(all.shiftLeft(100, 5).min() == 5 && all.shiftRight(100, 5).max() == 5);
    const occa::array<int> same = all;
    all.fill(4);
    CHECK(same[9] == 4 && all.slice(3, 2).length() == 2);
    all.resize(12);
    CHECK(all[9] == 4 && all[10] == 0 && same.length() == 10);
    all.resize(3);
    CHECK(all.length() == 3 && all[2] == 4);
    // Into itself, and into what is shorter.
    all.mapTo(all, OCCA_FUNCTION([](const int &v, const int i) -> int { return v * i; }));
    CHECK(read<int>(all) == std::vector<int>({0, 4, 8}));
    occa::array<float> halves(1);
    all.mapTo(halves, OCCA_FUNCTION([](const int &v) -> float { return 0.5f * (float) v; }));
    CHECK(read<float>(halves) == std::vector<float>({0, 2, 4}));
    int first[2] = {-1, -1};
    all.copyTo(first, 2);
    CHECK(first[0] == 0 && first[1] == 4);
    FAILS(all[3], "occa::array: there is no element 3 of 3");
    FAILS(all[-1], "occa::array: there is no element -1 of 3");
    FAILS(all.dotProduct(all.slice(1)), "occa::array::dotProduct");
    // A function of the values' memory writes where it wants.
    const occa::array<int> marks(3);
    const occa::scope captured({{"marks", marks}});
    all.forEach(OCCA_FUNCTION(captured, [=](const int &v, const int i) -> void { marks[2 - i] = v + 1; }));
    CHECK(read<int>(marks) == std::vector<int>({9, 5, 1}));
}

static void empty_ones() {
    occa::array<int> none, zero(0);
    CHECK(!none.isInitialized() && none.length() == 0 && zero.length() == 0);
    for (const occa::array<int> &all : {none, zero, zero.clone()}) {
        CHECK(all.every(OCCA_FUNCTION([](const int &) -> bool { return false; })));
        CHECK(!all.some(OCCA_FUNCTION([](const int &) -> bool { return true; })));
        CHECK(all.indexOf(0) == -1 && all.lastIndexOf(0) == -1 && !all.includes(0));
        CHECK(all.reverse().length() == 0 && all.cast<float>().length() == 0 && all.clamp(1, 2).length() == 0);
        CHECK(all.reduce<int>(reductionType::sum, OCCA_FUNCTION([](const int &a, const int &) -> int { return a; })) == 0);
        CHECK(all.reduce<int>(reductionType::multiply, OCCA_FUNCTION([](const int &a, const int &) -> int { return a; })) == 1);
        CHECK(all.reduce<int>(reductionType::min, 8, OCCA_FUNCTION([](const int &a, const int &) -> int { return a; })) == 8);
        CHECK(all.dotProduct(all) == 0);
        FAILS(all.min(), "an empty one has no least");
        FAILS(all.max(), "an empty one has no least");
        FAILS(all[0], "occa::array: there is no element 0 of 0");
    }
    zero.fill(3);
    none.fill(3);
    CHECK(zero.concat(array_of(some(3))).length() == 3 && array_of(some(3)).concat(none).length() == 3);
    none.resize(2);
    CHECK(none.length() == 2 && none[1] == 0);
    const occa::range nothing(3, 3);
    CHECK(nothing.toArray().length() == 0 && nothing.findIndex(OCCA_FUNCTION([](const int) -> bool { return true; })) == -1);
    CHECK(nothing.map<float>(OCCA_FUNCTION([](const int i) -> float { return (float) i; })).length() == 0);
    nothing.forEach(OCCA_FUNCTION([](const int) -> void {}));
}

static void range(occa::dim_t start, occa::dim_t end, occa::dim_t step) {
    std::vector<int> host;
    for (occa::dim_t i = start; step > 0 ? i < end : i > end; i += step) host.push_back(static_cast<int>(i));
    const occa::range all(start, end, step);
    CHECK(all.length() == host.size());
    CHECK(read<int>(all.toArray()) == host);
    long sum = 0;
    for (const int v : host) sum += v;
    CHECK(all.reduce<long>(reductionType::sum, OCCA_FUNCTION([](const long &acc, const int v) -> long { return acc + v; })) ==
          sum);
    if (!host.empty()) {
        CHECK(all.reduce<int>(reductionType::min, OCCA_FUNCTION([](const int &acc, const int v) -> int {
                                  return acc < v ? acc : v;
                              })) == *std::min_element(host.begin(), host.end()));
        CHECK(all.findIndex(OCCA_FUNCTION([](const int) -> bool { return true; })) == 0);
    }
    // Loops over the same numbers.
    occa::array<int> seen(static_cast<occa::dim_t>(host.size()) + 1);
    const occa::scope captured({{"seen", seen}, {"start", static_cast<int>(start)}, {"step", static_cast<int>(step)}});
    occa::forLoop().tile({all, 16}).run(OCCA_FUNCTION(captured, [=](const int i) -> void {
        seen[(i - (int) start) / (int) step] = i;
    }));
    std::vector<int> expected = host;
    expected.push_back(0);
    CHECK(read<int>(seen) == expected);
}

static void ranges() {
    for (const occa::dim_t step : {1, 2, 3, 7, 16, 100, -1, -2, -3, -7, -100}) {
        range(0, 40, step);
        range(-5, 43, step);
        range(40, 0, step);
        range(7, -41, step);
    }
    CHECK(occa::range(10).step == 1 && occa::range(-10).step == -1 && occa::range(3, 1).step == -1);
    const occa::dim_t most = std::numeric_limits<occa::dim_t>::max(), least = std::numeric_limits<occa::dim_t>::min();
    CHECK(occa::range(least, most).length() == std::numeric_limits<occa::udim_t>::max());
    CHECK(occa::range(most, least, least).length() == 2 && occa::range(0, most, most).length() == 1);
    FAILS(occa::range(least, most).toArray(), "elements are");
    // A hundred thousand that lie beyond 32 bits, and are told apart.
    const occa::dim_t far = 5000000000;
    CHECK(occa::range(far, far + 100000).reduce<int>(reductionType::sum, OCCA_FUNCTION([](const int &acc, const int) -> int {
                                                         return acc + 1;
                                                     })) == 100000);
    CHECK(occa::range(1 << 20).every(OCCA_FUNCTION([](const int i) -> bool { return i >= 0 && i < 1 << 20; })));
    CHECK(!occa::range(1 << 20).every(OCCA_FUNCTION([](const int i) -> bool { return i != (1 << 20) - 1; })));
    CHECK(occa::range(1 << 20).findIndex(OCCA_FUNCTION([](const int i) -> bool { return i % 70001 == 70000; })) == 70000);
}

// What a macro of the program's is stays the lambda's.
static int called = 0;

static void lambdas() {
    const occa::array<int> all = array_of<int>({3, 1, 2});
    const float half = 0.5f;
    const bool flip = true;
    const long big = 5000000000L;
    const occa::float4 shift(1, 2, 3, 4);
    occa::array<float> out(3);
    const occa::memory ones = occa::malloc<float>(3, std::vector<float>({1, 10, 100}).data());
    const occa::scope captured({{"half", half}, {"flip", flip}, {"big", big}, {"shift", shift}, {"ones", ones}},
                               {{"defines/FACTOR", 2}});
    const int FACTOR = 2;
    struct Ones {
        float operator[](int) const { return 0; }
    };
    const auto text = [&]() {
        const Ones ones = {};
        // Commas, strings, comments, braces in braces, numbers with signs in them, and a comment that closes nothing: }
        return OCCA_FUNCTION(captured, [=](const int &value, int index) -> float {
            int a = 1, b = 2, c[3] = {4, 5, 6}; /* { [ ( " */
            struct Two { int x, y; } two = {a, b};
            const char brace = '}', quote = '"'; // '}'
            if (flip) {
                for (int i = 0, n = 2; i < n; ++i) { two.x += i, two.y += c[i]; }
            } else {
                return -1e+3f;
            }
            index += big > 4000000000L ? FACTOR : 0;
            return half * (float) value + (float) (two.x * 100 + two.y) + (float) index * 1000.0f + shift.w * 10000.0f +
                   ones[index - 2] * 100000.0f + (float) (brace == '}' && quote != 'x' ? 0 : 7);
        });
    };
    all.mapTo(out, text());
    // two.x = 1 + 0 + 1, two.y = 2 + 4 + 5; shift.w = 4.
    const std::vector<int> values = {3, 1, 2};
    std::vector<float> expected;
    float one = 1;
    for (int i = 0; i < 3; ++i, one *= 10) {
        expected.push_back(0.5f * static_cast<float>(values[static_cast<std::size_t>(i)]) + 211 +
                           static_cast<float>(i + 2) * 1000 + 40000 + one * 100000);
    }
    CHECK(read<float>(out) == expected);
    // A text is parsed once, and not for other types or another scope.
    const std::size_t functions = occa::functionDefinition::count();
    text();
    CHECK(occa::functionDefinition::count() == functions);
    // Pointers of the host are for the host.
    float host[3] = {1, 2, 3};
    const occa::scope pointers({{"host", host}});
    CHECK(pointers.getDeclarationSource() == "float *host");
    const float *constant = host;
    CHECK(occa::scope({{"host", constant}}).getDeclarationSource() == "const float *host");
    const auto doubled = OCCA_FUNCTION(pointers, [=](const int i) -> void { const_cast<float *>(host)[i] *= 2; });
    CHECK(doubled.argumentCount() == 1);
    // It is a function of the host's, too.
    called = 0;
    const auto plus = OCCA_FUNCTION([](const int &a, const int &b) -> int { return ++called, a + b; });
    CHECK(plus(2, 3) == 5 && called == 1 && plus.getReturnType() == occa::dtype::int_ && plus.getArgTypes().size() == 2);
    CHECK(plus.definition().getFunctionSource("f") == "int f(int a, int b) { return ++called, a + b; \n}\n");
    CHECK(plus.buildFunctionCall("f", {"1", "x"}) == "f(1, x)");
    CHECK(OCCA_FUNCTION(captured, [](const unsigned char *p, unsigned) -> bool { return p != nullptr; })
              .definition()
              .argumentSource == "const unsigned char * p, unsigned int occa_unused_1");
    // Braces of a scope, and parentheses around a lambda.
    const int three = 3;
    CHECK(read<int>(all.map(OCCA_FUNCTION({{"three", three}}, ([=](const int &v) -> int { return three * v; })))) ==
          std::vector<int>({9, 3, 6}));
    auto named = [](const int &v) -> int { return v; };
    FAILS(OCCA_FUNCTION(named), "takes a lambda as it is written, not [named]");
    // Names of the device's types.
    CHECK(read<float>(all.map(OCCA_FUNCTION([](const int &v) -> float {
              occa::float2 p;
              ::occa::int2 q;
              q.x = 4, p.x = (float) v, p.y = (float) q.x;
              return p.x * p.y;
          }))) == std::vector<float>({12, 4, 8}));
}

static void scopes(occa::device device) {
    occa::array<int> values(4);
    const occa::memory constant = values.memory();
    occa::scope scope({{"n", 4}, {"values", values}, {"x", 1.5}}, {{"defines/SIZE", 4}});
    CHECK(scope.size() == 3 && scope.getCallSource() == "n, values, x");
    CHECK(scope.getDeclarationSource() == "const int n, int *values, const double x");
    CHECK(scope.device == values.getDevice() && scope.getDevice() == values.getDevice());
    scope.add("x", 2.5f);
    scope.add("c", static_cast<unsigned char>(7));
    const unsigned long wide = 1;
    scope.add("wide", wide);
    CHECK(scope.getDeclarationSource() ==
          "const int n, int *values, const float x, const unsigned char c, const unsigned long wide");
    CHECK((scope + occa::scope({{"z", 1}})).size() == 6 && scope.size() == 5);
    CHECK(occa::hash(scope) != occa::hash(scope + occa::scope({{"z", 1}})));
    CHECK(occa::scope({{"n", 1}}).hash() == occa::scope({{"n", 2}}).hash());
    FAILS(scope.getArg("nobody"), "[nobody]");
    occa::device other(device.properties());
    const occa::memory there = other.malloc<int>(1);
    FAILS(scope.add("there", there), "[there] is memory of another device");

    // A struct that the kernel declares.
    OCCA_JIT(scope, (
        for (int i = 0; i < n; ++i; @tile(SIZE, @outer, @inner)) {
            values[i] = i + (int) (2 * x), values[i] += c;
        }
    ));
    CHECK(read<int>(values) == std::vector<int>({12, 13, 14, 15}));
    // Other values, other types: one place in the text.
    for (int i = 0; i < 3; ++i) {
        occa::scope loop({{"values", values}});
        if (i == 2) loop.add("x", 0.25);
        else loop.add("x", i);
        OCCA_JIT(loop, (for (int k = 0; k < 4; ++k; @tile(4, @outer, @inner)) { values[k] = (int) (8 * x) + k; }));
        CHECK(values[3] == (i == 0 ? 3 : i == 1 ? 11 : 5));
    }
    occa::kernelBuilder builder("(for (int i = 0; i < n; ++i; @tile(8, @outer, @inner)) { values[i] = i; /* ) */ })", "fill");
    CHECK(builder.isInitialized() && builder.getKernelName() == "fill");
    const occa::scope captured({{"n", 2}, {"values", values}});
    builder.run(captured);
    CHECK(values[0] == 0 && values[1] == 1 && values[2] == 4);
    CHECK(builder.getOrBuildKernel(captured) == builder.getOrBuildKernel(occa::scope({{"n", 3}, {"values", values}})));
    CHECK(builder.getOrBuildKernel(captured).name() == "fill");
    builder.free();
    builder.run(captured);
    FAILS(builder.run(), "fill");
    // A kernel takes an array as memory.
    occa::kernel add = device.buildKernelFromString(
        "@kernel void add(const int n, int *a) { for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) { a[i] += 1; } }",
        "add");
    add(4, values);
    CHECK(values[1] == 2);
    // A function of a lambda's text, by its name in a kernel.
    const int offset = 100;
    const auto fn = OCCA_FUNCTION(occa::scope({{"offset", offset}}), [=](const int &v) -> int { return v + offset; });
    occa::kernel calls = device.buildKernelFromString(
        "@kernel void k(const int n, int *a) { for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) { a[i] = f(a[i], 50); } }",
        "k", {{"functions/f", fn}});
    calls(4, values);
    CHECK(values[1] == 52);
    FAILS(device.buildKernelFromString("@kernel void k(int *a) {}", "k", {{"functions/f", 5}}), "functions");
}

// The index of an outer loop's text is one, two or three numbers.
static void loops(occa::device device) {
    const int n = 5, m = 3;
    const std::vector<int> order = {4, 0, 3, 1, 2};
    const occa::array<int> indices = array_of(order);
    occa::array<int> out(n * n * n * m * m * m);
    const occa::scope scope({{"out", out}}, {{"defines/n", n}, {"defines/m", m}});
    const auto counts = [&](int outer, int inner) {
        // Each number once: its own place, and -1 behind.
        int all = 1;
        for (int i = 0; i < outer; ++i) all *= n;
        for (int i = 0; i < inner; ++i) all *= m;
        const std::vector<int> seen = read<int>(out);
        bool good = true;
        for (int i = 0; i < static_cast<int>(seen.size()); ++i) {
            good = good && seen[static_cast<std::size_t>(i)] == (i < all ? i * 2 + 1 : -1);
        }
        out.fill(-1);
        return good;
    };
    out.fill(-1);
    const occa::range back(n - 1, -1);
    occa::forLoop loop;
    loop.outer(n).inner(m).run(OCCA_FUNCTION(scope, [=](const int o, const int i) -> void {
        const int at = o * m + i;
        out[at] = at * 2 + 1;
    }));
    CHECK(counts(1, 1));
    loop.outer(back).inner(m, m).run(OCCA_FUNCTION(scope, [=](const int o, const int2 i) -> void {
        const int at = (o * m + i.x) * m + i.y;
        out[at] = at * 2 + 1;
    }));
    CHECK(counts(1, 2));
    loop.outer(indices).inner(m, occa::range(m - 1, -1), m).run(OCCA_FUNCTION(scope, [=](const int o, const int3 i) -> void {
        const int at = ((o * m + i.x) * m + i.y) * m + i.z;
        out[at] = at * 2 + 1;
    }));
    CHECK(counts(1, 3));
    loop.outer(indices, back).inner(m).run(OCCA_FUNCTION(scope, [=](const int2 o, const int i) -> void {
        const int at = (o.x * n + o.y) * m + i;
        out[at] = at * 2 + 1;
    }));
    CHECK(counts(2, 1));
    loop.outer(n, n).inner(m, m).run(OCCA_FUNCTION(scope, [=](const int2 o, const int2 i) -> void {
        const int at = ((o.x * n + o.y) * m + i.x) * m + i.y;
        out[at] = at * 2 + 1;
    }));
    CHECK(counts(2, 2));
    loop.outer(n, back).inner(m, m, m).run(OCCA_FUNCTION(scope, [=](const int2 o, const int3 i) -> void {
        const int at = (((o.x * n + o.y) * m + i.x) * m + i.y) * m + i.z;
        out[at] = at * 2 + 1;
    }));
    CHECK(counts(2, 3));
    loop.outer(n, indices, back).inner(m).run(OCCA_FUNCTION(scope, [=](const int3 o, const int i) -> void {
        const int at = ((o.x * n + o.y) * n + o.z) * m + i;
        out[at] = at * 2 + 1;
    }));
    CHECK(counts(3, 1));
    loop.outer(n, n, n).inner(m, m).run(OCCA_FUNCTION(scope, [=](const int3 o, const int2 i) -> void {
        const int at = (((o.x * n + o.y) * n + o.z) * m + i.x) * m + i.y;
        out[at] = at * 2 + 1;
    }));
    CHECK(counts(3, 2));
    loop.outer(n, n, n).inner(m, m, m).run(OCCA_FUNCTION(scope, [=](const int3 o, const int3 i) -> void {
        const int at = ((((o.x * n + o.y) * n + o.z) * m + i.x) * m + i.y) * m + i.z;
        out[at] = at * 2 + 1;
    }));
    CHECK(counts(3, 3));
    // Tiles that divide the lengths, that do not, and that are longer than they are.
    for (const int tile : {1, 2, 4, 5, 8}) {
        loop.tile({n, tile}).run(OCCA_FUNCTION(scope, [=](const int i) -> void { out[i] = i * 2 + 1; }));
        CHECK(counts(1, 0));
        loop.tile({back, tile}, {indices, 3}).run(OCCA_FUNCTION(scope, [=](const int2 i) -> void {
            const int at = i.x * n + i.y;
            out[at] = at * 2 + 1;
        }));
        CHECK(counts(2, 0));
        loop.tile({indices, 2}, {n, tile}, {back, 4}).run(OCCA_FUNCTION(scope, [=](const int3 i) -> void {
            const int at = (i.x * n + i.y) * n + i.z;
            out[at] = at * 2 + 1;
        }));
        CHECK(counts(3, 0));
    }
    // The function has the inner loops: what is shared is there before it is read.
    loop.outer(n).run(OCCA_FUNCTION(scope, [=](const int o) -> void {
        OKL("@shared"); int shared[3];
        OKL("@inner");
        for (int i = 0; i < 3; ++i) { shared[i] = o * m + i; }
        OKL("@inner"); for (int i = 0; i < 3; ++i) {
            const int at = shared[2 - i];
            out[at] = at * 2 + 1;
        }
    }));
    CHECK(counts(1, 1));
    // A return ends one iteration.
    loop.tile({n, 4}).run(OCCA_FUNCTION(scope, [=](const int i) -> void {
        if (i == 2) return;
        out[i] = i * 2 + 1;
    }));
    CHECK(out[1] == 3 && out[2] == -1 && out[3] == 7);
    // Nothing at all is run for no iterations.
    out.fill(-1);
    loop.outer(0).inner(m).run(OCCA_FUNCTION(scope, [=](const int, const int) -> void { out[0] = 1; }));
    loop.outer(n, 0).inner(m).run(OCCA_FUNCTION(scope, [=](const int2, const int) -> void { out[0] = 1; }));
    loop.outer(n).inner(occa::range(3, 1, 1)).run(OCCA_FUNCTION(scope, [=](const int, const int) -> void { out[0] = 1; }));
    loop.tile({0, 4}).run(OCCA_FUNCTION(scope, [=](const int) -> void { out[0] = 1; }));
    loop.outer(occa::array<int>()).inner(1).run(OCCA_FUNCTION(scope, [=](const int, const int) -> void { out[0] = 1; }));
    CHECK(out[0] == -1);
    FAILS(loop.tile({n, 0}), "occa::forLoop::tile");
    // Of a scope beside the function, on a device that is not the current one.
    occa::device other(device.properties());
    occa::array<int> there(other, n);
    const auto mark = OCCA_FUNCTION([=](const int o, const int) -> void { there[o] = o; });
    occa::forLoop(other).outer(n).inner(1).run(occa::scope({{"there", there}}), mark);
    CHECK(read<int>(there) == std::vector<int>({0, 1, 2, 3, 4}));
    FAILS(occa::forLoop(device).outer(1).inner(1).run(occa::scope({{"there", there}}), mark),
          "occa::forLoop: what is captured is on another device");
    // Errors of the text are the compiler's.
    FAILS(loop.outer(1).inner(1).run(OCCA_FUNCTION([=](const int o, const int i) -> void { there[o] = i; })), "there");
}

static void threads(occa::device device) {
    std::vector<std::thread> all;
    std::vector<int> good(8, 0);
    for (int t = 0; t < 8; ++t) {
        all.emplace_back([t, device, &good] {
            occa::setDevice(device);
            const int n = 1000 + t;
            occa::array<int> values(n);
            for (int round = 0; round < 5; ++round) {
                const occa::scope captured({{"t", t}, {"round", round}});
                values = occa::range(n).map<int>(OCCA_FUNCTION(captured, [=](const int i) -> int { return i * (t + round); }));
                const occa::scope jit({{"n", n}, {"values", values}});
                OCCA_JIT(jit, (for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) { values[i] += 1; }));
                const int expected = (n - 1) * (t + round) + 1;
                if (values.max() == expected && values[1] == t + round + 1) ++good[static_cast<std::size_t>(t)];
            }
        });
    }
    for (std::thread &thread : all) thread.join();
    CHECK(good == std::vector<int>(8, 5));
}

#include "occa_kept.h"

// Streams of others, and what a kernel would be made of.
static void devices(occa::device device) {
    occa::json props;
    occa::hash_t first, second;
    device.setupKernelInfo({{"defines/A", 1}}, occa::hash("text"), props, first);
    device.setupKernelInfo({{"defines/A", 2}}, occa::hash("text"), props, second);
    CHECK(props["defines/A"] == occa::json(2) && first != second);
}

static void names() {
    CHECK(occa::typeinfo<int>::id == "i32" && occa::typeinfo<unsigned char>::name == "uint8");
    CHECK(occa::typeinfo<occa::float4>::id == "vf4" && occa::typeinfo<occa::uint2>::isUnsigned);
    CHECK(occa::primitiveinfo<unsigned long>::id == "ul" && !occa::primitiveinfo<char>::isUnsigned);
    CHECK(occa::typeMetadata<float *>::isPointer && !occa::typeMetadata<float>::isPointer);
    const occa::float3 x(1, 0, 0), y(0, 1, 0), z = occa::cross(x, y);
    CHECK(z.x == 0 && z.y == 0 && z.z == -1);
    const occa::int2 between = occa::clamp(occa::int2(0, 9), 1, 3);
    CHECK(occa::clamp(5, 1, 3) == 3 && between.x == 1 && between.y == 3);
    CHECK(occa::length(occa::int2(3, 4)) == 5 && occa::dot(occa::float2(0.5f, 2), occa::float2(4, 1)) == 4);
    CHECK(occa::normalize(occa::float2(3, 4)).x == 0.6f);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    const bool opencl = std::strcmp(argv[1], "opencl") == 0;
    std::vector<std::string> modes = {"{mode: 'Serial'}", "{mode: 'OpenMP'}"};
    if (opencl) modes = {"{mode: 'OpenCL', platform_id: 0, device_id: 0}"};
    if (std::strcmp(argv[1], "cuda") == 0) modes = {"{mode: 'CUDA', device_id: 0}"};
    for (const std::string &mode : modes) {
        occa::setDevice(mode);
        occa::device device = occa::getDevice();
        try {
            reductions();
            types();
            maps();
            empty_ones();
            ranges();
            lambdas();
            scopes(device);
            loops(device);
            threads(device);
            kept(device);
            kept_by_threads(device);
            names();
            devices(device);
        } catch (const std::exception &error) {
            std::printf("%s: %s\n", mode.c_str(), error.what());
            ++failures;
        }
    }
    if (failures == 0) std::printf("all is as it should be\n");
    return failures == 0 ? 0 : 1;
}
