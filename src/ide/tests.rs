#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::*;
use crate::source::MemoryLoader;

const HEADER: &str = "#pragma once\n\
    #define BLOCK 32\n\
    #define SQUARE(x) ((x) * (x))\n\
    #define READ(i) a[i]\n\
    typedef float real;\n\
    struct Point { real x, y; };\n\
    inline real scaled(real v, real by) { return v * by; }\n";

const MAIN: &str = "#include \"point.h\"\n\
    // Sums of squares.\n\
    @kernel void sums(const int n, @restrict const real *a, Point *out) {\n\
      for (int i = 0; i < n; ++i; @tile(BLOCK, @outer, @inner)) {\n\
        const real first = scaled(READ(i), 2.0f);\n\
        out[i].x = SQUARE(first);\n\
        out[i].y = scaled(first, n);\n\
      }\n\
    }\n\
    @kernel void shared(const int n, real *m @dim(n, n)) {\n\
      for (int b = 0; b < n; ++b; @outer) {\n\
        @shared real s[16];\n\
        for (int t = 0; t < 16; ++t; @inner) { s[t] = m(b, t); }\n\
        for (int t = 0; t < 16; ++t; @inner) { m(b, t) = s[15 - t]; }\n\
      }\n\
    }\n";

pub(super) fn analysis(name: &str, text: &str, header: &str) -> Analysis {
    let loader = MemoryLoader::default().with("point.h", header);
    Analysis::new(
        Source::new(name, text),
        Backend::built_in("cuda").unwrap(),
        Options::default(),
        Rc::new(loader),
    )
}

fn main_file() -> Analysis {
    analysis("a.okl", MAIN, HEADER)
}

/// The beginning of the `nth` of such words in a file, and so many bytes more.
fn place(of: &Analysis, file: &str, word: &str, nth: usize) -> Location {
    let id = of.file(file).unwrap();
    let text = &of.files().get(id).unwrap().text;
    let (at, _) = text.match_indices(word).nth(nth).unwrap();
    Location {
        file: id,
        span: Span::at(at as u32),
    }
}

/// `file:line:column`
pub(super) fn shown(of: &Analysis, places: &[Location]) -> Vec<String> {
    let one = |at: &Location| {
        let file = of.files().get(at.file).unwrap();
        let (line, column) = file.line_column(at.span.start);
        format!("{}:{line}:{column}", file.name)
    };
    places.iter().map(one).collect()
}

pub(super) fn hover(of: &Analysis, word: &str, nth: usize) -> String {
    let found = of.hover(place(of, "a.okl", word, nth));
    found.map_or(String::new(), |h| h.text)
}

#[test]
fn sound_sources_say_nothing() {
    let of = main_file();
    assert!(of.report().diagnostics.is_empty(), "{}", of.report());
}

#[test]
fn declarations_are_found_through_headers_and_macros() {
    let of = main_file();
    let definition = |word: &str, nth: usize| {
        let places = of.definition(place(&of, "a.okl", word, nth));
        shown(&of, &places)
    };
    assert_eq!(definition("scaled", 0), ["point.h:7:13"]);
    assert_eq!(definition("first", 1), ["a.okl:5:12"]);
    assert_eq!(definition("Point", 0), ["point.h:6:8"]);
    assert_eq!(definition("x = ", 0), ["point.h:6:21"]);
    assert_eq!(definition("BLOCK", 0), ["point.h:2:9"]);
    assert_eq!(definition("SQUARE", 0), ["point.h:3:9"]);
    assert_eq!(definition("real *a", 0), ["point.h:5:15"]);
    assert_eq!(definition("\"point.h\"", 0), ["point.h:1:1"]);
    // The argument of a macro.
    assert_eq!(definition("i), 2", 0), ["a.okl:4:10"]);
    // What a macro's body means where it is used.
    let inside = of.definition(place(&of, "point.h", "a[i]", 0));
    assert_eq!(shown(&of, &inside), ["a.okl:3:54"]);
    // An attribute's argument.
    assert_eq!(definition("n, n)) {", 0), ["a.okl:10:31"]);
}

#[test]
fn uses_are_found() {
    let of = main_file();
    let uses = |word: &str, nth: usize| shown(&of, &of.references(place(&of, "a.okl", word, nth)));
    assert_eq!(
        uses("scaled", 1),
        ["a.okl:5:20", "a.okl:7:12", "point.h:7:13"]
    );
    assert_eq!(uses("a, Point", 0), ["a.okl:3:54", "point.h:4:17"]);
    assert_eq!(uses("BLOCK", 0), ["a.okl:4:35", "point.h:2:9"]);
    let n = uses("n, real *m", 0);
    assert_eq!(
        n,
        ["a.okl:10:31", "a.okl:10:47", "a.okl:10:50", "a.okl:11:21"]
    );
}

#[test]
fn names_are_changed_everywhere_or_nowhere() {
    let of = main_file();
    let rename = |word: &str, nth: usize, new: &str| {
        let found = of.rename(place(&of, "a.okl", word, nth), new);
        found.map(|places| shown(&of, &places))
    };
    let three = ["a.okl:5:12", "a.okl:6:19", "a.okl:7:19"];
    assert_eq!(rename("first", 1, "second").unwrap(), three);
    assert_eq!(
        rename("a, Point", 0, "values").unwrap(),
        ["a.okl:3:54", "point.h:4:17"]
    );
    assert!(rename("first", 1, "out").unwrap_err().contains("already"));
    assert!(rename("first", 1, "for").unwrap_err().contains("language"));
    assert!(rename("first", 1, "2x").unwrap_err().contains("no name"));
    assert!(rename("first", 1, "BLOCK").unwrap_err().contains("macro"));
    assert_eq!(
        rename("BLOCK", 0, "p_block").unwrap(),
        ["a.okl:4:35", "point.h:2:9"]
    );
    let text = "#define GLUE(a, b) a##b\n@kernel void k(int *out) {\n\
        for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 4; ++j; @inner) out[i] = GLUE(i, );\n}\n";
    let of = analysis("a.okl", text, "");
    let glued = of.rename(place(&of, "a.okl", "i = 0", 0), "k2");
    assert!(glued.is_err() || glued.unwrap().len() >= 4);
}

#[test]
fn hovers_say_what_counts() {
    let of = main_file();
    assert_eq!(
        hover(&of, "first", 1),
        "```cpp\nconst real first = scaled(READ(i), 2.0f)\n```\n\n`float`\n\nprivate: one for each item"
    );
    assert!(hover(&of, "a, Point", 0).contains("global: the device's memory"));
    assert!(hover(&of, "n, @restrict", 0).contains("an argument: the same for all items"));
    assert!(hover(&of, "s[16]", 0).contains("shared: one for all items of a group"));
    assert!(hover(&of, "scaled", 0).contains("inline real scaled(real v, real by)"));
    assert!(hover(&of, "SQUARE", 0).contains("#define SQUARE(x) ((x) * (x))"));
    let outer = hover(&of, "for (int b", 0);
    assert!(
        outer.contains("**Over groups**, axis x: `n` of them"),
        "{outer}"
    );
    assert!(outer.contains("| cuda | `blockIdx.x` |"), "{outer}");
    assert!(
        outer.contains("| openmp | a loop that threads share out |"),
        "{outer}"
    );
    let inner = hover(&of, "for (int t", 0);
    assert!(inner.contains("`16` of them"), "{inner}");
    assert!(inner.contains("| opencl | `get_local_id(0)` |"), "{inner}");
    assert!(inner.contains("wait for each other"), "{inner}");
    let tile = hover(&of, "tile", 0);
    assert!(
        tile.contains("**@tile**") && tile.contains("**Over groups**"),
        "{tile}"
    );
    assert!(
        tile.contains("**Over the items of a group**, axis x: `32`"),
        "{tile}"
    );
}

#[test]
fn hints_stand_where_the_language_adds_something() {
    let of = main_file();
    let file = of.file("a.okl").unwrap();
    let hints = of.hints(file).into_iter();
    let hints: Vec<String> = hints
        .map(|h| format!("{} {}", shown(&of, &[h.at])[0], h.text))
        .collect();
    assert_eq!(
        hints,
        [
            "a.okl:4:58 (n + 31) / 32 groups of 32",
            "a.okl:4:58 items x 0..32",
            "a.okl:11:36 n groups of 16",
            "a.okl:13:37 items x 0..16",
            "a.okl:13:57 barrier",
            "a.okl:14:37 items x 0..16",
        ]
    );
}

#[test]
fn completions_know_what_is_visible() {
    let labels = |text: &str| -> Vec<String> {
        let at = text.find('^').unwrap();
        let of = analysis("a.okl", &text.replacen('^', "", 1), HEADER);
        let place = Location {
            file: of.file("a.okl").unwrap(),
            span: Span::at(at as u32),
        };
        let all = of.completions(place).into_iter();
        all.map(|c| c.label).collect()
    };
    let has = |all: &[String], word: &str| all.iter().any(|l| l == word);
    let inside = labels(&MAIN.replace("out[i].x = SQUARE(first);", "out[i].x = fi^"));
    for word in [
        "first",
        "n",
        "scaled",
        "BLOCK",
        "sums",
        "sqrt",
        "Point",
        "okl_exp10f",
        "for",
    ] {
        assert!(has(&inside, word), "{word}");
    }
    assert!(!has(&inside, "s") && !has(&inside, "b") && !has(&inside, "y"));
    assert_eq!(
        labels(&MAIN.replace("out[i].x = SQUARE(first);", "out[i].^")),
        ["x", "y"]
    );
    let attributes = labels(&MAIN.replace("@shared real s[16];", "@sh^"));
    assert!(has(&attributes, "shared") && has(&attributes, "tile") && !has(&attributes, "n"));
    assert!(labels(&MAIN.replace("Sums of squares.", "Su^")).is_empty());
}

#[test]
fn files_have_symbols_and_folds() {
    let of = main_file();
    let file = of.file("a.okl").unwrap();
    let names: Vec<String> = of.symbols(file).into_iter().map(|s| s.name).collect();
    assert_eq!(names, ["sums", "shared"]);
    let header = of.symbols(of.file("point.h").unwrap());
    let names: Vec<&str> = header.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["real", "Point", "scaled"]);
    let inside: Vec<&str> = header[1].inside.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(inside, ["x", "y"]);
    let kernels: Vec<String> = of.kernels(file).into_iter().map(|(n, _)| n).collect();
    assert_eq!(kernels, ["sums", "shared"]);
    let text = "/* a\n b */\n// c\n// d\nvoid f() {\n}\n#if A\nint a;\n#else\nint b;\n#endif\n";
    let folded: Vec<(&str, bool)> = folds(text)
        .into_iter()
        .map(|(s, c)| (s.of(text), c))
        .collect();
    assert_eq!(
        folded,
        [
            ("/* a\n b */", true),
            ("// c\n// d", true),
            ("{\n", false),
            ("#if A\nint a;", false),
            ("#else\nint b;", false),
        ]
    );
}

#[test]
fn words_have_classes() {
    let of = main_file();
    let file = of.file("a.okl").unwrap();
    let text = &of.files().get(file).unwrap().text;
    let classes = of.classes(file);
    let class = |word: &str| {
        let found = classes.iter().find(|(span, _)| span.of(text) == word);
        found.map(|(_, class)| *class)
    };
    let name = |kind, constant, declares| {
        Some(TokenClass::Name {
            kind,
            constant,
            declares,
        })
    };
    assert_eq!(class("@kernel"), Some(TokenClass::Attribute));
    assert_eq!(class("BLOCK"), Some(TokenClass::Macro));
    assert_eq!(class("sums"), name(NameKind::Kernel, false, true));
    assert_eq!(class("scaled"), name(NameKind::Function, false, false));
    assert_eq!(class("n"), name(NameKind::Parameter, true, true));
    assert_eq!(class("x"), name(NameKind::Field, false, false));
    assert_eq!(class("real"), name(NameKind::Type, false, false));
}

#[test]
fn host_code_of_brook_is_understood_with_its_kernels() {
    let text = "kernel void add(float a<>, float b<>, out float c<>) { c = a + b; }\n\
        int main(void) {\n  float x<10>;\n  float y<10>;\n  float z<10>;\n  add(x, y, z);\n  return 0;\n}\n";
    let of = analysis("a.br", text, "");
    assert!(of.report().diagnostics.is_empty(), "{}", of.report());
    let at = |word: &str, nth: usize| place(&of, "a.br", word, nth);
    assert_eq!(shown(&of, &of.definition(at("add", 1))), ["a.br:1:13"]);
    assert_eq!(
        shown(&of, &of.references(at("add", 0))),
        ["a.br:1:13", "a.br:6:3"]
    );
    assert_eq!(
        shown(&of, &of.references(at("x<10>", 0))),
        ["a.br:3:9", "a.br:6:7"]
    );
    let hover = of.hover(at("a + b", 0)).unwrap().text;
    assert!(
        hover.contains("float a<>") && hover.contains("a stream"),
        "{hover}"
    );
    let file = of.file("a.br").unwrap();
    assert_eq!(of.kernels(file).len(), 1);
}

/// Whatever is typed on the way: answers may be poor, but nothing fails.
#[test]
fn every_beginning_of_a_source_has_answers() {
    for end in (0..MAIN.len()).step_by(7) {
        let of = analysis("a.okl", &MAIN[..end], HEADER);
        let Some(file) = of.file("a.okl") else {
            continue;
        };
        for at in [end / 2, end] {
            let place = Location {
                file,
                span: Span::at(at as u32),
            };
            let _ = (of.hover(place), of.definition(place), of.references(place));
            let _ = (of.completions(place), of.rename(place, "other"));
        }
        let _ = (
            of.symbols(file),
            of.classes(file),
            of.hints(file),
            folds(&MAIN[..end]),
        );
    }
}

/// What was parsed before makes no difference.
#[test]
fn texts_that_change_are_as_texts_from_the_beginning() {
    let more = "@kernel void more(int *a) {\n  for (int i = 0; i < 4; ++i; @outer)\n    \
        for (int j = 0; j < 4; ++j; @inner) a[i] = j;\n}\n";
    let long = format!("{MAIN}{more}{}", "/* filler */\n".repeat(200));
    let say = |of: &Analysis| -> Vec<String> {
        let all = of.report().diagnostics.iter();
        all.map(|d| format!("{} {} {:?}", d.code.id, d.message, d.location))
            .collect()
    };
    for (from, to) in [
        ("a[i] = j", "a[i] = j + 1"),
        ("a[i] = j", "a[j] = k"),
        ("int *a)", "int *a, int *b)"),
        ("SQUARE(first)", "SQUARE(first"),
        ("@inner) a", "@inner) { a"),
        ("n)) {", "n, n)) {"),
    ] {
        let changed = long.replace(from, to);
        // On this thread, behind the sound text.
        let _ = analysis("a.okl", &long, HEADER);
        let behind = say(&analysis("a.okl", &changed, HEADER));
        let fresh = std::thread::spawn(move || say(&analysis("a.okl", &changed, HEADER)));
        assert_eq!(behind, fresh.join().unwrap(), "{from} -> {to}");
    }
}

/// A rename is refused unless all of its uses are known and the program means the same afterwards.
#[test]
fn what_cannot_be_renamed_safely_is_refused() {
    let around = |declared: &str, body: &str| {
        format!(
            "{declared}\n@kernel void k(const int n, const int ny, int *out) {{\n\
             for (int g = 0; g < n; ++g; @tile(4, @outer, @inner)) {{ {body} }}\n}}\n"
        )
    };
    for (declared, body, word, nth, new) in [
        // Members of what is not known.
        (
            "template <class T> T larger(T a, T b) { return a.norm() < b.norm() ? b : a; }\nstruct V { int norm() { return 1; } };",
            "out[g] = n;",
            "norm() {",
            0,
            "fresh",
        ),
        // What a macro's body declares hides what is called so outside.
        (
            "#define ADD { int x = 1; out[g] = x + ny; }",
            "ADD",
            "ny",
            1,
            "x",
        ),
        // Branches that are not taken.
        (
            "",
            "\n#ifdef FAST\nout[g] = ny;\n#else\nout[g] = ny + 1;\n#endif\n",
            "ny",
            0,
            "fresh",
        ),
        // Words that are no names, and names that are known elsewhere.
        ("", "out[g] = n;", "ny", 0, "restrict"),
        ("", "out[g] = n;", "ny", 0, "__inline__"),
        ("", "out[g] = (int)floor(2.5f);", "ny", 0, "floor"),
        (
            "#define KIND(k) P_##k\n#define P_one 1",
            "out[g] = KIND(one);",
            "P_one",
            0,
            "fresh",
        ),
    ] {
        let text = around(declared, body);
        let of = analysis("a.okl", &text, "");
        let place = place(&of, "a.okl", word, nth);
        let found = of.rename(place, new);
        assert!(
            found.is_err(),
            "{text}\n{:?}",
            found.map(|p| shown(&of, &p))
        );
    }
    // Two kernels share the body of a macro, each with its own 'x'.
    let one = "@kernel void one(int *x) { for (int g = 0; g < 4; ++g; @tile(4, @outer, @inner)) { SET } }\n";
    let text = format!("#define SET x[g] = g;\n{one}{}", one.replace("one", "two"));
    let of = analysis("a.okl", &text, "");
    let found = of.rename(place(&of, "a.okl", "x) {", 0), "fresh");
    assert!(found.unwrap_err().contains("something else, too"));
    // A variable that is called as an attribute is.
    let text = "@kernel void k(const int outer, int *out) {\n\
        for (int i = 0; i < outer; ++i; @tile(4, @outer, @inner)) { out[i] = outer; }\n}\n";
    let of = analysis("a.okl", text, "");
    let found = of.rename(place(&of, "a.okl", "outer", 0), "fresh").unwrap();
    assert_eq!(
        shown(&of, &found),
        ["a.okl:1:26", "a.okl:2:21", "a.okl:2:70"]
    );
    // A class and its constructor.
    let text = around(
        "struct S { int m; S(int q) : m(q) {} };",
        "S s(g); out[g] = s.m;",
    );
    let of = analysis("a.okl", &text, "");
    let found = of.rename(place(&of, "a.okl", "S {", 0), "Fresh");
    assert!(found.is_err() || found.unwrap().len() == 3);
}

#[test]
fn symbols_have_names_and_lie_in_each_other() {
    let text = "namespace N {\nconst int w = 3;\nenum { a, b };\nnamespace { const int u = 1; }\n}\nunion { int x; } g;\n\
        @kernel void k(int *out) { for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) { out[i] = N::w; } }\n";
    let of = analysis("a.okl", text, "");
    fn check(all: &[Symbol]) {
        for symbol in all {
            assert!(!symbol.name.is_empty(), "{symbol:?}");
            assert!(symbol.whole.span.contains(symbol.at.span), "{symbol:?}");
            for inside in &symbol.inside {
                assert!(symbol.whole.span.contains(inside.whole.span), "{symbol:?}");
            }
            check(&symbol.inside);
        }
    }
    let symbols = of.symbols(of.file("a.okl").unwrap());
    check(&symbols);
    assert!(
        symbols
            .iter()
            .any(|s| s.name == "N" && !s.inside.is_empty())
    );
}
