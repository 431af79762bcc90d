//! Passes over single loops: interchange, lanes, guard sinking.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::{Inside, accumulations, dissolving, interchanges, scattered, sinking_guards};
use crate::backend::Backend;
use crate::body::{Body, Program};
use crate::facts::Definitions;
use crate::source::FileLoader;
use crate::{Options, Source};

/// What somebody says of the first kernel of a text.
fn said(source: &str, ask: impl Fn(&Program, &Body, &str) -> String) -> String {
    let backend = Backend::built_in("openmp").unwrap();
    let given = Source::new("a.okl", source);
    let made = crate::transpile::bodies(&given, &backend, &Options::default(), &FileLoader);
    let (module, program, _) = made.unwrap_or_else(|report| panic!("{report}"));
    let body = program.bodies.iter().find(|b| b.kernel).unwrap();
    ask(&program, body, &module.text)
}

/// The variables of loops in loops over items: `x: i j`.
fn inside(found: &[Inside], text: &str) -> String {
    let variable = |at: crate::source::Span| {
        let (head, _) = at.of(text).split_once(['=', '{']).unwrap();
        head.trim().rsplit([' ', '(']).next().unwrap().to_string()
    };
    let found = found.iter().map(|f| {
        let loops: Vec<String> = f.loops.iter().map(|l| variable(*l)).collect();
        format!("{}: {}", variable(f.leaf), loops.join(" "))
    });
    found.collect::<Vec<_>>().join(", ")
}

/// A kernel whose items do something.
fn items(statements: &str) -> String {
    format!(
        "enum {{ rows = 4 }};\n\
         float f(float a) {{ return a; }}\n\
         @kernel void k(const int n, const float *a, float *o, float *p) {{\n\
         for (int g = 0; g < n; ++g; @outer) {{ @shared float s[64]; @exclusive float e[4];\n\
         for (int x = 0; x < 8; ++x; @inner) {{ {statements} }} }} }}"
    )
}

fn interchanged(statements: &str, expected: &str) {
    let found = said(&items(statements), |program, body, text| {
        inside(&interchanges(program, body, &Definitions::of(body)), text)
    });
    assert_eq!(found, expected, "{statements}");
}

#[test]
fn copies_change_places_with_items() {
    interchanged("for (int i = 0; i < 4; ++i) s[i * 8 + x] = a[x];", "x: i");
    interchanged("for (int i = 0; i < rows; i += 2) { e[i] = 0; }", "x: i");
    interchanged(
        "for (int i = 0; i < 4; ++i) { { for (int j = 8; j > 0; j--) { float t = f(a[j]); o[x + i] = t; } } }",
        "x: i j",
    );
    interchanged(
        "for (int i = 0; i < 4; ++i) if (a[i] > 0) { o[i] = a[x]; } else p[i] = 1;",
        "x: i",
    );
    // Another array, or the other side of a pointer, is no sum.
    interchanged("for (int i = 0; i < 4; ++i) o[i] = p[i] + a[i];", "x: i");
    // Something stands beside the loop.
    interchanged("for (int i = 0; i < 4; ++i) o[i] = 1; o[x] = 2;", "");
    interchanged("float t = 1; for (int i = 0; i < 4; ++i) o[i] = t;", "");
    interchanged("o[x] = 1;", "");
    interchanged("if (x) for (int i = 0; i < 4; ++i) o[i] = 1;", "");
}

fn accumulated(statements: &str, expected: &str) {
    let found = said(&items(statements), |program, body, text| {
        let all = accumulations(program, body, &Definitions::of(body));
        let said = all.iter().map(|a| {
            let held = a
                .temporaries
                .iter()
                .map(|t| format!(" {} {}", t.name, t.uses.len()));
            let loops: Vec<&str> = a.elements.iter().map(|(_, name)| name.as_str()).collect();
            let (update, held) = (a.update.of(text), held.collect::<String>());
            format!("{} in {}{held}: {update}", a.rounds.1, loops.join(" "))
        });
        said.collect::<Vec<_>>().join(", ")
    });
    assert_eq!(found, expected, "{statements}");
}

#[test]
fn elements_grow_in_registers() {
    accumulated(
        "for (int k = 0; k < 8; ++k) for (int i = 0; i < 4; ++i) e[i] += s[k];",
        "8 in i: e[i] += s[k]",
    );
    accumulated(
        "const float t = a[x]; for (int k = 1; k < 8; ++k) { float of[4]; \
         for (int i = 0; i < 4; ++i) of[i] = s[i + x]; const float b = s[k]; \
         for (int i = 0; i < 4; ++i) { e[i] *= of[i] * b + t * b; } }",
        "7 in i of 1 b 2: e[i] *= of[i] * b + t * b",
    );
    // Rounds that nobody can count, an element that rounds count, or that is one for all of them.
    accumulated(
        "for (int k = 0; k < n; ++k) for (int i = 0; i < 4; ++i) e[i] += s[k];",
        "",
    );
    accumulated(
        "for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) e[k] += s[i];",
        "",
    );
    accumulated(
        "for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) e[0] += s[k];",
        "",
    );
    accumulated(
        "for (int k = 0; k < 4; ++k) for (int i = 0; i < 3; ++i) e[i + 1] += s[k];",
        "",
    );
    accumulated(
        "for (int k = 0; k < 4; ++k) for (int i = k; i < 4; ++i) e[i] += s[k];",
        "",
    );
    // What others see, reads itself, or may be read by way of its address.
    accumulated(
        "for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) s[i] += a[k];",
        "",
    );
    accumulated(
        "for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) e[i] += e[k];",
        "",
    );
    accumulated(
        "float *p = e; for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) e[i] += p[0];",
        "",
    );
    accumulated(
        "const float t = e[0]; for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) e[i] += t;",
        "",
    );
    // Something is called, written twice, or stands beside it; lanes would read out of line again and again.
    accumulated(
        "for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) e[i] += f(s[k]);",
        "",
    );
    accumulated(
        "for (int k = 0; k < 4; ++k) { float t = s[k]; t = a[k]; for (int i = 0; i < 4; ++i) e[i] += t; }",
        "",
    );
    accumulated(
        "for (int k = 0; k < 4; ++k) { for (int i = 0; i < 4; ++i) e[i] += s[k]; o[x] = 1; }",
        "",
    );
    accumulated(
        "for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) e[i] += s[k]; o[x] = 1;",
        "",
    );
    accumulated(
        "for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) e[i] += a[x * 8 + k];",
        "",
    );
    // A name would mean something else.
    accumulated(
        "const int i = x; const float t = s[i]; for (int k = 0; k < 4; ++k) for (int i = 0; i < 4; ++i) e[i] += t;",
        "",
    );
    accumulated(
        "for (int i = 0; i < 4; ++i) for (int i = 0; i < 4; ++i) e[i] += s[x];",
        "",
    );
    accumulated(
        "for (int k = 0; k < 4; ++k) { const float t = a[g]; for (int g = 0; g < 4; ++g) e[g] += t; }",
        "",
    );
}

#[test]
fn copies_that_scatter_are_no_vectors() {
    let is = |statements: &str| {
        said(&items(statements), |program, body, _| {
            scattered(program, body, &Definitions::of(body))
                .len()
                .to_string()
        })
    };
    let rewritten = |statements: &str, expected: &str| {
        let found = said(&items(statements), |program, body, text| {
            let all = scattered(program, body, &Definitions::of(body));
            let all = all.iter().flat_map(|(_, rewritten)| rewritten);
            let all = all.map(|r| format!("{} is {}", r.span.of(text), r.text));
            all.collect::<Vec<_>>().join(", ")
        });
        assert_eq!(found, expected, "{statements}");
    };
    rewritten(
        "for (int k = 0; k < 4; ++k) { const int i = x + 8 * k; s[i % 16] = a[i / 16 * n]; }",
        "i % 16 is ((8 * k) % 16 + x), i / 16 is ((8 * k) / 16)",
    );
    rewritten(
        "s[(x + 24) % 16] = a[x];",
        "(x + 24) % 16 is ((24) % 16 + x)",
    );
    // What all have in common might leave a multiple out, be negative, or not be known.
    rewritten(
        "for (int k = 0; k < 4; ++k) s[(x + 4 * k) % 16] = a[x];",
        "",
    );
    rewritten(
        "for (int k = -4; k < 4; ++k) s[(x + 8 * k) % 16] = a[x];",
        "",
    );
    rewritten(
        "for (int k = 4; k >= 0; --k) s[(x + 8 * k) % 16] = a[x];",
        "",
    );
    rewritten("s[(x + 8 * n) % 16] = a[x];", "");
    rewritten("s[(2 * x) % 16] = a[x];", "");
    rewritten("s[(8 - x) % 16] = a[x];", "");
    rewritten("s[x % 12] = a[x];", "");
    rewritten("s[(x + 8u) % 16] = a[x];", "");
    // The name would mean something else; of another loop it may be.
    rewritten(
        "for (int k = 0; k < 4; ++k) { const int t = 8 * k; for (int k = 0; k < 4; ++k) s[(x + t) % 16] = a[x]; }",
        "",
    );
    rewritten(
        "for (int g = 0; g < 16; g += 8) s[(x + g) % 16] = a[x]; for (int g = 0; g < 4; ++g) o[x] = a[x];",
        "(x + g) % 16 is ((g) % 16 + x)",
    );
    assert_eq!(is("s[x % 4 * 8 + x / 4] = a[x];"), "1");
    assert_eq!(is("s[3 * x + 1] = a[x / 2];"), "0");
    assert_eq!(is("s[x % 4 * 8 + x / 4] = 2 * a[x];"), "0");
    assert_eq!(is("const float t = a[x]; o[n * x] = t;"), "0");
}

#[test]
fn sums_stay_within_items() {
    interchanged("for (int i = 0; i < 4; ++i) o[x] += a[i];", "");
    interchanged("for (int i = 0; i < 4; ++i) o[x] = o[x] + a[i];", "");
    interchanged("for (int i = 0; i < 4; ++i) e[i] = f(e[i]);", "");
    interchanged("for (int i = 0; i < 4; ++i) *o = *o + 1;", "");
    interchanged(
        "for (int i = 0; i < 4; ++i) { int m = i; m++; o[m] = 1; }",
        "",
    );
}

#[test]
fn rounds_that_differ_stay_within_items() {
    // Items count differently, or one after the other.
    interchanged("for (int i = 0; i < x; ++i) o[i] = 1;", "");
    interchanged("for (int i = x; i < 4; ++i) o[i] = 1;", "");
    interchanged("for (int i = 0; i < n; ++i) o[i] = 1;", "");
    interchanged("for (int i = 0; i < 4; i += n) o[i] = 1;", "");
    interchanged("for (int i = 0; i < a[0]; ++i) o[i] = 1;", "");
    interchanged(
        "for (int i = 0; i < 4; ++i) for (int j = i; j < 4; ++j) o[j] = 1;",
        "",
    );
    interchanged("int i = 0; for (; i < 4; ++i) o[i] = 1;", "");
    interchanged("for (int i = 0, m = 1; i < 4; ++i) o[m] = 1;", "");
    interchanged("for (int i = 0; i < 4; ++i) { o[i] = 1; i = 2; }", "");
    interchanged(
        "for (int i = 0; i < 4; ++i) { int *q = &i; o[*q] = 1; }",
        "",
    );
    interchanged("for (int i = 0; i < 4; ++i) { int &q = i; o[q] = 1; }", "");
    // Somebody leaves, waits, or does what is not known.
    interchanged(
        "for (int i = 0; i < 4; ++i) { if (a[x] > 0) break; o[i] = 1; }",
        "",
    );
    interchanged(
        "for (int i = 0; i < 4; ++i) { if (a[x] > 0) continue; o[i] = 1; }",
        "",
    );
    interchanged(
        "for (int i = 0; i < 4; ++i) { if (a[x] > 0) return; o[i] = 1; }",
        "",
    );
    interchanged(
        "for (int i = 0; i < 4; ++i) { s[x] = a[i]; @barrier; o[i] = s[7 - x]; }",
        "",
    );
    interchanged("for (int i = 0; i < 4; ++i) o[i] = __unknown(x);", "");
    interchanged("for (int i = 0; i < 4; ++i) while (o[i] < 1) o[i] = 2;", "");
    interchanged("for (int i = 0; i < 4; ++i) @atomic o[i] += 1;", "");
}

fn dissolved(statements: &str, expected: &str) {
    let found = said(&items(statements), |program, body, text| {
        inside(&dissolving(program, body), text)
    });
    assert_eq!(found, expected, "{statements}");
}

#[test]
fn arrays_dissolve_into_their_elements() {
    dissolved("float t[2] = {a[x], 1}; o[x] = t[0] + t[1];", "x: ");
    dissolved(
        "float t[4]; for (int i = 0; i < 4; ++i) t[i] = a[i]; for (int j = 0; j < 3; ++j) o[j] = t[j + 1];",
        "x: i j",
    );
    dissolved(
        "float t[2][2]; for (int i = 0; i < 2; ++i) { for (int j = 0; j < 2; ++j) t[i][1 - j] = a[j]; } o[x] = t[rows - 4][0];",
        "x: i j",
    );
    // Loops that keep no array may stay.
    dissolved(
        "float t[1]; t[0] = 0; for (int i = 0; i < n; ++i) t[0] += a[i]; o[x] = t[0];",
        "x: ",
    );
    dissolved("o[x] = a[x];", "");
}

#[test]
fn arrays_stay() {
    dissolved("float t[8]; t[x] = 1; o[x] = t[0];", "");
    dissolved("float t[8]; t[(int) a[x]] = 1; o[x] = t[0];", "");
    dissolved("float t[8]; int m = 1; t[m] = 1; o[x] = t[1];", "");
    dissolved("float t[8]; float *q = t; o[x] = q[1];", "");
    dissolved("float t[8]; float *q = &t[1]; o[x] = *q;", "");
    dissolved("float t[8]; float &q = t[1]; o[x] = q;", "");
    dissolved(
        "float t[8], u[2]; t[0] = 1; u[x & 1] = t[0]; o[x] = u[0];",
        "",
    );
    dissolved("float t[8]; t[0] = 1; o[x] = t[0] + __unknown(t);", "");
    dissolved(
        "float t[8]; t[0] = 1; auto g = [&]() { return t[0]; }; o[x] = g();",
        "",
    );
    // A loop that something else counts.
    dissolved(
        "float t[4]; int i = 0; while (i < 4) { t[i] = 1; ++i; } o[x] = t[2];",
        "",
    );
}

/// The variables of the loops that leave their conditions to the one in them: of one with `y` and, with other things around it, one
/// with `x`.
fn sinks(y: &str, around: &str, x: &str, expected: &str) {
    let around = around.replace("LOOP", &format!("for (int x = {x}) o[x] = y;"));
    let source = format!(
        "int f(int a) {{ return a; }}\n\
         @kernel void k(const int n, const int m, const int *a, float *o) {{\n\
         for (int y = {y}) {around} }}"
    );
    let found = said(&source, |program, body, text| {
        let found = sinking_guards(program, body).into_iter().map(|at| {
            let (head, _) = at.of(text).split_once('=').unwrap();
            head.trim().rsplit(' ').next().unwrap().to_string()
        });
        found.collect::<Vec<_>>().join(" ")
    });
    assert_eq!(found, expected, "{source}");
}

#[test]
fn guards_sink_into_loops() {
    let of = |y: &str, x: &str, expected: &str| sinks(y, "LOOP", x, expected);
    of("0; y < n; ++y; @outer", "0; x < 8; ++x; @inner", "y");
    of(
        "n - 1; y >= m / 2; y -= 3; @outer",
        "y; x < y + 8; ++x; @inner",
        "y",
    );
    of(
        "0; y < n; ++y; @tile(4, @outer, @inner)",
        "0; x < m; ++x; @tile(4, @outer, @inner)",
        "y",
    );
    of(
        "0; y < n; y += m; @tile(4, @outer, @inner)",
        "0; x < m; ++x; @tile(4, @outer, @inner)",
        "y",
    );
    of(
        "0; y < (n > 3 ? n : 3); ++y; @outer",
        "0; x < 8; ++x; @inner",
        "y",
    );
    let tile = "0; y < n; ++y; @tile(4, @outer, @inner)";
    // Braces of their own may have declarations in them.
    sinks(
        "0; y < 8; ++y; @outer",
        "{ { LOOP } }",
        "0; x < 8; ++x; @inner",
        "",
    );
    sinks(
        "0; y < 8; ++y; @outer",
        "{ LOOP }",
        "0; x < 8; ++x; @inner",
        "y",
    );
    // What traps, or takes time, where there is no iteration.
    of(tile, "0; x < 8 / n; ++x; @tile(4, @outer, @inner)", "");
    of(tile, "m % n; x < 8; ++x; @tile(4, @outer, @inner)", "");
    of(tile, "0; x < f(n); ++x; @tile(4, @outer, @inner)", "");
    of("0; y < 8 / n; ++y; @outer", "0; x < 8; ++x; @inner", "");
    of(
        "0; y < n; ++y; @tile(4, @outer)",
        "0; x < m; ++x; @inner",
        "",
    );
}

#[test]
fn guards_stay_before_what_stands_beside_a_loop() {
    let around = |around: &str, expected: &str| {
        sinks(
            "0; y < n; ++y; @outer",
            around,
            "0; x < 8; ++x; @inner",
            expected,
        );
    };
    around("{ LOOP }", "y");
    around("{ const int z = n; LOOP }", "");
    around("{ LOOP LOOP }", "");
    around("{ if (n) { LOOP } }", "");
    around("{ for (int z = 0; z < 2; ++z) { LOOP } }", "");
    around("{ @shared float s[4]; LOOP }", "");
}

/// Where a kernel's loops are split: how many cuts, in which loops, and what outlives a phase: `2 k: t read, u named`.
fn split(statements: &str, expected: &str) {
    let found = said(&items(statements), |program, body, text| {
        let found = super::fissions(program, body, &Definitions::of(body));
        let found = found.iter().map(|f| {
            let loops = f.loops.iter().map(|l| {
                let head = l.of(text).split_once('=').unwrap().0.trim();
                head.rsplit([' ', '(']).next().unwrap()
            });
            let loops: Vec<&str> = loops.collect();
            let carried = f.carried.iter().map(|c| {
                let reason = format!("{:?}", c.reason).to_lowercase();
                format!("{} {reason}", c.name.of(text))
            });
            let carried: Vec<String> = carried.collect();
            let counter = if f.keeps_counter { " counter" } else { "" };
            let parts = [loops.join(" "), carried.join(", ")];
            format!("{}{}: {}{counter}", f.cuts.len(), parts[0], parts[1])
        });
        found.collect::<Vec<_>>().join("; ")
    });
    assert_eq!(found, expected, "{statements}");
}

#[test]
fn bodies_are_split_where_items_wait() {
    split("s[x] = a[x]; @barrier; o[x] = s[7 - x];", "1: ");
    split("@barrier; @barrier;", "2: ");
    // Not all items may come there, or not as often.
    split("if (n > 3) { @barrier; }", "");
    split("while (n > 3) { @barrier; }", "");
    split("{ @barrier; }", "");
    split("for (int k = 0; k < x; ++k) { @barrier; }", "");
    split(
        "for (int k = 0; k < n; ++k) { if (a[k] > 0) break; @barrier; }",
        "",
    );
    split(
        "for (int k = 0; k < n; ++k) { if (a[k] > 0) continue; @barrier; }",
        "",
    );
    split(
        "for (int k = 0; k < n; ++k) { switch (n) { case 1: continue; } @barrier; }",
        "",
    );
    split("for (int k = 0; k < n; ++k) { ++k; @barrier; }", "");
    split("for (int k = 0; k < n; ++k) { int *q = &k; @barrier; }", "");
    split("int m = 4; for (int k = 0; k < m; ++k) { @barrier; }", "");
    split("for (int k = 0; k < (int)s[0]; ++k) { @barrier; }", "");
    split("if (x) goto end; @barrier; end: ;", "");
}

#[test]
fn loops_that_all_items_run_alike_are_split() {
    split(
        "for (int k = 0; k < n; ++k) { s[x] = k; @barrier; }",
        "1k: ",
    );
    split(
        "for (int k = n; k > 0; k /= 2) { for (int j = k; j < rows; j += k) { @barrier; } @barrier; }",
        "2k j: ",
    );
    // Jumps of other loops, and of a switch, are theirs.
    split(
        "for (int k = 0; k < n; ++k) { switch (n) { case 1: break; } while (true) { break; } @barrier; }",
        "1k: ",
    );
}

#[test]
fn what_outlives_its_phase_is_carried() {
    split("float t = a[x]; @barrier; o[x] = t;", "1: t read");
    split("float t = a[x]; s[x] = t; @barrier; o[x] = s[0];", "1: ");
    split(
        "{ float t = a[x]; s[x] = t; } @barrier; float t = 1; o[x] = t;",
        "1: ",
    );
    // Each phase writes it before it reads it.
    split(
        "float t = a[x]; s[x] = t; @barrier; t = s[0]; o[x] = t;",
        "1: t named",
    );
    split(
        "float t = a[x]; @barrier; if (n) t = 1; o[x] = t;",
        "1: t read",
    );
    split(
        "float t = a[x]; @barrier; if (n) t = 1; else t = 2; o[x] = t;",
        "1: t named",
    );
    split("float t = a[x]; @barrier; t += 1; o[x] = t;", "1: t read");
    split(
        "float t = a[x]; @barrier; n > 1 && (t = 2) > 1; o[x] = t;",
        "1: t read",
    );
    split(
        "float t[2]; t[0] = 1; @barrier; t[1] = 2; o[x] = t[0];",
        "1: t read",
    );
    split(
        "float t; for (int k = 0; k < n; ++k) { t = k; @barrier; o[x] += t; }",
        "1k: t read",
    );
    split(
        "for (int k = 0; k < n; ++k) { float t = k; @barrier; o[x] += t; }",
        "1k: t read",
    );
    split(
        "for (int k = 0; k < n; ++k) { float t = k; o[x] += t; @barrier; t = 1; o[x] = t; }",
        "1k: t named",
    );
    split(
        "float t = 0; for (int k = 0; k < n; ++k) { @barrier; } o[x] = t;",
        "1k: t read",
    );
    split(
        "float t = 0; float *q = &t; s[x] = *q; @barrier; t = 1; o[x] = t;",
        "1: t read",
    );
}

#[test]
fn what_may_be_pointed_to_outlives_its_phase() {
    split(
        "float t = a[x]; float *q = &t; @barrier; o[x] = *q;",
        "1: t pointed, q read",
    );
    split(
        "float t = a[x]; float *q = &t; s[x] = *q; @barrier; o[x] = s[0];",
        "1: ",
    );
    // What is not modelled may keep what it takes the address of, and not what it reads.
    split(
        "float t = a[x]; long q = (long)&t; @barrier; o[x] = *(float *)q;",
        "1: t pointed",
    );
    split(
        "float t[4]; t[0] = a[x]; float *q = t; @barrier; o[x] = q[0];",
        "1: t pointed, q read",
    );
    split("int *q = &x; @barrier; o[x] = *q;", "1: q read counter");
    // A function that gives back a number keeps nothing.
    split(
        "float t = f(a[x]); float *q = 0; @barrier; q = &t; o[x] = *q;",
        "1: t read, q named",
    );
}

#[test]
fn functions_of_the_group_cut_in_front_of_their_statements() {
    split(
        "float t = a[x]; float m = work_group_reduce_max(t); o[x] = m;",
        "1: ",
    );
    split(
        "float t = a[x]; float m = work_group_reduce_max(t); o[x] = m + t;",
        "1: t read",
    );
    split(
        "float t = a[x]; o[x] = work_group_reduce_max(t) + work_group_reduce_min(t);",
        "2: ",
    );
    split("float t = n > 1 ? work_group_reduce_max(a[x]) : 0;", "");
    split("while (work_group_all(n > 1)) { o[x] = 1; }", "");
}
