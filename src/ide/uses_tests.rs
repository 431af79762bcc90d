//! Uses of names, marked in the text: `$` stands before each use of one thing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::tests::{analysis, shown};
use super::*;

/// The text without its marks, and where they were.
fn marked(text: &str) -> (String, Vec<u32>) {
    let mut plain = String::new();
    let mut marks = Vec::new();
    for c in text.chars() {
        match c {
            '$' => marks.push(plain.len() as u32),
            c => plain.push(c),
        }
    }
    (plain, marks)
}

fn read(text: &str) -> (Analysis, Vec<Location>) {
    let (plain, marks) = marked(text);
    let of = analysis("a.okl", &plain, "");
    let file = of.file("a.okl").unwrap();
    let places = marks.into_iter().map(|at| Location {
        file,
        span: Span::at(at),
    });
    (of, places.collect())
}

const KERNEL: &str = "\n@kernel void kernel_(int *out_) {\n\
    for (int i_ = 0; i_ < 8; ++i_; @tile(4, @outer, @inner)) { out_[i_] = i_; }\n}\n";

/// From each of the marks one gets to all of them, and to the `declared` ones; the name can be changed, and everything
/// means the same then.
fn check(text: &str, declared: &[usize]) {
    let text = format!("{text}{KERNEL}");
    let (of, places) = read(&text);
    let wanted = shown(&of, &places);
    let starts = |all: Vec<Location>| {
        let starts = all.into_iter().map(|at| Location {
            span: Span::at(at.span.start),
            ..at
        });
        shown(&of, &starts.collect::<Vec<_>>())
    };
    let first: Vec<String> = declared.iter().map(|&d| wanted[d].clone()).collect();
    for &place in &places {
        let from = &shown(&of, &[place])[0];
        assert_eq!(starts(of.references(place)), wanted, "from {from}: {text}");
        assert_eq!(starts(of.definition(place)), first, "from {from}: {text}");
    }
    let renamed = of.rename(places[0], "fresh_name");
    assert_eq!(renamed.map(starts), Ok(wanted), "{text}");
}

/// What is marked cannot get another name, since it is not known what all of its uses are.
fn refused(text: &str) {
    let (of, places) = read(&format!("{text}{KERNEL}"));
    let renamed = of.rename(places[0], "fresh_name");
    assert!(
        renamed.is_err(),
        "{text}\n{:?}",
        renamed.map(|p| shown(&of, &p))
    );
}

#[test]
fn members_are_found_behind_their_class() {
    check(
        "struct R { static constexpr int $pts = 3; };\nint f() { return R::$pts; }",
        &[0],
    );
    check(
        "struct $R { static constexpr int pts = 3; };\nint f() { return $R::pts; }",
        &[0],
    );
    check(
        "struct R { static int $get(int i) { return i; } };\nint f() { return R::$get(2) + ::R::$get(1); }",
        &[0],
    );
    check(
        "struct O { struct $In { int q; }; $In a; };\nO::$In f(O::$In v) { return v; }",
        &[0],
    );
    check(
        "struct O { struct In { static const int $q = 1; }; };\nint f() { return O::In::$q; }",
        &[0],
    );
    check(
        "struct $O { struct In { static const int q = 1; }; };\nint f() { return $O::In::q; }",
        &[0],
    );
    check(
        "struct S { static const int $m = 1; };\ntypedef S T;\nint f() { return T::$m + S::$m; }",
        &[0],
    );
    check(
        "struct S { static const int m = 1; };\ntypedef S $T;\nint f() { return $T::m + S::m; }",
        &[0],
    );
    check(
        "struct B { static const int $m = 1; };\nstruct D : B {};\nint f() { return D::$m + B::$m; }",
        &[0],
    );
    check(
        "template <class T> struct $V { static const int m = 1; };\nint f() { return $V<int>::m; }",
        &[0],
    );
    check(
        "struct A { static const int k = 1; };\ntemplate <int N> struct V { static const int m = N; };\n\
         const int $c = 2;\nint f() { return V<$c>::m + V<A::k>::m; }",
        &[0],
    );
}

#[test]
fn enumerators_are_found_behind_their_enumeration() {
    check(
        "enum class Color { $Red, Blue };\nint f(Color c) { return c == Color::$Red ? (int) Color::$Red : 0; }",
        &[0],
    );
    check(
        "enum class $Color { Red, Blue };\nint f($Color c) { return c == $Color::Red ? (int) $Color::Blue : 0; }",
        &[0],
    );
    check("enum E { $A, B };\nint f() { return $A + E::$A; }", &[0]);
    check(
        "struct S { enum K { $A, B }; };\nint f() { return S::$A + S::K::$A; }",
        &[0],
    );
}

#[test]
fn namespaces_are_one_name_wherever_they_are_opened() {
    check(
        "namespace $a { int f(int); }\nnamespace $a { int g(int x) { return f(x); } }\n\
         int h() { return $a::g(1) + ::$a::g(2); }",
        &[0],
    );
    check(
        "namespace a { namespace $b { inline int f() { return 1; } } }\nint h() { return a::$b::f(); }",
        &[0],
    );
    check(
        "namespace a { namespace b { inline int $f() { return 1; } } }\nint h() { return a::b::$f(); }",
        &[0],
    );
    check(
        "namespace $a::b { inline int f() { return 1; } }\nnamespace $a { int z; }\nint h() { return $a::b::f() + $a::z; }",
        &[0],
    );
    check(
        "namespace a::$b { inline int f() { return 1; } }\nint h() { return a::$b::f(); }",
        &[0],
    );
    check(
        "namespace a::b { inline int $f() { return 1; } }\nint h() { return a::b::$f(); }",
        &[0],
    );
    check(
        "namespace a { struct $T { int m; }; }\na::$T f(a::$T t) { return t; }",
        &[0],
    );
}

#[test]
fn what_is_defined_outside_of_its_class_belongs_to_it() {
    let class = |mark: &str, rest: &str| {
        let text = format!(
            "struct S {{ static int count; int a; int method(int i); }};\n\
             int S::count = 0;\nint S::method(int i) {{ count += 1; return a * i + this->a; }}\n{rest}"
        );
        let at = |c: char| c.is_alphanumeric() || c == '_';
        // A mark before each of the words.
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some(found) = rest.find(mark) {
            let (before, behind) = rest.split_at(found);
            let whole = !before.ends_with(at) && !behind[mark.len()..].starts_with(at);
            out.push_str(before);
            out.push_str(if whole { "$" } else { "" });
            out.push_str(mark);
            rest = &behind[mark.len()..];
        }
        out + rest
    };
    for name in ["S", "count", "method", "a"] {
        check(
            &class(name, "int f(S s) { return s.method(1) + S::count + s.a; }"),
            &[0],
        );
    }
    check(
        "namespace n { struct S { int $m; int get(); }; }\nint n::S::get() { return $m; }",
        &[0],
    );
    check(
        "namespace n { const int $k = 2; struct S { int get(); }; }\nint n::S::get() { return $k; }",
        &[0],
    );
    check(
        "struct O { struct In { int $q; int get(); }; };\nint O::In::get() { return $q; }",
        &[0],
    );
    check(
        "struct S { static const int $n = 2; static const int t; };\nconst int S::t = $n + 1;",
        &[0],
    );
    check(
        "struct S { int get(int v); int v; };\nint S::get(int $v) { return $v; }",
        &[0],
    );
    check(
        "struct S { int $m, n; S(int q) : $m(q), n(1) {} };\nint f() { S s(2); return s.$m; }",
        &[0],
    );
    check(
        "struct S { int $m; S(int q); };\nS::S(int q) : $m(q) {}",
        &[0],
    );
    check(
        "template <class T> struct V { T $m; T get(); };\ntemplate <class T> T V<T>::get() { return $m; }",
        &[0],
    );
}

#[test]
fn designators_lead_to_fields() {
    check(
        "struct P { int $x, y; };\nint f() { struct P p = {.$x = 1, .y = 2}; return p.$x; }",
        &[0],
    );
    check(
        "struct Q { int z; };\nstruct P { int x; Q $w; };\nint f() { P p = {.x = 1, .$w = {.z = 2}}; return p.$w.z; }",
        &[0],
    );
    check(
        "struct Q { int $z; };\nstruct P { int x; Q w; };\nint f() { P p = {.x = 1, .w = {.$z = 2}}; P q = {.w.$z = 1}; return p.w.$z; }",
        &[0],
    );
    check(
        "struct P { int $x, y; };\nconst P all[3] = {[2] = {.$x = 3}, [1].$x = 2};\nint f() { return all[0].$x; }",
        &[0],
    );
    check(
        "struct P { int $x, y; };\nconst P all[2] = {{.$x = 3}, {.$x = 2, .y = 1}};",
        &[0],
    );
    check(
        "struct P { int $x, y; };\nint g(P p);\nint f() { return g(P{.$x = 1}) + g((P){.$x = 2}) + g({.$x = 3}); }",
        &[0],
    );
    check(
        "struct P { int $x, y; };\nP f() { P p{.$x = 1}; p = {.$x = 2}; return {.$x = 1}; }",
        &[0],
    );
    check(
        "struct Q { int $z; };\nstruct P { int a; Q w; };\nint f() { P p = {1, {.$z = 2}}; return p.a; }",
        &[0],
    );
    // Two structures with a field of the name.
    check(
        "struct Q { int x; };\nstruct P { int $x; Q w; };\nint f() { P p = {.$x = 1, .w = {.x = 2}}; return p.$x + p.w.x; }",
        &[0],
    );
    // Whose turn it is, is not counted where braces are left out.
    refused(
        "struct Q { int $z, y; };\nstruct P { Q a; Q w; };\nint f() { P p = {1, 2, {.z = 2}}; return p.a.z; }",
    );
    refused("struct Q { int $z; };\ntemplate <class T> T f() { return T{.z = 1}; }");
}

#[test]
fn using_brings_names_in() {
    check(
        "namespace $a { inline int f() { return 1; } }\nint h() { using namespace $a; return f(); }",
        &[0],
    );
    check(
        "namespace a { inline int $f() { return 1; } }\nusing namespace a;\nint h() { return $f() + a::$f(); }",
        &[0],
    );
    check(
        "namespace a { inline int $f() { return 1; } }\nusing a::$f;\nint h() { return $f() + a::$f(); }",
        &[0],
    );
    check(
        "namespace $a { inline int f() { return 1; } }\nusing $a::f;\nint h() { return f() + $a::f(); }",
        &[0],
    );
    check(
        "namespace a { namespace c { inline int $f() { return 1; } } }\nnamespace b = a::c;\nint h() { return b::$f(); }",
        &[0],
    );
    check(
        "namespace a { namespace c { inline int f() { return 1; } } }\nnamespace $b = a::c;\nint h() { return $b::f(); }",
        &[0],
    );
    check(
        "namespace a { namespace $c { inline int f() { return 1; } } }\nnamespace b = a::$c;\nint h() { return b::f(); }",
        &[0],
    );
    // What is declared behind the other name is there, too.
    check(
        "namespace a { int y; }\nnamespace b = a;\nnamespace a { inline int $f() { return 1; } }\nint h() { return b::$f(); }",
        &[0],
    );
    // A parameter hides what a directive brings in.
    check(
        "namespace a { const int x = 1; }\nint h(int $x) { using namespace a; return $x; }",
        &[0],
    );
    check(
        "namespace a { const int x = 1; }\nint h(int $x) { { using namespace a; return $x + a::x; } }",
        &[0],
    );
}

#[test]
fn declarations_of_one_thing_are_changed_together() {
    check(
        "extern int $n;\nint $n = 1;\nint f() { return $n; }",
        &[0, 1],
    );
    check(
        "int $n = 1;\nint f() { extern int $n; return $n; }",
        &[0, 1],
    );
    check(
        "int f() { int $g(int); return $g(1); }\nint $g(int a) { return a; }",
        &[0, 2],
    );
    check(
        "typedef int $T;\ntypedef int $T;\n$T f() { return 1; }",
        &[0, 1],
    );
    check(
        "struct $p { int m; };\nint f() { struct $p p; struct $p q; return p.m + q.m; }",
        &[0],
    );
    check(
        "typedef struct p { int $m; } p;\nint f(struct p *q) { return q->$m; }",
        &[0],
    );
    check(
        "struct A { virtual int $f() { return 1; } };\nstruct B : A { int $f() { return 2; } };\nint g(B b) { return b.$f(); }",
        &[0],
    );
    // Of two fields of a name, the derived class's hides the other.
    check(
        "struct B { int v; };\nstruct D : B { int $v; int both() { return $v + B::v; } };\nint f(D d) { return d.$v + d.B::v; }",
        &[0],
    );
    check(
        "struct B { int $v; };\nstruct D : B { int v; int both() { return v + B::$v; } };\nint f(D d) { return d.v + d.B::$v; }",
        &[0],
    );
    check(
        "int $T = 1;\nstruct S { typedef long T; T get() { return sizeof(T); } };\nint f() { return $T; }",
        &[0],
    );
    check(
        "struct S { int f() { return $A; } enum { $A = 1 }; };\nenum { A = 4 };\nint f() { return A; }",
        &[1],
    );
    // A member is used before it is declared.
    check(
        "struct S { int f() { return $g(); } int $g() { return 1; } };",
        &[1],
    );
}

#[test]
fn casts_by_a_types_name_declare_nothing() {
    for statement in [
        "switch (long($k)) { default: q = $k; }",
        "if (int($k) > 3) q = 1;",
        "if (long($k) > 3) q = 1;",
        "while (unsigned($k) > 3u) { $k--; }",
        "float($k) * q;",
        "long($k) * q;",
        "{ short($k) + 1; }",
        "q = long($k) + unsigned($k) * 2;",
        "for (; short($k) < 3;) $k++;",
        "if (q) ; else long($k) + 1;",
    ] {
        check(
            &format!("int f(int $k, int q) {{ {statement} return q + $k; }}"),
            &[0],
        );
    }
}

#[test]
fn labels_are_names_of_their_function() {
    check(
        "int f(int n) { if (n) goto $done; n = 1; $done: return n; }\nint g(int n) { if (n) goto done; n = 1; done: return n; }",
        &[1],
    );
    // A variable of the name is something else.
    check(
        "int f(int n) { int done = n; if (n) goto $done; n = done; $done: return n; }",
        &[1],
    );
    check(
        "int f(int n) { int $done = n; if (n) goto done; n = $done; done: return n; }",
        &[0],
    );
    refused("#define END(x) x##ed: return 0;\nint f(int n) { goto $added; END(add) }");
}

#[test]
fn parameters_of_macros_are_names_of_their_directive() {
    check(
        "#define F($x) (($x) + y * $x)\nint f(int x, int y) { return F(x); }",
        &[0],
    );
    check("#define F(x, $y) #x x##$y \\\n  $y\n#define G(y) y", &[0]);
    check(
        "#define F(x) ((x) + 1)\nint f(int $x) { return F($x); }",
        &[0],
    );
    for (text, new) in [
        ("#define F($x) ((x) + z)\n", "z"),
        ("#define F($x, y) ((x) + y)\n", "y"),
        ("#define F($x) ((x) + 1)\n", "F"),
        ("#define G 1\n#define F($x) ((x) + 1)\n", "G"),
        ("#define F($x) ((x) + 1)\n", "int"),
    ] {
        let (of, places) = read(&format!("{text}{KERNEL}"));
        assert!(of.rename(places[0], new).is_err(), "{text} {new}");
    }
    let (of, places) = read(&format!("#define F($x) ((x) + 1)\n{KERNEL}"));
    let hover = of.hover(places[0]).unwrap().text;
    assert!(hover.contains("#define F(x) ((x) + 1)"), "{hover}");
}
