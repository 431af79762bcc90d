//! What programs for AMD's and for Stanford's compiler take for granted.

use super::{brook, expect, program};
use std::path::Path;

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    std::fs::write(folder.join(name), text).map_err(|e| format!("{name}: {e}"))
}

/// Builds files of a folder, and runs the program on the processor.
fn build_and_run(folder: &Path, arguments: &[&str], output: &str) -> Result<(), String> {
    let mut all = vec!["build", "-o", "program"];
    all.extend(arguments);
    expect(&brook(folder, &all)?, 0, "")?;
    let made = program(&folder.join("program"), &[("BROOK_DEVICE", "openmp")])?;
    expect(&made, 0, output)
}

/// Headers lie where makefiles of old put them, and bring along what AMD's and BrookGPU's brought.
pub(super) fn generated_headers(folder: &Path) -> Result<(), String> {
    let kernel = "kernel void %(float a<>, out float b<>) { b = 2.0f * a; }\n";
    write(folder, "twice.br", &kernel.replace('%', "twice"))?;
    write(folder, "again.br", &kernel.replace('%', "again"))?;
    let main = r#"
        #include "brookgenfiles/twice.h"
        #include "built/again.hpp"
        int main() {
            unsigned int n = 2;
            Stream<float> a(1, &n), b(1, &n);
            float data[] = {static_cast<float>(SHRT_MAX), static_cast<float>(fabs(-1.5))};
            assert(strlen("x") == 1 && FLT_MAX > 0);
            a.read(data);
            twice(a, b);
            again(b, a);
            a.write(data);
            std::cout << data[0] << ' ' << data[1] << std::endl;
            return b.error();
        }"#;
    write(folder, "main.cpp", main)?;
    let files = ["main.cpp", "twice.br", "again.br"];
    build_and_run(folder, &files, "131068 6\n")
}

/// BrookGPU's makefiles sent `.bri` files through the preprocessor: macros write kernels and host code alike.
pub(super) fn bri_files(folder: &Path) -> Result<(), String> {
    let prototype = "#ifndef ADD_BRH\n#define ADD_BRH\n\
        typedef struct pair_t { float x, y; } Pair;\n\
        kernel void add1(Pair a<>, out Pair b<>);\n#endif\n";
    write(folder, "add.brh", prototype)?;
    let kernels = r#"
        #include "add.brh"
        #define ADD(n) kernel void add##n(Pair a<>, out Pair b<>) { b.x = a.x + n##.0f; b.y = a.y - n##.0f; }
        ADD(1)
        ADD(2)
        void three(Pair *data, int n) {
            Pair a<n>, b<n>;
            streamRead(a, data);
            add1(a, b);
            add2(b, a);
            streamWrite(a, data);
        }"#;
    write(folder, "add.bri", kernels)?;
    let main = r#"
        #include "built/add.hpp"
        #include <stdio.h>
        int main() {
            Pair data[2] = {{1, 2}, {3, 4}};
            three(data, 2);
            printf("%g %g %g %g\n", data[0].x, data[0].y, data[1].x, data[1].y);
            return 0;
        }"#;
    write(folder, "main.cpp", main)?;
    let files = ["--dialect", "brookgpu", "main.cpp", "add.bri"];
    build_and_run(folder, &files, "4 -1 6 1\n")
}

/// Kernels may have names that functions of the C library have, too: those are called where no stream is passed.
pub(super) fn names_of_c_functions(folder: &Path) -> Result<(), String> {
    let kernels = r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <math.h>
        kernel void div(float a<>, float b<>, out float c<>) { c = a / b; }
        kernel void round(float a<>, out float b<>) { b = floor(a + 0.5f); }
        kernel void index(float a[], out float b<>) { b = a[indexof(b).x] + 1.0f; }
        reduce void read(float a<>, reduce float sum<>) { sum += a; }
        float here() {
            float a<4>, b<4>, c<4>;
            float data[4] = {1, 2, 3, 4.5f}, sum = 0;
            div_t parts = div(7, 2);
            streamRead(a, data);
            index.domainOffset(uint4(2, 0, 0, 0));
            index.domainSize(uint4(2, 1, 1, 1));
            index(a, b);
            div(a, a, c);
            read(c, sum);
            streamWrite(b, data);
            return sum + data[3] + parts.quot + (float) round(0.75);
        }"#;
    write(folder, "kernels.br", kernels)?;
    let main = r#"
        #include "kernels.h"
        int main() {
            Stream<float> a(1, {3}), b(1, {3}), c(1, {3});
            float data[3] = {1.25f, 2.5f, 3.75f};
            a.read(data);
            div(a, a, b);
            round(a, c);
            c.write(data);
            float sum;
            read(b, sum);
            printf("%g %g %g %g, %d, %g, %s\n", data[0], data[1], data[2], sum, div(9, 4).rem, here(),
                   index("a name", ' '));
            return 0;
        }"#;
    write(folder, "main.cpp", main)?;
    let output = "1 3 4 3, 1, 13.5,  name\n";
    build_and_run(folder, &["main.cpp", "kernels.br"], output)?;
    build_and_run(
        folder,
        &["--dialect", "brookgpu", "main.cpp", "kernels.br"],
        output,
    )
}

/// C++ declares BrookGPU's kernels as the functions that Stanford's compiler made of them.
pub(super) fn functions_for_cpp(folder: &Path) -> Result<(), String> {
    let kernels = r#"
        typedef struct pair_t { float x, y; } Pair;
        kernel void scale(float4 a<>, float4 by, float plus, out float4 b<>) { b = a * by + plus; }
        kernel void swap(Pair a<>, Pair plus, out Pair b<>) { b.x = a.y + plus.x; b.y = a.x + plus.y; }
        kernel void pick(float a[][], float2 i<>, out float b<>) { b = a[i]; }
        reduce void largest(float a<>, reduce float b<>) { b = max(a, b); }
        kernel void positive(float a<>, vout float b<>) { if (a > 0) { b = a; push(b); } }
        kernel void sum(float a<>, float b<>, out float c<>) { c = a + b; }
        int count(float s<>) {
            float t<1>;
            float sums<2>;
            float one<2>, ones[2] = {1, 1}, values[2];
            positive(s, t);
            streamRead(one, ones);
            streamRead(sums, ones);
            streamScatterOp(one, one, sums, sum);
            streamWrite(sums, values);
            return (int) streamSize(t).x * 100 + (int) values[1];
        }"#;
    write(folder, "kernels.br", kernels)?;
    let main = r#"
        #include <brook/brt.hpp>
        struct pair_t { float x, y; };
        typedef pair_t Pair;
        extern void scale(::brook::stream a, float4 by, const float plus, ::brook::stream b);
        extern void swap(::brook::stream a, Pair plus, ::brook::stream b);
        extern void pick(::brook::stream, ::brook::stream, ::brook::stream);
        extern void largest(::brook::stream a, float &b);
        extern void largest(::brook::stream a, ::brook::stream b);
        extern void positive(::brook::stream a, ::brook::stream &b);
        extern int count(::brook::stream &s);
        using namespace brook;
        static float4 many[2][3];
        int main() {
            stream a = stream::create<float4>(2, 3), b = stream::create<float4>(2, 3);
            for (int i = 0; i < 6; ++i) many[i / 3][i % 3] = float4(i, i, i, -i);
            streamRead(a, many);
            scale(a, float4(1, 2, 3, 4), 0.5f, b);
            streamWrite(b, many);
            printf("%g %g %g %g\n", many[1][2].x, many[1][2].y, many[1][2].z, many[1][2].w);
            const StreamType *types = getStreamType((Pair *) 0);
            stream p(types, 1, -1), q(types, 1, -1);
            Pair pair = {1, 2}, plus = {10, 20};
            p.read(&pair);
            swap(p, plus, q);
            q.write(&pair);
            printf("%g %g\n", pair.x, pair.y);
            stream f = stream::create<float>(2, 2), g = stream::create<float>(1), i = stream::create<float2>(1);
            float four[4] = {-1, 7, 3, -4}, found = 0, most = 0;
            float2 at(0, 1);
            f.read(four);
            i.read(&at);
            pick(f, i, g);
            g.write(&found);
            largest(f, most);
            stream out = stream::create<float>(1), line = stream::create<float>(4);
            line.read(four);
            positive(line, out);
            printf("%g %g %d %d\n", found, most, (int) streamSize(out).x, count(line));
            return 0;
        }"#;
    write(folder, "main.cpp", main)?;
    let output = "5.5 10.5 15.5 -19.5\n12 21\n3 7 2 203\n";
    build_and_run(
        folder,
        &["--dialect", "brookgpu", "main.cpp", "kernels.br"],
        output,
    )
}

/// Values as references to constants, as later versions of that compiler made them; iterators as variables; types of
/// fixed point under the name of everybody's header.
pub(super) fn references_and_iterators(folder: &Path) -> Result<(), String> {
    let kernels = r#"
        kernel float2 moved(float2 a, float by) { return a + by; }
        kernel void move(float2 a<>, float2 by, float plus, out float2 b<>) { b = moved(a + by, plus); }
        kernel void pale(fixed4 a<>, fixed4 by, out fixed4 b<>) { b = a + by; }
        reduce void total(float2 a<>, float by, reduce float2 b<>) { b += a * by; }
        namespace apart {
        kernel void twice(float a<>, float by, out float b<>) { b = a * by; }
        }
        // Calls beside both forms mean one of them.
        float here(float s<>) {
            float t<2>;
            float values[2];
            float2 a<1>;
            float by = 3;
            move(a, float2(1, 2), by, a);
            apart::twice(s, 5, t);
            streamWrite(t, values);
            return values[1];
        } // The end"#;
    write(folder, "kernels.br", kernels)?;
    let main = r#"
        #include <brook/brook.hpp>
        extern void move(::brook::stream a, const float2 &by, const float &plus, ::brook::stream b);
        extern void pale(::brook::stream a, const fixed4 &by, ::brook::stream b);
        extern void total(::brook::stream a, const float &by, float2 &b);
        extern float here(::brook::stream &s);
        using namespace brook;
        int main() {
            iter places(__BRTFLOAT2, 2, 4, -1, 1.0f, 10.0f, -1, -10.0, -1);
            const iter line(brook::__BRTFLOAT, 2, -1, 0.0f, 8.0f, -1);
            stream moved = stream::create<float2>(2, 4), values = line;
            float2 all[2][4], sum;
            streamPrint(places);
            move(places, float2(1, 2), 0.5f, moved);
            streamWrite(moved, all);
            printf("%g %g\n", all[1][3].x, all[1][3].y);
            total(moved, 0.5f, sum);
            printf("%g %g\n", sum.x, sum.y);
            printf("%g\n", here(values));
            stream colours = stream::create<fixed4>(1);
            fixed4 colour((unsigned char)1, (unsigned char)2, (unsigned char)3, (unsigned char)4);
            streamRead(colours, &colour);
            pale(colours, fixed4((unsigned char)10, (unsigned char)20, (unsigned char)255, (unsigned char)0), colours);
            streamWrite(colours, &colour);
            printf("%d %d %d %d\n", colour.x, colour.y, colour.z, colour.w);
            iter wrong(__BRTINT, 2, -1, 0.0f, 8.0f, -1);
            printf("%s\n", wrong.error() == BR_NO_ERROR ? "taken" : "refused");
            return 0;
        }"#;
    write(folder, "main.cpp", main)?;
    let output = "{1.00, 10.00}{0.50, 10.00}{0.00, 10.00}{-0.50, 10.00}\n\
                  {1.00, 0.00}{0.50, 0.00}{0.00, 0.00}{-0.50, 0.00}\n\
                  1 2.5\n7 30\n20\n11 22 255 4\nrefused\n";
    build_and_run(
        folder,
        &["--dialect", "brookgpu", "main.cpp", "kernels.br"],
        output,
    )
}

/// What BrookGPU's programs ask its library for.
pub(super) fn host_interface(folder: &Path) -> Result<(), String> {
    write(
        folder,
        "kernel.br",
        "kernel void twice(float a<>, out float b<>) { b = a * 2; }\n",
    )?;
    let main = r#"
        #include <brook/brook.hpp>
        #include <vector>
        extern void twice(::brook::stream, ::brook::stream);
        struct Own { float4 a; int b; };
        namespace brook {
        template <> const StreamType *getStreamType(Own *) {
            static const StreamType types[] = {__BRTFLOAT4, __BRTINT, __BRTNONE};
            return types;
        }
        }
        static brook::stream none;
        static void shape(const brook::StreamInterface *s, const brook::StreamInterface *t = none) {
            printf("%u: %u %u, %u of %u", s->getDimension(), s->getExtents()[0], s->getExtents()[1],
                   s->getTotalSize(), s->getElementSize());
            if (t != (brook::StreamInterface *) none) printf("; %u", t->getTotalSize());
            printf("\n");
        }
        BRTALIGNED static float4 aligned[2];
        int main() {
            for (const char **name = brook::runtimeTargets(); *name; ++name) brook::initialize(*name, NULL);
            brook::initialize("no such thing");
            brook::initialize("cpu");
            {
                brook::stream s = brook::stream::create<float>(2, 3), t = s;
                float values[6] = {0, 1, 2, 3, 4, 5};
                s->Read(values);
                brook::stream u = brook::stream::create<float>(2, 3);
                twice(t, u);
                brook::finish();
                shape(s);
                shape(s.domain(int2(1, 0), int2(3, 1)), s);
                brook::stream *own = new brook::stream(brook::getStreamType((Own *) 0), 4, 2, -1);
                shape(*own);
                delete own;
                streamPrint(*brook::sentinelStream(2), true);
                printf("\n%d\n", s->getIndexedFieldType(0) == brook::__BRTFLOAT && s->getFieldCount() == 1);
            }
            brook::int64 start = brook::microseconds();
            int *zeros = (int *) brcalloc(5, sizeof(int));
            zeros[4] += 3;
            zeros = (int *) brrealloc(zeros, 500 * sizeof(int));
            std::vector<float4, brallocator<float4> > list(3, float4(1, 2, 3, 4));
            printf("%d %d %d %d\n", zeros[4] + zeros[0], (int) ((size_t) zeros % 32), (int) ((size_t) &list[0] % 16),
                   (int) ((size_t) aligned % 16));
            brfree(zeros);
            float zero = 0;
            printf("%g %g %g %d\n", isinf_float(1 / zero), isnan_float(zero / zero), finite_float(1 / zero),
                   brook::microseconds() >= start && brmicroseconds() >= start);
            brook::finalize();
            return brruntimes()[0] == 0;
        }"#;
    write(folder, "main.cpp", main)?;
    let output = "2: 2 3, 6 of 4\n2: 1 2, 2 of 4; 6\n2: 4 2, 8 of 20\ninf \n1\n3 0 0 0\n1 1 0 1\n";
    build_and_run(
        folder,
        &["--dialect", "brookgpu", "main.cpp", "kernel.br"],
        output,
    )
}
