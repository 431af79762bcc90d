#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::cases_for_tests::{self, Case};
use crate::source::FileLoader;
use crate::{Options, Source, backend::Backend};

#[test]
fn bodies_keep_what_their_types_promise() {
    let (mut whole, mut all) = (0, 0);
    for case in cases_for_tests::okl() {
        let Case {
            name,
            module,
            program,
        } = case;
        if let Err(broken) = program.verify() {
            panic!("{name}: {broken:?}: {}", broken.span.of(&module.text));
        }
        all += program.bodies.len();
        whole += program
            .bodies
            .iter()
            .filter(|b| b.opaque().is_none())
            .count();
    }
    // What is modelled only grows.
    assert!(
        all > 900 && whole * 100 >= all * 89,
        "{whole} of {all} bodies"
    );
}

/// The body of the kernel or function of a name, as text.
fn body(source: &str, name: &str) -> String {
    let backend = Backend::built_in("openmp").unwrap();
    let source = Source::new("a.okl", source);
    let options = Options::default();
    let made = crate::transpile::bodies(&source, &backend, &options, &FileLoader);
    let (_, program, _) = made.unwrap_or_else(|report| panic!("{report}"));
    program.verify().unwrap();
    let found = program.bodies.iter().find(|b| b.name == name).unwrap();
    program.print(found)
}

/// Statements in an item of a kernel with some parameters: what they become.
fn check(statements: &str, expected: &str) {
    let source = format!(
        "struct P {{ int a; float b[3]; }};\n\
         int twice(const int v) {{ return 2 * v; }}\n\
         int sum(const P p) {{ return p.a; }}\n\
         void swap(float &x, float &y) {{ const float t = x; x = y; y = t; }}\n\
         @kernel void k(const int n, float *f, char *c, P *p, const float4 *v, const unsigned u) {{\n\
         for (int g = 0; g < n; ++g; @outer) for (int i = 0; i < 8; ++i; @inner) {{ {statements} }} }}"
    );
    let all = body(&source, "k");
    let inside: Vec<&str> = all.lines().filter_map(|l| l.strip_prefix("    ")).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim_end).collect();
    assert_eq!(inside, expected, "{statements}");
}

#[test]
fn conversions_are_written_out() {
    check(
        "f[i] = c[i] + u;",
        "*(f +> long(i)) = float((unsigned int(*(c +> long(i))) + u))",
    );
    check("c[0] += 2.5;", "*(c +> long(0)) += 2.5 in double");
    check("c[i]++;", "*(c +> long(i)) += 1 in int before");
    check(
        "f[0] = i / 2 + 1.0f;",
        "*(f +> long(0)) = (float((i / 2)) + 1.0)",
    );
    check(
        "f[0] = -c[0] << u;",
        "*(f +> long(0)) = float((-int(*(c +> long(0))) << u))",
    );
    check(
        "if (i && f) f[1] = !i;",
        "if (bool(i) && bool(f))\n  *(f +> long(1)) = float(!bool(i))",
    );
    check(
        "f[0] = fabs(i) + sqrtf(2);",
        "*(f +> long(0)) = float((double.fabs(double(i)) + double(float.sqrt(float(2)))))",
    );
}

#[test]
fn places_are_ways_from_variables_and_pointers() {
    check("p[i].b[n] = p->a;", "*(p +> long(i)).1[n] = float(*p.0)");
    check(
        "float m[2][3]; m[1][i] = v[2].z;",
        "private float[3][2] m\nm[1][i] = *(v +> long(2)).[2]",
    );
    check(
        "P q = {1, {2.5f}}; q.b[1] = q.a;",
        "private P q = 0\nq.0 = 1\nq.1[0] = 2.5\nq.1[1] = float(q.0)",
    );
    check(
        "float *e = &f[3] - 1; *e = e - f;",
        "private float* e\ne = (&*(f +> long(3)) +> -long(1))\n*e = float((f -> e))",
    );
    check(
        "float &r = f[i]; r = 1;",
        "private float* r\nr = &*(f +> long(i))\n*r = float(1)",
    );
}

#[test]
fn calls_pass_what_parameters_want() {
    check(
        "f[0] = twice(c[i]);",
        "*(f +> long(0)) = float(twice(int(*(c +> long(i)))))",
    );
    check(
        "swap(f[0], f[i]);",
        "swap(&*(f +> long(0)), &*(f +> long(i)))",
    );
    check(
        "const float4 w = v[0] * 2; f[0] = w.x;",
        "private float4 w\nw = (*(v +> long(0)) * float4(float(2)))\n*(f +> long(0)) = w.[0]",
    );
}

#[test]
fn control_flow_keeps_its_order() {
    check(
        "for (int k = 0; k < 3; ++k) { if (k == i) continue; f[k] = 0; }",
        "loop\n  private int k\n  k = 0\n  while (k < 3)\n    if (k == i)\n      continue\n    *(f +> long(k)) = float(0)\n  step k += 1",
    );
    check(
        "switch (i) { case 1: f[0] = 1; break; default: f[1] = 2; }",
        "switch i\ncase 1\n  *(f +> long(0)) = float(1)\n  break\ncase default\n  *(f +> long(1)) = float(2)",
    );
    check(
        "do { f[0] *= 2; } while (f[0] < 9);",
        "do\n  while (*(f +> long(0)) < float(9))\n    *(f +> long(0)) *= float(2)",
    );
}

#[test]
fn loops_say_whose_iterations_they_are() {
    let source = "@kernel void k(const int n, float *f) {\n\
        for (int g = n; g > 0; g -= 2; @outer) {\n\
        @shared float s[4]; @exclusive int e; int w = g;\n\
        for (int i = 0; i < 4; ++i; @inner) { e = w; s[i] = e; }\n\
        for (int i = 0; i < 4; ++i; @inner) { @barrier; @atomic f[0] += s[3 - i]; } } }";
    let expected = "\
outer(0) g from n count (((long(n) - long(0)) + (long(2) - 1)) / long(2)) step -long(2)
  shared float[4] s
  exclusive int e
  group int w
  w = g
  inner(0) i from 0 count (((long(4) - long(0)) + (1 - 1)) / 1) step 1 wait
    e = w
    s[i] = float(e)
  inner(0) i from 0 count (((long(4) - long(0)) + (1 - 1)) / 1) step 1
    barrier group
    atomic *(f +> long(0)) += s[(3 - i)]
";
    assert_eq!(body(source, "k"), expected);
    let source = "@kernel void k(const int n, float *f) {\n\
        for (int i = 1; i <= n; ++i; @tile(16, @outer, @inner)) f[i] = n; }";
    let expected = "\
outer(0) i from long(1) count (((((long(n) - long(1)) + 1) / 1) + (long(16) - 1)) / long(16)) step (1 * long(16))
  inner(0) i from i count long(16) step 1 if (i <= long(n))
    private int i
    i = int(i)
    *(f +> long(i)) = float(n)
";
    assert_eq!(body(source, "k"), expected);
}

#[test]
fn what_is_not_modelled_is_named() {
    check(
        "struct Q { int q; Q(int v) : q(v) {} }; Q s(2); f[0] = 1;",
        "opaque: a constructor: 's(2)'\n*(f +> long(0)) = float(1)",
    );
    check(
        "f[0] = __vendors_own(u);",
        "opaque: a call of '__vendors_own'",
    );
}

#[test]
fn libraries_and_vendors_are_known() {
    check(
        "f[0] = __popc(n) + __clz(u);",
        "*(f +> long(0)) = float((int.ones(unsigned int(n)) + int.leading zeros(u)))",
    );
    check(
        "if (__builtin_expect(n > 2, 0)) f[i] = __ldg(f + 1) + __expf(n);",
        "if bool(long((n > 2)))\n  *(f +> long(i)) = (*(f +> long(1)) + float.exp(float(n)))",
    );
    check(
        "printf(\"%d\\n\", n); f[0] = INT_MAX + sizeof(float3);",
        "(&a string, (n, 0))\n*(f +> long(0)) = float((unsigned long(2147483647) + 16))",
    );
    check(
        "f[0] = okl_exp10f(i);",
        "*(f +> long(0)) = float.pow(10.0, float(i))",
    );
}

#[test]
fn types_may_have_names_and_be_asked_for() {
    check(
        "typedef float &place; place x = f[i]; using slot = float &; slot y = x; y = 1;",
        "private float* x\nx = &*(f +> long(i))\nprivate float* y\ny = &*x\n*y = float(1)",
    );
    check(
        "decltype(auto) x = f[i]; decltype(f[i]) y = x; y = 2;",
        "private float* x\nx = &*(f +> long(i))\nprivate float* y\ny = &*x\n*y = float(2)",
    );
    check(
        "decltype(n * 1.0) x = *(float *)c; auto *const w(&f[i]); *w = x;",
        "private double x\nx = double(*float*(c))\nprivate float* w = 0\nw = &*(f +> long(i))\n*w = float(x)",
    );
}

#[test]
fn templates_are_made_for_the_types_of_arguments() {
    let source = "template <class T> T square(const T x) { return x * x; }\n\
        template <class T, int N = 2> T sum(const T *p) { T s = N; return s + p[N]; }\n\
        template <class F> int twice(const F &f, const int x) { return f(f(x)); }\n\
        auto halve(const double x) { return x / 2; }\n\
        int kind(int) { return 1; } int kind(double) { return 2; } template <class T> int kind(T *) { return 3; }\n\
        @kernel void k(const int n, float *f) {\n\
        for (int g = 0; g < n; ++g; @outer) for (int i = 0; i < 8; ++i; @inner) {\n\
        f[0] = square(2.5f) + square<double>(i);\n\
        f[1] = sum<float, 3>(f) + sum(f);\n\
        f[2] = twice([&](int x) { return x + i; }, 3) + halve(3);\n\
        f[3] = kind(i) + kind(f[2]) + kind(f); } }";
    let all = body(source, "k");
    let inside: Vec<&str> = all.lines().filter_map(|l| l.strip_prefix("    ")).collect();
    let expected = [
        "*(f +> long(0)) = float((double(square(2.5)) + square(double(i))))",
        "*(f +> long(1)) = (sum(f) + sum(f))",
        "private a lambda %4",
        "*(f +> long(2)) = float((double(twice((%4 = a lambda{&i}, &%4), 3)) + halve(double(3))))",
        "*(f +> long(3)) = float(((kind(i) + kind(double(*(f +> long(2))))) + kind(f)))",
    ];
    assert_eq!(inside, expected);
    assert_eq!(body(source, "square"), "return (x * x)\n");
    let sum = "private float s\ns = float(3)\nreturn (s + *(p +> long(3)))\n";
    assert_eq!(body(source, "sum"), sum);
}

#[test]
fn lambdas_are_records_with_a_function() {
    let lambda = "auto add = [&](auto v) { f[i] += v; return v; }; f[1] = add(2);";
    check(
        lambda,
        "private a lambda add\nadd = a lambda{&f, &i}\n*(f +> long(1)) = float(a lambda(&add, 2))",
    );
}

#[test]
fn lists_are_written_where_they_are_computed() {
    check(
        "while (sum(P{i, {f[0]}}) < 3) f[0] += 1;",
        "private P %8 = 0\nloop\n  while (sum((%8.0 = i, (%8.1[0] = *(f +> long(0)), %8))) < 3)\n    *(f +> long(0)) += float(1)",
    );
    check(
        "f[0] = P().a;",
        "private P %8 = 0\n*(f +> long(0)) = float(%8.0)",
    );
    check(
        "f[0] = std::min(i, 7);",
        "*(f +> long(0)) = float(int.min(i, 7))",
    );
}

#[test]
fn conditions_and_ranges_declare() {
    check(
        "while (const int m = n / 2) f[m] = 1;",
        "loop\n  while true\n    private int m\n    m = (n / 2)\n    if bool(m)\n    else\n      break\n    *(f +> long(m)) = float(1)",
    );
    check(
        "switch (int m = n % 3; m) { case 1: f[m] = 1; }",
        "block\n  private int m\n  m = (n % 3)\n  switch m\n  case 1\n    *(f +> long(m)) = float(1)",
    );
    check(
        "auto &[a, b] = *p; a = 1;",
        "private int* a\na = &*p.0\nprivate float[3]* b\nb = &*p.1\n*a = 1",
    );
    check(
        "if (int m = i % 5) f[m] = 1;",
        "block\n  private int m\n  m = (i % 5)\n  if bool(m)\n    *(f +> long(m)) = float(1)",
    );
    check(
        "for (float &x : p->b) x = 1;",
        "loop\n  private long %8\n  %8 = 0\n  while (%8 < 3)\n    private float* x\n    x = &*p.1[%8]\n    *x = float(1)\n  step %8 += 1",
    );
}

#[test]
fn copies_of_arrays_that_could_be_seen_are_not_modelled() {
    let opaque = |statements: &str| {
        let source = format!(
            "@kernel void k(const int n, float *f) {{ for (int g = 0; g < n; ++g; @outer) {{ @shared float s[8];\n\
             for (int i = 0; i < 8; ++i; @inner) {{ {statements} }} }} }}"
        );
        body(&source, "k").contains("opaque: a lambda's copy of an array")
    };
    assert!(opaque(
        "int a[2] = {1, 2}; auto l = [=]() { return a[0]; }; a[0] = 3; f[i] = l();"
    ));
    assert!(opaque(
        "int a[2] = {1, 2}; auto l = [a]() mutable { return ++a[0]; }; f[i] = l() + l();"
    ));
    assert!(!opaque(
        "int a[2] = {1, 2}; auto l = [=]() { return a[i % 2]; }; f[i] = l();"
    ));
    assert!(!opaque(
        "int a[2] = {1, 2}; auto l = [&]() { return a[0]; }; a[0] = 3; f[i] = l();"
    ));
    assert!(!opaque(
        "auto l = [=]() { return s[i]; }; s[i] = 3; f[i] = l();"
    ));
}

#[test]
fn templates_end() {
    let bodies = |function: &str| {
        let source = format!(
            "template <int N> inline {function}\n@kernel void k(const int n, int *b) {{\n\
             for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) {{ b[i] = f<2>(i); }} }}"
        );
        let backend = Backend::built_in("openmp").unwrap();
        let source = Source::new("a.okl", source);
        let made = crate::transpile::bodies(&source, &backend, &Options::default(), &FileLoader);
        let program = made.unwrap_or_else(|report| panic!("{report}")).1;
        let opaque = program
            .bodies
            .iter()
            .filter_map(|b| Some(b.opaque()?.1.to_string()));
        (program.bodies.len(), opaque.collect::<Vec<_>>())
    };
    let chosen = "int f(int x) { if constexpr (N > 0) return f<N - 1>(x) + 1; else return x; }";
    assert_eq!(bodies(chosen), (4, Vec::new()));
    let endless = ["so many instances of a template".to_string()];
    for result in ["int", "auto"] {
        let (_, opaque) = bodies(&format!("{result} f(int x) {{ return f<N + 1>(x); }}"));
        assert!(opaque.contains(&endless[0]), "{opaque:?}");
    }
}
