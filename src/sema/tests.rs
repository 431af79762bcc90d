//! Types of expressions, named as C would, in programs as they stand.

use super::{Sema, TypeKind};
use crate::diagnostics::Sink;
use crate::source::Provenance;
use crate::syntax::{Grammar, Kind, parse_as};

/// The type of the last expression of that text in a program.
fn typed(program: &str, expression: &str) -> String {
    let mut sink = Sink::default();
    let tree = parse_as(
        (program, program),
        Grammar::Cpp,
        &[],
        None,
        &Provenance::default(),
        &mut sink,
    );
    let sema = Sema::new(&tree, program, Vec::new());
    let found = tree.root().into_iter().flat_map(|r| tree.descendants(r));
    let found = found
        .filter(|&n| {
            tree.text(n, program) == expression && tree.kind(n) != Kind::ExpressionStatement
        })
        .last();
    let Some(node) = found else {
        return format!("there is no '{expression}'");
    };
    fn name(sema: &Sema<'_>, ty: super::Type) -> String {
        match sema.kind(ty) {
            TypeKind::Unknown => "?".to_string(),
            TypeKind::Void => "void".to_string(),
            TypeKind::Scalar(scalar) => scalar.c_name().to_string(),
            TypeKind::Vector(vector) => vector.to_string(),
            TypeKind::Record(id) | TypeKind::Enumeration(id) => sema.name(id).to_string(),
            TypeKind::Pointer(to) => format!("{}*", name(sema, to)),
            TypeKind::Reference(to) => format!("{}&", name(sema, to)),
            TypeKind::Array(of) => format!("{}[]", name(sema, of)),
            TypeKind::Function(result) => format!("{}()", name(sema, result)),
        }
    }
    name(&sema, sema.type_of(node))
}

/// What the declaration of the last use of a name says besides its type: of itself, and of what it points to.
fn qualified(program: &str, name: &str) -> String {
    let mut sink = Sink::default();
    let tree = parse_as(
        (program, program),
        Grammar::Cpp,
        &[],
        None,
        &Provenance::default(),
        &mut sink,
    );
    let sema = Sema::new(&tree, program, Vec::new());
    let found = tree.root().into_iter().flat_map(|r| tree.descendants(r));
    let found = found.filter(|&n| tree.text(n, program) == name);
    let Some(id) = found.filter_map(|n| sema.definition(n)).last() else {
        return format!("there is no '{name}'");
    };
    let definition = sema.defined(id);
    let words = |q: super::qualifiers::Qualifiers| {
        let said = [
            (q.constant, "const"),
            (q.volatile, "volatile"),
            (q.restrict, "restrict"),
        ];
        let said = said.iter().filter(|(is, _)| *is).map(|(_, word)| *word);
        said.collect::<Vec<_>>().join(" ")
    };
    let all = [
        words(definition.qualified.own),
        words(definition.qualified.pointed),
        match definition.storage.place {
            super::Place::Ordinary => String::new(),
            place => format!("{place:?}"),
        },
    ];
    all.join("; ")
}

#[test]
fn qualifiers_belong_to_what_they_stand_at() {
    for (program, wanted) in [
        ("void f(const float a) { g(a); }", "const; ; "),
        ("void f(float const a) { g(a); }", "const; ; "),
        ("void f(const float *a) { g(a); }", "; const; "),
        ("void f(float *const a) { g(a); }", "const; ; "),
        ("void f(float *restrict a) { g(a); }", "restrict; ; "),
        ("void f(float *__restrict a) { g(a); }", "restrict; ; "),
        (
            "void f(const float *const __restrict__ a) { g(a); }",
            "const restrict; const; ",
        ),
        ("void f(volatile float *a) { g(a); }", "; volatile; "),
        ("void f(const float &a) { g(a); }", "; const; "),
        ("void f(const float a[]) { g(a); }", "const; ; "),
        (
            "typedef float restricted; void f(restricted *a) { g(a); }",
            "; ; ",
        ),
        ("typedef const float *p; void f(p a) { g(a); }", "; const; "),
        ("typedef float *p; void f(const p a) { g(a); }", "const; ; "),
        (
            "typedef float *__restrict__ p; void f(p a) { g(a); }",
            "restrict; ; ",
        ),
        (
            "using p = const float *; void f(p a) { g(a); }",
            "; const; ",
        ),
        ("typedef const float t; void f(t *a) { g(a); }", "; const; "),
        (
            "namespace n { typedef const float t; } void f(n::t *a) { g(a); }",
            "; const; ",
        ),
        ("void f() { constexpr int a = 1; g(a); }", "const; ; "),
        ("void f() { const auto a = 1; g(a); }", "const; ; "),
        ("void f() { const int b = 1, *a = &b; g(a); }", "; const; "),
        ("const int a = 1; void f(int a) { g(a); }", "; ; "),
        (
            "void f([[okl_restrict(\"\")]] float *a) { g(a); }",
            "restrict; ; ",
        ),
        (
            "void f([[okl_restrict(\"1\")]] const float *a) { g(a); }",
            "restrict; const; ",
        ),
        (
            "void f([[okl_restrict(\"1\")]] float **a) { g(a); }",
            "; restrict; ",
        ),
        (
            "typedef float *p [[okl_restrict(\"1\")]]; void f(p a) { g(a); }",
            "restrict; ; ",
        ),
        (
            "void f() { [[okl_shared(\"\")]] float a[3]; g(a); }",
            "; ; Shared",
        ),
        (
            "void f() { [[okl_exclusive(\"\")]] float a; g(a); }",
            "; ; Exclusive",
        ),
        (
            "typedef float s[3] [[okl_shared(\"\")]]; void f() { s a; g(a); }",
            "; ; Shared",
        ),
    ] {
        assert_eq!(qualified(program, "a"), wanted, "{program}");
    }
}

/// Programs, an expression of each, and its type.
fn check(rows: &[(&str, &str, &str)]) {
    for (program, expression, wanted) in rows {
        assert_eq!(
            &typed(program, expression),
            wanted,
            "{expression} in {program}"
        );
    }
}

#[test]
fn arithmetic() {
    check(&[
        ("void f(short a) { g(a + 1); }", "a + 1", "int"),
        ("void f(short a) { g(-a); }", "-a", "int"),
        ("void f(char a, char b) { g(a, a << b); }", "a << b", "int"),
        ("void f(unsigned a, long b) { g(a * b); }", "a * b", "long"),
        (
            "void f(unsigned a, int b) { g(a - b); }",
            "a - b",
            "unsigned int",
        ),
        ("void f(float a) { g(a * 2); }", "a * 2", "float"),
        ("void f(float a) { g(a * 2.0); }", "a * 2.0", "double"),
        ("void f(float a) { g(a < 2); }", "a < 2", "bool"),
        (
            "void f(int c, char a, char b) { g(c ? a : b); }",
            "c ? a : b",
            "char",
        ),
        (
            "void f(int c, char a, short b) { g(c ? a : b); }",
            "c ? a : b",
            "int",
        ),
        ("void f(int a) { g((a, 1.f)); }", "(a, 1.f)", "float"),
        (
            "void f(int a) { g(sizeof a); }",
            "sizeof a",
            "unsigned long",
        ),
        (
            "void f(int a) { g((unsigned char) a); }",
            "(unsigned char) a",
            "unsigned char",
        ),
        (
            "void f(int a) { g(static_cast<long>(a)); }",
            "static_cast<long>(a)",
            "long",
        ),
        ("void f(int a) { g(double(a)); }", "double(a)", "double"),
        ("void f(const long int a) { g(a); }", "a", "long"),
        ("void f(int unsigned a) { g(a); }", "a", "unsigned int"),
        ("void f(std::size_t a) { g(a); }", "a", "unsigned long"),
    ]);
}

#[test]
fn pointers_and_arrays() {
    check(&[
        ("void f(float *a) { g(a); }", "a", "float*"),
        ("void f(float *a) { g(*a); }", "*a", "float"),
        ("void f(float *a) { g(a + 1); }", "a + 1", "float*"),
        ("void f(float *a) { g(1 + a); }", "1 + a", "float*"),
        ("void f(float *a, float *b) { g(a - b); }", "a - b", "long"),
        ("void f(float **a) { g(a[1][2]); }", "a[1][2]", "float"),
        ("void f(float **a) { g(a[1]); }", "a[1]", "float*"),
        ("void f() { int a[2][3]; g(a[1]); }", "a[1]", "int[]"),
        ("void f() { int *a[3]; g(a[1]); }", "a[1]", "int*"),
        ("void f(int (*a)[3]) { g(*a); }", "*a", "int[]"),
        ("void f(int a) { g(&a); }", "&a", "int*"),
        ("void f(int &a) { g(a); }", "a", "int"),
        ("typedef double *p; void f(p a) { g(*a); }", "*a", "double"),
        (
            "typedef double row[4]; void f(row *a) { g(a[1][2]); }",
            "a[1][2]",
            "double",
        ),
        (
            "void f(int c, float *a) { g(c ? a : 0); }",
            "c ? a : 0",
            "float*",
        ),
        ("void f(double *m) { g(m(1, 2)); }", "m(1, 2)", "double"),
        ("void f(int (*p)(float)) { g(p(1)); }", "p(1)", "int"),
    ]);
}

#[test]
fn the_nearest_declaration_counts() {
    check(&[
        ("int a; void f() { float a; g(a); }", "a", "float"),
        ("int a; void f() { { float a; } g(a); }", "a", "int"),
        (
            "void f(int a) { for (long a = 0; a < 2; ++a) {} g(a); }",
            "a",
            "int",
        ),
        (
            "void f() { for (long a = 0; a < 2; ++a) g(a); }",
            "a",
            "long",
        ),
        ("void f(int a) { if (float a = 1) g(a); }", "a", "float"),
        ("int a(char b); void f() { g(b); }", "b", "?"),
        (
            "void f(int a) { auto l = [](float a) { g(a); }; }",
            "a",
            "float",
        ),
        (
            "void f(int a) { auto l = [](float a) { h(a); }; g(a); }",
            "a",
            "int",
        ),
        (
            "void f(int a) { auto l = [a = 1.5f] { g(a); }; }",
            "a",
            "float",
        ),
        (
            "namespace n { float a; } int a; void f() { g(n::a); }",
            "n::a",
            "float",
        ),
        (
            "namespace n { float a; } int a; void f() { g(a); }",
            "a",
            "int",
        ),
        (
            "namespace n { float a; } void f() { using namespace n; g(a); }",
            "a",
            "float",
        ),
        (
            "namespace n { float a; } using n::a; void f() { g(a); }",
            "a",
            "float",
        ),
        (
            "namespace n { namespace m { char a; } } void f() { g(n::m::a); }",
            "n::m::a",
            "char",
        ),
        (
            "namespace n { char a; } namespace n { void f() { g(a); } }",
            "a",
            "char",
        ),
        (
            "namespace n { char a; } namespace m = n; void f() { g(m::a); }",
            "m::a",
            "char",
        ),
        (
            "namespace n::m { char a; } namespace o = n::m; void f() { g(o::a); }",
            "o::a",
            "char",
        ),
        (
            "namespace m = n; namespace n { } namespace k = n; namespace n { char a; } void f() { g(k::a); }",
            "k::a",
            "char",
        ),
        // What a directive brings in is hidden by what is declared nearer than in the file.
        (
            "namespace n { char a; } void f(long a) { using namespace n; g(a); }",
            "a",
            "long",
        ),
        (
            "namespace n { char a; } void f(long b) { using namespace n; g(a); }",
            "a",
            "char",
        ),
        ("int a; void f(float a) { g(::a); }", "::a", "int"),
        (
            "typedef int t; void f() { typedef float t; t a; g(a); }",
            "a",
            "float",
        ),
        (
            "typedef float autolong; void f(autolong a) { g(a); }",
            "a",
            "float",
        ),
        ("typedef float uint; void f(uint a) { g(a); }", "a", "float"),
        ("using t = long; void f(t a) { g(a); }", "a", "long"),
        (
            "void f() { int a = 1, b = a, *c = &a; g(*c); }",
            "*c",
            "int",
        ),
    ]);
}

#[test]
fn structures() {
    let s = "struct s { int a; float b[3]; struct i { char c; } d; s *next; float4 v; };";
    let of = |expression: &str| {
        typed(
            &format!("{s} void f(s x, s *p) {{ g({expression}); }}"),
            expression,
        )
    };
    for (expression, wanted) in [
        ("x", "s"),
        ("x.a", "int"),
        ("p->a", "int"),
        ("(*p).b[1]", "float"),
        ("x.b", "float[]"),
        ("x.d.c", "char"),
        ("p->next->next->a", "int"),
        ("x.v.y", "float"),
        ("x.v", "float4"),
        ("x.none", "?"),
        ("p[2].a", "int"),
        ("&p->a", "int*"),
    ] {
        assert_eq!(of(expression), wanted, "{expression}");
    }
    check(&[
        (
            "typedef struct { short a; } t; void f(t x) { g(x.a); }",
            "x.a",
            "short",
        ),
        (
            "typedef struct { short a; } t; void f(t x) { g(x); }",
            "x",
            "t",
        ),
        (
            "struct s { int a; }; typedef struct s t; void f(t x) { g(x.a); }",
            "x.a",
            "int",
        ),
        (
            "struct s; struct s { int a; }; void f(struct s *x) { g(x->a); }",
            "x->a",
            "int",
        ),
        (
            "union u { int a; float b; }; void f(union u x) { g(x.b); }",
            "x.b",
            "float",
        ),
        ("struct s { int a; long h() { return a; } };", "a", "int"),
        ("struct s { long h() { return -a; } int a; };", "-a", "int"),
        (
            "struct s { int a; long h(); }; float a; long s::h() { return g(a); }",
            "a",
            "int",
        ),
        // All of a class is known in all of it, and what it declares is not what is called so outside.
        (
            "float a; struct s { float h() { return -a; } enum { a = 1 }; };",
            "-a",
            "?",
        ),
        (
            "typedef int t; struct s { typedef float t; t h(); }; void f(s x) { g(x.h()); }",
            "x.h()",
            "float",
        ),
        (
            "typedef int t; struct s { using t = float; t h(); }; void f(s x) { g(x.h()); }",
            "x.h()",
            "float",
        ),
        (
            "struct i { char c; }; struct s { struct i { int a; }; i h(); }; void f(s x) { g(x.h().a); }",
            "x.h().a",
            "int",
        ),
        (
            "struct s { int a; long h(); }; long s::h() { return this->a; }",
            "this->a",
            "int",
        ),
        (
            "namespace n { struct s { int a; long h(); }; } float a; long n::s::h() { return g(a); }",
            "a",
            "int",
        ),
        (
            "struct s { static int a; static long b; }; float a; long s::b = g(a);",
            "a",
            "int",
        ),
        (
            "struct s { static int a; static long b; }; float a; long s::b = 1; long c = g(a);",
            "a",
            "float",
        ),
        (
            "typedef struct s { int a; } s; void f(struct s *x) { g(x->a); }",
            "x->a",
            "int",
        ),
        (
            "struct s { int a; }; void f() { struct s s; struct s t; g(t.a); }",
            "t.a",
            "int",
        ),
        (
            "struct s { int a; long h() { return this->a; } };",
            "this->a",
            "int",
        ),
        (
            "struct s { long h(int); }; void f(s x) { g(x.h(1)); }",
            "x.h(1)",
            "long",
        ),
        (
            "struct b { int a; }; struct s : b { float c; }; void f(s x) { g(x.a); }",
            "x.a",
            "int",
        ),
        (
            "struct s { int a; s(int); }; void f() { g(s(1).a); }",
            "s(1).a",
            "int",
        ),
        ("enum e { one }; void f(e x) { g(x, one); }", "one", "e"),
        (
            "enum class e { one }; float one; void f() { g(one); }",
            "one",
            "float",
        ),
        (
            "enum class e { one }; void f() { g(e::one); }",
            "e::one",
            "e",
        ),
    ]);
}

#[test]
fn functions() {
    check(&[
        ("float h(int); void f() { g(h(1)); }", "h(1)", "float"),
        ("float *h(int); void f() { g(*h(1)); }", "*h(1)", "float"),
        ("float &h(int); void f() { g(h(1)); }", "h(1)", "float"),
        (
            "int h(int); float h(float); void f() { g(h(1)); }",
            "h(1)",
            "int",
        ),
        (
            "int h(int); float h(float); void f() { g(h(1.f)); }",
            "h(1.f)",
            "float",
        ),
        (
            "int h(int); float h(float); void f() { g(h('a')); }",
            "h('a')",
            "?",
        ),
        (
            "int h(int); float h(int, int = 2); void f() { g(h(1, 2)); }",
            "h(1, 2)",
            "float",
        ),
        (
            "int h(int); int h(int a) { return a; } void f() { g(h(1)); }",
            "h(1)",
            "int",
        ),
        ("void f(float a) { g(sqrt(a)); }", "sqrt(a)", "float"),
        ("void f(int a) { g(sqrt(a)); }", "sqrt(a)", "double"),
        (
            "void f(int a) { g(std::sqrt(a)); }",
            "std::sqrt(a)",
            "double",
        ),
        (
            "void f(short a, short b) { g(max(a, b)); }",
            "max(a, b)",
            "short",
        ),
        (
            "void f(short a, int b) { g(max(a, b)); }",
            "max(a, b)",
            "int",
        ),
        (
            "int sqrt(float); void f(float a) { g(sqrt(a)); }",
            "sqrt(a)",
            "int",
        ),
        (
            "void f() { g(make_float2(1, 2)); }",
            "make_float2(1, 2)",
            "float2",
        ),
        ("void f(float4 v) { g(v * 2); }", "v * 2", "float4"),
        ("void f(float2 v) { g(v.z); }", "v.z", "?"),
        ("void f(other x) { g(x.a); }", "x.a", "?"),
    ]);
}

#[test]
fn deduced_types() {
    check(&[
        ("void f(float *p) { auto a = p[1]; g(a); }", "a", "float"),
        ("void f(float *p) { auto *a = p; g(*a); }", "*a", "float"),
        (
            "void f(float *p) { const auto &a = p[1]; g(a); }",
            "a",
            "float",
        ),
        ("void f() { float b[3]; auto a = b; g(a); }", "a", "float*"),
        ("void f() { auto a = a; g(a); }", "a", "?"),
        ("void f(int n) { for (auto a : n) g(a); }", "a", "?"),
        ("void f(int n) { auto [a, b] = n; g(a); }", "a", "?"),
        (
            "void f() { auto l = [](int a) { return a; }; g(l(1)); }",
            "l(1)",
            "?",
        ),
    ]);
}

#[test]
fn templates_leave_what_depends_on_them_unknown() {
    check(&[
        ("template <typename T> void f(T a) { g(a); }", "a", "?"),
        (
            "typedef int T; template <typename T> void f(T a) { g(a); }",
            "a",
            "?",
        ),
        (
            "template <typename T> void h(T a) {} typedef int T; void f(T a) { g(a); }",
            "a",
            "int",
        ),
        ("template <int N> void f(int a) { g(N); }", "N", "int"),
        (
            "template <typename T> T h(T a); void f() { g(h(1)); }",
            "h(1)",
            "?",
        ),
        (
            "template <typename T> int h(T a); void f() { g(h(1)); }",
            "h(1)",
            "int",
        ),
        (
            "template <typename T> struct v { T x; int n; }; void f(v<int> a) { g(a.x); }",
            "a.x",
            "?",
        ),
        (
            "template <typename T> struct v { T x; int n; }; void f(v<int> a) { g(a.n); }",
            "a.n",
            "int",
        ),
        (
            "template <typename T> struct v { int n; }; template <> struct v<int> { float n; }; void f(v<int> a) { g(a.n); }",
            "a.n",
            "?",
        ),
        (
            "template <typename T> using p = T *; void f(p<int> a) { g(*a); }",
            "*a",
            "?",
        ),
        (
            "typedef int T; struct s { template <typename T> T h(T); }; void f(s x) { g(x.h(1.f)); }",
            "x.h(1.f)",
            "?",
        ),
    ]);
}
