//! Chains are not depth: sums, `?:` and `else if` as long as programs write them are translated, whatever stack the
//! caller has; and what is nested without end is an error. Nor are lists of names squares.

use crate::support::Trial;
use brook::backend::Backend;
use brook::source::MemoryLoader;
use brook::{Options, Source, transpile};
use std::thread;
use std::time::Instant;

/// Bytes of the caller's stack.
const STACK: usize = 1 << 20;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 9] = [
        ("sums", sums),
        ("conditionals", conditionals),
        ("alternatives", alternatives),
        ("alternatives_of_the_host", alternatives_of_the_host),
        ("masks", masks),
        ("constants_of_constants", constants_of_constants),
        ("names_of_one_declaration", names_of_one_declaration),
        ("attributes_in_a_row", attributes_in_a_row),
        ("what_has_no_end_is_an_error", what_has_no_end_is_an_error),
    ];
    let trial = |(name, test): (&str, fn())| {
        let run = move || {
            test();
            Ok(())
        };
        Trial::test(name, run)
    };
    tests.into_iter().map(trial).collect()
}

/// Translates a program for two backends, on a thread with little stack; the device source of the last, or the errors.
fn translated(name: &'static str, text: String) -> Result<String, String> {
    let work = move || {
        let source = Source::new(name, text);
        let mut last = Err("no backend".to_string());
        for backend in ["openmp", "cuda"] {
            let backend = Backend::built_in(backend).unwrap();
            let result = transpile(&source, &backend, &Options::default(), &MemoryLoader::new());
            last = result
                .map(|t| t.device)
                .map_err(|report| report.to_string());
        }
        last
    };
    let thread = thread::Builder::new().stack_size(STACK);
    thread.spawn(work).unwrap().join().unwrap()
}

fn brook(body: &str) -> Result<String, String> {
    let text =
        format!("kernel void f(int a<>, float x<>, out int o<>, out float p<>) {{ {body} }}\n");
    translated("deep.br", text)
}

fn okl(body: &str) -> Result<String, String> {
    let text = format!(
        "@kernel void f(const int n, const int *a, const float *x, int *o, float *p) {{\n\
         for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) {{ {body} }}\n}}\n"
    );
    translated("deep.okl", text)
}

fn chain(count: usize, link: impl Fn(usize) -> String, between: &str) -> String {
    let links: Vec<String> = (0..count).map(link).collect();
    links.join(between)
}

fn sums() {
    let sum = |name: &str| chain(1000, |_| name.to_string(), " + ");
    let text = brook(&format!("o = {}; p = {};", sum("a"), sum("x"))).unwrap();
    assert!(text.contains(&format!("o = (int)((unsigned int){});", sum("a"))));
    assert!(text.contains(&format!("p = {};", sum("x"))));
    let text = okl(&format!("o[i] = {}; p[i] = {};", sum("a[i]"), sum("x[i]"))).unwrap();
    assert!(text.contains(&format!("p[i] = {};", sum("x[i]"))));
}

/// Each mentions the one before it twice: written out, the last one has as many names as memory has bytes.
fn constants_of_constants() {
    let each = |i: usize| format!("const int v{i} = v{0} + (v{0} < 3 ? v{0} : 1);", i - 1);
    let lines = (1..64).map(each).collect::<Vec<_>>().join(" ");
    let text = okl(&format!("const int v0 = i; {lines} o[i] = v63;")).unwrap();
    assert!(text.contains("o[i] = v63;"));
}

/// Eight times as many names take some eight times as long: what looks at all of them for each takes 64 times.
fn names_of_one_declaration() {
    let time = |count: usize| {
        let names = chain(count, |i| format!("u{i}"), ", ");
        let body = format!("int {names}; u3 = a[i]; o[i] = u3;");
        let runs = (0..3).map(|_| {
            let begin = Instant::now();
            okl(&body).unwrap();
            begin.elapsed()
        });
        runs.min().unwrap()
    };
    let (few, many) = (time(2_000), time(16_000));
    assert!(many < few * 32, "{few:?}, {many:?}");
}

/// The same of attributes that are unknown or stand where they must not, whose messages each have a picture.
fn attributes_in_a_row() {
    let function = "void f(int a) {}\n";
    let loops = "for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) o[i] = 1;";
    let texts: [&dyn Fn(&str) -> String; 4] = [
        &|row| row.to_string(),
        &|row| format!("{row}{function}"),
        &|row| format!("{function}int x {row};\n"),
        &|row| format!("@kernel void f(const int n, int *o) {{ {row}{loops} }}\n"),
    ];
    for (text, word) in texts.iter().zip(["@foo ", "@outer ", "@foo ", "@foo "]) {
        let time = |count: usize, runs: usize| {
            let text = text(&word.repeat(count));
            let runs = (0..runs).map(|_| {
                let begin = Instant::now();
                let messages = translated("row.okl", text.clone()).unwrap_err();
                assert!(messages.matches(word.trim()).count() >= count);
                begin.elapsed()
            });
            runs.min().unwrap()
        };
        let (few, many) = (time(250, 2), time(2_000, 1));
        assert!(many < few * 24, "{word}: {few:?}, {many:?}");
    }
}

fn conditionals() {
    let choices = |name: &str| chain(5000, |i| format!("{name} == {i} ? {i}"), " : ");
    let text = brook(&format!("o = {} : -1;", choices("a"))).unwrap();
    assert!(text.contains(&format!("o = {} : -1;", choices("a"))));
    let text = okl(&format!("o[i] = {} : -1;", choices("a[i]"))).unwrap();
    assert!(text.contains(&format!("o[i] = {} : -1;", choices("a[i]"))));
}

fn alternatives() {
    let brook_chain = chain(300, |i| format!("if (a == {i}) o = {i};"), " else ");
    let text = brook(&format!("o = 0; {brook_chain}")).unwrap();
    assert!(text.contains(&brook_chain));
    let okl_chain = chain(300, |i| format!("if (a[i] == {i}) o[i] = {i};"), " else ");
    assert!(okl(&okl_chain).unwrap().contains(&okl_chain));
    // Around the nests they are the host's.
    let host = chain(300, |i| format!("if (n == {i}) k = {i};"), " else ");
    let text = format!(
        "@kernel void f(const int n, int *o) {{ int k = -1; {host}\n\
         for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) o[i] = k;\n}}\n"
    );
    assert!(translated("deep.okl", text).is_ok());
}

/// What the host does is written, read again and let go with the caller's stack, however long its rows are.
fn alternatives_of_the_host() {
    let calm = chain(3000, |i| format!("if (n == {i}) k = {i};"), " else ");
    let busy = chain(
        3000,
        |i| format!("if ((j += 1) == n) {{ k = {i}; break; }}"),
        " else ",
    );
    let text = format!(
        "int chosen(int n) {{ int k = -1; {calm} else k = 7; return k; }}\n\
         @kernel void f(const int n, int *o) {{ int k = -1, j = 0; {calm} else k = chosen(n);\n\
         while (j < 9000) {{ {busy} else k = -2; }}\n\
         for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) o[i] = k;\n}}\n"
    );
    let work = move || {
        let source = Source::new("deep.okl", text);
        for backend in ["cuda", "openmp"] {
            let backend = Backend::built_in(backend).unwrap();
            let (options, loader) = (Options::default(), MemoryLoader::new());
            let translation = transpile(&source, &backend, &options, &loader).unwrap();
            // No deeper than any reader of JSON goes.
            let written = serde_json::to_string(&translation.metadata).unwrap();
            let read: serde_json::Value = serde_json::from_str(&written).unwrap();
            assert!(read.is_object());
        }
    };
    let thread = thread::Builder::new().stack_size(STACK);
    thread.spawn(work).unwrap().join().unwrap();
}

/// A loop that elements leave at different times runs with masks, unless these stand inside each other without end.
fn masks() {
    let all = chain(1000, |i| format!("if (x < {i}.0f) p += {i}.0f;"), " else ");
    let text = brook(&format!(
        "float v = x; p = 0.0f; while (v < 100.0f) {{ v = v * 1.5f + 1.0f; {all} }}"
    ));
    assert!(text.unwrap().contains(&all));
}

fn what_has_no_end_is_an_error() {
    for count in [15_000] {
        let brackets = format!("{}a{}", "(".repeat(count), ")".repeat(count));
        for result in [
            brook(&format!("o = {brackets};")),
            okl(&format!("o[i] = {};", brackets.replace('a', "n"))),
            brook(&format!("o = {};", chain(count, |_| "a".into(), " - "))),
            okl(&format!("{}{}", "{".repeat(count), "}".repeat(count))),
            brook(&format!("o = {}a;", "- ".repeat(count))),
        ] {
            let error = result.unwrap_err();
            assert!(
                error.contains("SRC021"),
                "{}",
                &error[..error.len().min(300)]
            );
        }
    }
}
