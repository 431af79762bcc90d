use super::{Dialect, normalize};

#[track_caller]
fn check(dialect: Dialect, text: &str, expected: &str) {
    let (normal, _) = normalize(text, dialect);
    assert_eq!(normal, expected);
    assert_eq!(
        normalize(&normal, dialect).0,
        expected,
        "normal form must be a fixed point"
    );
}

#[test]
fn okl_positions() {
    let check = |text, expected| check(Dialect::Okl, text, expected);
    check(
        "@kernel void f(int n) {",
        "[[okl_kernel(\"\")]] void f(int n) {",
    );
    check(
        "@ outer(1) for (;;) {}",
        "[[okl_outer(\"(1)\")]] for (;;) {}",
    );
    check(
        "for (int i = 0; i < n; ++i; @tile(B, @outer, @inner)) {}",
        "[[okl_tile(\"(B, @outer, @inner)\")]] for (int i = 0; i < n; ++i) {}",
    );
    check(
        "for (int i = 0; i < f(a; b); ++i; @outer; @simd_length(8)) x;",
        "[[okl_outer(\"\")]] [[okl_simd_length(\"(8)\")]] for (int i = 0; i < f(a; b); ++i) x;",
    );
    check(
        "@barrier(\"local\");",
        "[[okl_barrier(\"(\\\"local\\\")\")]];",
    );
    check("int *m @dim(3, 4)", "int *m [[okl_dim(\"(3, 4)\")]]");
    check("@atomic (*p) += 1;", "[[okl_atomic(\"\")]] (*p) += 1;");
    check("\"@outer\" '@' // @outer", "\"@outer\" '@' // @outer");
}

#[test]
fn okl_restrict_moves_before_the_declaration() {
    let check = |text, expected| check(Dialect::Okl, text, expected);
    check(
        "void f(const float * @restrict a, int n)",
        "void f([[okl_restrict(\"1\")]] const float * a, int n)",
    );
    check(
        "f(@restrict float *a)",
        "f([[okl_restrict(\"\")]] float *a)",
    );
    check(
        "#define P const float * @ restrict\nx",
        "#define P [[okl_restrict(\"1\")]] const float * \nx",
    );
    check(
        "#define P(a) T * @restrict a",
        "#define P(a) [[okl_restrict(\"1\")]] T * a",
    );
    check(
        "typedef float* @restrict r;",
        "typedef float* r [[okl_restrict(\"1\")]];",
    );
    check(
        "{ vec<int, 3> * @restrict a;",
        "{ [[okl_restrict(\"1\")]] vec<int, 3> * a;",
    );
}

#[test]
fn okl_words_split_between_lines() {
    let check = |text, expected| check(Dialect::Okl, text, expected);
    check("@ker\\\nnel void f();", "[[okl_kernel(\"\")]] void f();");
    check(
        "fo\\\r\nr (;;; @til\\\r\ne(1\\\r\n6, @outer));",
        "[[okl_tile(\"(16, @outer)\")]] fo\\\r\nr (;;);",
    );
}

#[test]
fn okl_lines() {
    let check = |text, expected| check(Dialect::Okl, text, expected);
    check(
        "a;\n  @directive(\"#pragma omp x\")\nb;",
        "a;\n  #pragma omp x\nb;",
    );
    check(
        "a; @directive(\"#if N > \\\"4\\\"\"); b;",
        "a; \n#if N > \"4\"\n b;",
    );
    check(
        "[[okl_directive(\"(\\\"#pragma x\\\")\")]] a;",
        "#pragma x\n a;",
    );
    check(
        "#define P @directive(\"#pragma unroll\") for",
        "#define P _Pragma(\"unroll\") for",
    );
    check(
        "#define P @directive(\"#else\")",
        "#define P [[okl_directive(\"(\\\"#else\\\")\")]]",
    );
    check(
        "OKL(\"@shared\"); int a[2];",
        "[[okl_shared(\"\")]] int a[2];",
    );
    check(
        "OKL(\"@tile(4, @outer)\");\nfor (;;) {}",
        "[[okl_tile(\"(4, @outer)\")]]\nfor (;;) {}",
    );
    check(
        "OKL(\"@barrier(\\\"warp\\\")\");",
        "[[okl_barrier(\"(\\\"warp\\\")\")]];",
    );
    check("OKL(\"#endif\");", "#endif");
    check("#define OKL(x)\nOKL(y);", "#define OKL(x)\nOKL(y);");
}

#[test]
fn okl_memory_stands_before_the_type() {
    let check = |text, expected| check(Dialect::Okl, text, expected);
    check(
        "struct s { const T * @globalPtr p; };",
        "struct s { [[okl_globalPtr(\"\")]] const T * p; };",
    );
    check(
        "f(const @ global T *p)",
        "f([[okl_global(\"\")]] const T *p)",
    );
    check(
        "{ @globalPtr T *p @dim(2);",
        "{ [[okl_globalPtr(\"\")]] T *p [[okl_dim(\"(2)\")]];",
    );
}

#[test]
fn okl_in_macros() {
    check(
        Dialect::Okl,
        "#define LOOP(N) for (int i = 0; i < N; ++i; \\\n @tile(N, @outer))\n",
        "#define LOOP(N) [[okl_tile(\"(N, @outer)\")]] for (int i = 0; i < N; ++i)\n",
    );
}

#[test]
fn brook_kernels() {
    let check = |text, expected| check(Dialect::Brook, text, expected);
    check(
        "kernel void sum (float a<>, float b<>, out float c<>)\n{ c = a < b; }",
        "[[brook_kernel(\"\")]] void sum (float a [[brook_stream(\"<>\")]], float b [[brook_stream(\"<>\")]], [[brook_out(\"\")]] float c [[brook_stream(\"<>\")]])\n{ c = a < b; }",
    );
    check(
        "void reduce s(double a<>, reduce double b) { b += a; }",
        "[[brook_reduce(\"\")]] void s(double a [[brook_stream(\"<>\")]], [[brook_reduce(\"\")]] double b) { b += a; }",
    );
    check(
        "Attribute[GroupSize(64, 1)]\nkernel static void f(float a[][], out float c[]) { shared float4 l[64]; x = indexof c; }",
        "[[brook_attribute(\"GroupSize(64, 1)\")]]\n[[brook_kernel(\"\")]] static void f(float a[][], [[brook_out(\"\")]] float c[]) { [[brook_shared(\"\")]] float4 l[64]; x = indexof(c); }",
    );
    check("int kernel = 3; f(kernel);", "int kernel = 3; f(kernel);");
}

#[test]
fn brook_streams() {
    let check = |text, expected| check(Dialect::Brook, text, expected);
    check("float a<10, n>;", "float a [[brook_stream(\"<10, n>\")]];");
    check(
        "{ float a<10>, b<f(2)>; int i = a < b;",
        "{ float a [[brook_stream(\"<10>\")]], b [[brook_stream(\"<f(2)>\")]]; int i = a < b;",
    );
    check(
        "iter float s<100> = iter(0.0f, 1.0f);",
        "[[brook_iter(\"\")]] float s [[brook_stream(\"<100>\")]] = iter(0.0f, 1.0f);",
    );
    check(
        "return a < b; std::vector<float> v; const vector<int> w;",
        "return a < b; std::vector<float> v; const vector<int> w;",
    );
    check(
        "for (i = 0; i < n; i++) if (a > b) x;",
        "for (i = 0; i < n; i++) if (a > b) x;",
    );
}
