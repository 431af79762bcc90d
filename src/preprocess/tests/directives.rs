use super::*;

#[test]
fn definitions() {
    check(
        "#define A 1\n#define A 1\n#undef A\n#define A 2\n#undef B\nA",
        "2",
    );
    check(
        "#define F(a) a  +  1\n#define F(a) a + 1 /* same */\nF(2)",
        "2 + 1",
    );
    fails("#define A 1\n#define A 2", &["PRE001 2:9 macro 'A'"]);
    fails("#define F(a) a\n#define F(b) b", &["PRE001 2:9"]);
    fails("#define A a+b\n#define A a +b", &["PRE001 2:9"]);
    fails("#define __FILE__ 1", &["PRE001 1:9"]);
    fails("#define", &["PRE002 1:1"]);
    fails("#define 1 2", &["PRE002 1:9 '1' cannot be"]);
    fails("#undef defined", &["PRE002 1:8"]);
    fails("#define F(a b", &["PRE003 1:13"]);
    fails(
        "#define F(a,a) 1",
        &["PRE003 1:13 malformed parameter list of macro 'F': 'a' stands"],
    );
    fails("#define F(..., a) 1", &["PRE003 1:14"]);
    fails("#define F(a", &["PRE003 1:11"]);
    fails("#define F(1) 1", &["PRE003 1:11"]);
    fails("#define F(a) # b", &["PRE004 1:14"]);
    fails("#define F(a) ## a", &["PRE004 1:14"]);
    fails("#define A a ##", &["PRE004 1:13"]);
    fails("#define F(a) __VA_ARGS__", &["PRE004 1:14"]);
    fails("#define F(a, ...) __VA_OPT__ a", &["PRE004 1:19"]);
    fails(
        "#define F(a, ...) __VA_OPT__(__VA_OPT__())",
        &["PRE004 1:30"],
    );
    check("#define A # b\nA", "# b");
    let done = run("#define A 1\n#define A 2").done();
    assert!(!done.has_errors());
    assert_eq!(done.place(done.diagnostics[0].notes[0].location), "1:9 ");
    run("")
        .with(|o| {
            o.defines.push(Define {
                name: "1x".into(),
                value: String::new(),
            })
        })
        .fails(&["PRE002 <command line>:1:9"]);
}

#[test]
fn conditionals() {
    let choose = |condition: &str| {
        let done = run(&format!(
            "#define N 4\n#define F(a) a\n{condition}\nyes\n#else\nno\n#endif"
        ))
        .done();
        assert_eq!(done.messages(), Vec::<String>::new(), "{condition}");
        done.out.text.trim().to_string()
    };
    for condition in [
        "#if 1",
        "#if N == 4",
        "#if F(N) * 2 == 8",
        "#if defined N && defined(F) && !defined(X)",
        "#if X == 0",
        "#if true && !false",
        "#if not false and true",
        "#if 'a' == 97",
        "#if -1 > 0u",
        "#if 0x80000000 > 0 && -1 < 0x80000000",
        "#if (1 == 1) << 40",
        "#if 0xFFFFFFFFFFFFFFFF == -1",
        "#if 18446744073709551615ULL / 2 == 9223372036854775807",
        "#if (2 || 1 / 0) && !(0 && 1 / 0)",
        "#if 1 ? 2 : 1 / 0",
        "#if (1 ? -1 : 0u) > 0",
        "#if -7 / 2 == -3 && -7 % 2 == -1",
        "#if 10'000 == 0b10011100010000",
        "#if F(defined(Q)) == 0",
        "#ifdef N",
        "#ifndef X",
        "#ifdef __has_include",
        "#ifdef __FILE__",
        "#if __LINE__ == 3",
        "#  if /* c */ N \\\n == 4",
        "#if 0\n#elif N",
        "#if 0\n#elifdef N",
        "#if 0\n#elifndef X",
        "#if 0\n#if 1\n#else\n#endif\nwrong\n#elif 1",
        "#if N\n#elif 1 / 0\nwrong\n#endif\n#if 1",
    ] {
        assert_eq!(choose(condition), "yes", "{condition}");
    }
    for condition in [
        "#if 0",
        "#if X",
        "#ifdef X",
        "#ifndef N",
        "#if N < 4",
        "#if 0\n#elif 0",
    ] {
        assert_eq!(choose(condition), "no", "{condition}");
    }
    check("#define D defined(N)\n#define N\n#if D\nyes\n#endif", "yes");
    check("#if 0\ndon't \" #else\n#bogus\n#error x\n#endif\nz", "z");
}

#[test]
fn malformed_conditionals() {
    fails("#if\n#endif", &["PRE020 1:1"]);
    fails("#if 1 +\n#endif", &["PRE020 1:7"]);
    fails(
        "#if a b\n#endif",
        &["PRE020 1:7 malformed #if: expected an operator or the end, found 'b'"],
    );
    fails(
        "#if F(1)\n#endif",
        &["PRE020 1:5 malformed #if: 'F' is no macro with arguments"],
    );
    fails("#if 1.5\n#endif", &["PRE020 1:1"]);
    fails(
        "#if 1 / 0\n#endif",
        &["PRE020 1:1 malformed #if: division by zero"],
    );
    fails("#if (1\n#endif", &["PRE020"]);
    fails("#if defined\n#endif", &["PRE020 1:5"]);
    fails("#if defined(\n#endif", &["PRE020 1:5"]);
    fails("#if \"x\"\n#endif", &["PRE020 1:5"]);
    fails("#ifdef\n#endif", &["PRE020 1:1"]);
    fails("#ifdef 1\n#endif", &["PRE020 1:1"]);
    fails("#else", &["PRE022 1:1 #else without #if"]);
    fails("a\n #endif", &["PRE022 2:2"]);
    fails("#elif 1", &["PRE022 1:1"]);
    fails("#if 1\n#else\n#else\n#endif", &["PRE023 3:1"]);
    fails("#if 0\n#else\n#elif 1\n#endif", &["PRE023 3:1"]);
    fails(
        "#if 1\n#ifdef X\n",
        &["PRE024 1:1 #if", "PRE024 2:1 #ifdef"],
    );
    fails("#if 0\nx", &["PRE024 1:1"]);
    run("#include \"a.h\"\n#endif")
        .file("a.h", "#if 1")
        .fails(&["PRE022 2:1", "PRE035 a.h:1:1"]);
}

#[test]
fn errors_and_warnings() {
    fails(
        "#error  it's  \"bad\" // c",
        &["PRE040 1:1 #error it's  \"bad\""],
    );
    let done = run("#warning careful\nx").done();
    assert_eq!(done.messages(), ["PRE041 1:1 #warning careful"]);
    assert!(!done.has_errors());
    check(
        "#line 7 \"x.c\"\n# 12 \"y.c\" 3\n#\n__LINE__ __FILE__",
        "13 \"y.c\"",
    );
    check("#define N 30\n#line N\n__LINE__\n__LINE__", "30 31");
    check("#line 7 \"x.c\"\n#line 1\n__FILE__", "\"x.c\"");
    fails("#line x", &["PRE033 1:1"]);
    fails("#line 7 x.c", &["PRE033 1:1"]);
    // Diagnostics name the lines of the file that was given.
    fails("#line 70\n#error x", &["PRE040 2:1"]);
}

#[test]
fn kept_directives() {
    let done =
        run("a\n #include <math.h> // c\n#define N 4\n#pragma unroll(N) N\n#pragma omp N\nb")
            .done();
    assert_eq!(
        done.out.text,
        "a\n#include <math.h>\n\n#pragma unroll(4) 4\n#pragma omp 4\nb"
    );
    let kept: Vec<&str> = done
        .out
        .kept_directives
        .iter()
        .map(|s| s.of(&done.out.text))
        .collect();
    assert_eq!(
        kept,
        ["#include <math.h>", "#pragma unroll(4) 4", "#pragma omp 4"]
    );
    let done = run("#define A 1\n#include <a>\n#undef A\n#define F(x) x\n#define B [[okl_outer(\"\")]]\n#include <b>")
        .define("Z(a)=a")
        .done();
    let definitions: Vec<Vec<&str>> = done
        .out
        .kept_includes
        .iter()
        .map(|k| k.definitions.iter().map(|d| &**d).collect())
        .collect();
    assert_eq!(
        definitions,
        [
            ["#define Z(a) a", "#define A 1"],
            ["#define Z(a) a", "#define F(x) x"]
        ]
    );
    let done = run("#bogus 'x\ny").done();
    assert_eq!(done.out.text, "#bogus 'x\ny");
    assert_eq!(
        done.messages(),
        ["PRE042 1:1 unknown directive '#bogus' is kept as it is"]
    );
    let done = run("#define H <x.h>\n/* c */ #include H\n#pragma \\\n a\nz").done();
    assert_eq!(done.out.text, "\n/* c */ \n#include <x.h>\n#pragma a\nz");
}

#[test]
fn pragma_operator() {
    let done = run("#define U(n) _Pragma(#n) x\na U(unroll 4) b _Pragma(\"s \\\"q\\\"\")c").done();
    assert_eq!(
        done.out.text,
        "\na \n#pragma unroll 4\nx b \n#pragma s \"q\"\nc"
    );
    assert_eq!(done.out.kept_directives.len(), 2);
    // A continued line goes on, so that the pragma needs one of its own.
    let done = run("#define U _Pragma(\"u\")\na;\\\nU b").done();
    assert_eq!(done.out.text.trim(), "a;\\\n\n#pragma u\n b");
    fails("_Pragma(x)", &["PRE043 1:1"]);
    fails("_Pragma", &["PRE043 1:1"]);
}

#[test]
fn includes() {
    run("#include \"a.h\"\nx")
        .file("a.h", "int a;")
        .gives("int a; x");
    run("#include <a.h>\nx")
        .file("lib/a.h", "1")
        .directory("lib")
        .gives("1 x");
    run("#include \"d/a.h\"")
        .file("d/a.h", "#include \"b.h\"")
        .file("d/b.h", "1")
        .gives("1");
    run("#include \"d/a.h\"")
        .file("d/a.h", "#include \"../b.h\"")
        .file("b.h", "1")
        .gives("1");
    run("#define H \"a.h\"\n#include H")
        .file("a.h", "1")
        .gives("1");
    run("#define H(x) <x.h>\n#include H(a)")
        .file("i/a.h", "1")
        .directory("i")
        .gives("1");
    run("#include \"a.h\"\n#include \"a.h\"")
        .file("a.h", "1")
        .gives("1 1");
    run("#include \"a.h\"\nN")
        .file("a.h", "#define N 4\n")
        .gives("4");
    run("#include \"a.h\"\n#include \"./a.h\"\n#include \"d/../a.h\"")
        .file("a.h", "#pragma once\n1")
        .gives("1");
    run("#include \"a.h\"\n#include \"a.h\"")
        .file("a.h", "// c\n#ifndef A\n#define A\n1\n#endif\n")
        .gives("1");
    run("#include <a.h>")
        .file("i/a.h", "1 \n#include_next <a.h>")
        .file("j/a.h", "2")
        .directory("i")
        .directory("j")
        .gives("1 2");
    run("#if __has_include(\"a.h\") && !__has_include(<b.h>) && !__has_include_next(\"c\")\nx\n#endif")
        .file("a.h", "").gives("x");
    fails(
        "#include \"a.h\"",
        &["PRE031 1:11 cannot find 'a.h'; searched '.'"],
    );
    run("#include \"a.h\"")
        .directory("i")
        .directory("/j")
        .fails(&["PRE031 1:11 cannot find 'a.h'; searched '.', 'i', '/j'"]);
    fails("#include", &["PRE030 1:1"]);
    fails("#include x", &["PRE030 1:1"]);
    fails("#include <x", &["PRE030 1:1"]);
    fails("#if __has_include(\n#endif", &["PRE020"]);
    let done = run("#include \"a.h\"\nx")
        .with(|o| o.quoted_not_found = Missing::Keep)
        .done();
    assert_eq!(done.out.text, "#include \"a.h\"\nx");
    assert_eq!(done.messages(), Vec::<String>::new());
    let done = run("a\n#include \"a.h\"\nb").file("a.h", "1").done();
    assert_eq!(done.out.text, "a\n1\n\nb");
    assert_eq!(done.out.dependencies, ["a.h"]);
}

#[test]
fn dependencies_and_byte_order_marks() {
    let main = "\u{feff}#if __has_include(\"b.h\")\n#include \"a.h\"\n#include \"a.h\"\n#endif";
    let done = run(main)
        .file("a.h", "\u{feff}#define N 4\nN")
        .file("b.h", "")
        .done();
    assert_eq!(tokens(&done.out.text), "4 4");
    assert_eq!(done.out.dependencies, ["b.h", "a.h"]);
}

#[test]
fn forced_includes() {
    let forced = |o: &mut Options| o.forced_includes = vec!["a.h".into(), "b.h".into()];
    run("N M")
        .file("a.h", "#define N 1\na")
        .file("i/b.h", "#define M N\nb")
        .directory("i")
        .with(forced)
        .gives("a b 1 1");
    run("x")
        .file("a.h", "#include \"b.h\"")
        .file("b.h", "#pragma once\nb")
        .with(forced)
        .gives("b x");
    run("x")
        .file("a.h", "")
        .with(forced)
        .fails(&["PRE031 <command line>:1:11 cannot find 'b.h'; searched '.'"]);
}

#[test]
fn directives_within_arguments() {
    check(
        "#define F(a) [a]\nF(1\n#if 0\n2\n#else\n3\n#endif\n#define N 4\nN) N",
        "[1 3 4] 4",
    );
    fails(
        "#define F(a) [a]\nF(1\n#include <x>\n)",
        &["PRE009 3:1 #include"],
    );
    fails(
        "#define F(a) [a]\nF(1\n#if 0\n)",
        &["PRE006 2:1", "PRE024 3:1"],
    );
}

#[test]
fn what_is_no_token() {
    fails("a /* b", &["SRC010 1:3"]);
    fails("#if 0\n/* b\n#endif", &["PRE024 1:1", "SRC010 2:1"]);
    fails("a \"b\nc", &["SRC011 1:3"]);
    fails("#define A 'x\nc", &["SRC011 1:11"]);
    fails("a \u{1} b", &["SRC012 1:3"]);
    fails("a\n\0 b \0", &["SRC002 2:1"]);
    fails("#define F(a) a\nF('x)\n)", &["SRC011 2:3"]);
}
