use super::*;

#[test]
fn objects_and_functions() {
    check(
        "#define N 4\n#define F(a, b) a + b * N\nF(1, (2, 3)) N",
        "1 + (2, 3) * 4 4",
    );
    check("#define F(a) [a]\nF() F( x ) F((,))", "[] [x] [(,)]");
    check("#define F() x\nF() F( ) F", "x x F");
    check("#define F(a) a\nF F\n(1) F (F)(2)", "F 1 F(2)");
    check("#define F (a) a\nF", "(a) a");
    check("#define LONG_NAME_OF_MACRO 1\nLONG_\\\nNAME_OF_MACRO", "1");
    check("#define F(a,b) a b\nF(1,\n  2 // c\n )\nx", "1 2 x");
}

#[test]
fn names_are_not_expanded_within_themselves() {
    check("#define a a b\na", "a b");
    check("#define a b\n#define b a\na b", "a b");
    check("#define f(x) f(x + 1)\nf(f(2))", "f(f(2 + 1) + 1)");
    check("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g");
    check(
        "#define NIL(x) x\n#define G0(a) NIL(G1)(a)\n#define G1(a) NIL(a)\nG0(42)",
        "42",
    );
    check(
        "#define foo foo + 1\n#define id(x) x\nid(id(foo))",
        "foo + 1",
    );
}

#[test]
fn rescanning_goes_on_in_the_file() {
    check("#define f(x) <x>\n#define g f\ng(1) g (2) g", "<1> <2> f");
    check(
        "#define open f(\n#define f(x) [x]\nopen 1) ) open (2))",
        "[1] ) [(2)]",
    );
}

#[test]
fn example_3_of_the_standard() {
    check(
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n\
         #define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n\
         #define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n\
         f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n\
         g(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
         p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n\
         char c[2][6] = { str(hello), str() };",
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);\n\
         f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);\n\
         int i[] = { 1, 23, 4, 5, };\n\
         char c[2][6] = { \"hello\", \"\" };",
    );
}

#[test]
fn example_4_of_the_standard() {
    check(
        "#define str(s) # s\n#define xstr(s) str(s)\n\
         #define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n x ## s, x ## t)\n\
         #define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
         #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n\
         debug(1, 2);\n\
         fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n== 0) str(: @\\n), s);\n\
         xstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)",
        "printf(\"x\" \"1\" \"= %d, x\" \"2\" \"= %s\", x1, x2);\n\
         fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\", s);\n\
         \"vers2.h\"\n\"hello\";\n\"hello\" \", world\"",
    );
}

#[test]
fn example_5_and_hash_hash_of_the_standard() {
    check(
        "#define t(x,y,z) x ## y ## z\n\
         int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
        "int j[] = { 123, 45, 67, 89, 10, 11, 12, };",
    );
    check(
        "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
         #define join(c, d) in_between(c hash_hash d)\njoin(x, y)",
        "\"x ## y\"",
    );
}

#[test]
fn example_7_of_the_standard() {
    check(
        "#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n\
         #define report(test, ...) ((test)?puts(#test):\\\nprintf(__VA_ARGS__))\n\
         debug(\"Flag\");\ndebug(\"X = %d\\n\", x);\nshowlist(The first, second, and third items.);\n\
         report(x>y, \"x is %d but y is %d\", x, y);",
        "fprintf(stderr, \"Flag\"); fprintf(stderr, \"X = %d\\n\", x);\n\
         puts(\"The first, second, and third items.\");\n\
         ((x>y)?puts(\"x>y\"): printf(\"x is %d but y is %d\", x, y));",
    );
}

#[test]
fn variadic_macros() {
    check(
        "#define e(f, ...) p(f, ##__VA_ARGS__)\ne(a) e(a,1) e(a,1,2)",
        "p(a) p(a,1) p(a,1,2)",
    );
    check(
        "#define e(f, args...) p(f, ##args)\ne(a) e(a, b)",
        "p(a) p(a,b)",
    );
    check(
        "#define e(...) f(0, ##__VA_ARGS__)\ne() e(1)",
        "f(0) f(0,1)",
    );
    check(
        "#define E\n#define e(f, ...) p(f __VA_OPT__(,) __VA_ARGS__)\ne(a) e(a,1) e(a,E)",
        "p(a) p(a,1) p(a)",
    );
    check(
        "#define S(n, ...) S n __VA_OPT__(= { __VA_ARGS__ })\nS(a); S(b, 1, 2);",
        "S a; S b = { 1, 2 };",
    );
    check(
        "#define F(a,...) f(0 __VA_OPT__(, a ## __VA_ARGS__))\nF(x) F(x,y,z)",
        "f(0) f(0, xy,z)",
    );
    check(
        "#define F(a,...) #__VA_OPT__(a __VA_ARGS__)\nF(x) F(x, y)",
        "\"\" \"x y\"",
    );
    check("#define F(a,...) a ## __VA_OPT__(b)\nF(x) F(x, 1)", "x xb");
}

#[test]
fn stringize_and_paste() {
    check(
        "#define S(x) #x\nS( a  +\tb ) S(\"a\\n\" 'b') S(\\)",
        r#""a + b" "\"a\\n\" 'b'" """#,
    );
    check(
        "#define C(a,b) a##b\n#define X(a,b) C(a,b)\n#define N 4\nC(N,N) X(N,N) C(.,5) C(<,<)",
        "NN 44 .5 <<",
    );
    check(
        "#define C(a,b) a ## b\n#define f(x) [x]\n#define CC C\nC(f,)(1) C(C,C)(x,y)",
        "[1] C(x,y)",
    );
    check("#define C(a, b) a ## b ## 1\nC(x,) C(,y) C(,)", "x1 y1 1");
    check("#define C(a) L ## #a\nC(x)", "L\"x\"");
    check(
        "#define S(x) #x\n#define X(x) S(x)\n#define F(a) (x a)\nX(F()) X(F(1))",
        "\"(x )\" \"(x 1)\"",
    );
    check("#define C(a, b) - a##b\nC(2 ,1)", "- 21");
    fails(
        "#define C(a,b) a##b\nC(+,/)",
        &["PRE005 2:1 pasting '+' and '/'"],
    );
    fails("#define C(a,b) a##b\nC(/,/)", &["PRE005 2:1"]);
}

#[test]
fn built_in_macros() {
    check(
        "__LINE__\n\n__LINE__ __FILE__ __COUNTER__ __COUNTER__",
        "1 3 \"main.okl\" 0 1",
    );
    check(
        "#define L __LINE__\n#define F(a) a L\nL F(\n\n1) L",
        "3 1 3 5",
    );
    check(
        "__DATE__ __TIME__ __INCLUDE_LEVEL__",
        "\"Jan  1 1970\" \"00:00:00\" 0",
    );
    run("#include \"a.h\"\n__FILE__")
        .file("a.h", "__FILE__ __LINE__ __INCLUDE_LEVEL__")
        .gives("\"a.h\" 1 1 \"main.okl\"");
    run("F(2) N D(1)(2)")
        .define("F(a)=a+1")
        .define("N")
        .define("D(x)=F")
        .gives("2+1 1 2+1");
}

#[test]
fn wrong_calls() {
    fails(
        "#define F(a,b) a b\nF(1)",
        &["PRE007 2:1 macro 'F' takes 2 arguments, but was given 1"],
    );
    fails(
        "#define F(a) a\n F(1,2)",
        &["PRE007 2:2 macro 'F' takes 1 argument, but was given 2"],
    );
    fails(
        "#define F() a\nF(1)",
        &["PRE007 2:1 macro 'F' takes 0 arguments"],
    );
    fails(
        "#define F(a,b,...) a\nF(1)",
        &["PRE007 2:1 macro 'F' takes at least 2 arguments"],
    );
    fails("#define F(a) a\n x F(1", &["PRE006 2:4"]);
    fails("#define F(a) a\n#define G F(\nG", &["PRE006 3:1"]);
    fails("#define F(a) a\n#include \"a.h\"\n)", &["PRE031"]);
    run("#define F(a) a\n#include \"a.h\"\n)")
        .file("a.h", "F(1")
        .fails(&["PRE006 a.h:1:1"]);
    let done = run("#define F(a) a\nF(1,2)").done();
    assert_eq!(done.place(done.diagnostics[0].notes[0].location), "1:9 ");
}

#[test]
fn errors_point_through_expansions() {
    let done = run("#define P(a) a ## /\n#define Q(a) x P(a)\n  Q(+);").done();
    assert_eq!(
        done.messages(),
        ["PRE005 3:3 pasting '+' and '/' does not give a valid token"]
    );
    let notes = &done.diagnostics[0].notes;
    let notes: Vec<String> = notes
        .iter()
        .map(|n| format!("{}{}", done.place(n.location), n.message))
        .collect();
    assert_eq!(
        notes,
        [
            "2:16 in expansion of macro 'Q'",
            "1:16 in expansion of macro 'P'"
        ]
    );
}

#[test]
fn words_may_be_split_between_lines() {
    check("#def\\\nine A\\\nB 1\nA\\\r\nB", "1");
    check("#if\\\ndef X\n#el\\\nse\nx\n#end\\\nif", "x");
}

#[test]
fn va_opt_as_the_standard_has_it() {
    let define = "#define F(a, ...) f(0 __VA_OPT__(,) __VA_ARGS__)\n\
                  #define E\n\
                  #define H3(x, ...) #__VA_OPT__(x##x x##x)\n\
                  #define H4(x, ...) __VA_OPT__(a x ## x) ## b\n\
                  #define H5A(...) __VA_OPT__()/**/__VA_OPT__()\n\
                  #define H5B(x) a ## x ## b\n\
                  #define H5C(x) H5B(x)\n";
    let check = |text: &str, expected| check(&format!("{define}{text}"), expected);
    check("F(1, E)", "f ( 0 )");
    check("F(1, a E)", "f ( 0 , a )");
    check("H3(, 0)", "\"\"");
    check("H4(, 1)", "a b");
    check("H5C(H5A())", "ab");
}
