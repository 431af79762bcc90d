#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::{Affine, Definitions, Distance, Object, Ranges, Uniformity, distance, divergences};
use crate::body::{Body, Program, VariableId};
use crate::cases_for_tests::{self, Case};
use crate::source::FileLoader;
use crate::{Options, Source, backend::Backend};
use std::fmt::Write;

/// The kernel `k`, and the text that its places are in.
fn kernel(source: &str) -> (Program, String) {
    let backend = Backend::built_in("openmp").unwrap();
    let source = Source::new("a.okl", source);
    let made = crate::transpile::bodies(&source, &backend, &Options::default(), &FileLoader);
    let (module, program, _) = made.unwrap_or_else(|report| panic!("{report}"));
    (program, module.text)
}

/// Statements of an item.
fn item(statements: &str) -> String {
    format!(
        "@kernel void k(const int n, const int m, float *f, const int *c, const unsigned u) {{\n\
         for (int g = 0; g < n; ++g; @outer) {{ @shared float s[4][8];\n\
         for (int i = 0; i < 8; ++i; @inner) {{ {statements} }} }} }}"
    )
}

fn body(program: &Program) -> &Body {
    program.bodies.iter().find(|b| b.kernel).unwrap()
}

/// Where the accesses of what an item does lead that have an index, in source order.
fn accesses(statements: &str, expected: &str) {
    let source = item(statements);
    let (program, _) = kernel(&source);
    let body = body(&program);
    let definitions = Definitions::of(body);
    let affine = Affine::new(&program, body, &definitions);
    let mut places: Vec<_> = (0..body.places.len() as u32)
        .map(crate::body::PlaceId)
        .collect();
    places.retain(|p| body.way(*p).next().is_some());
    places.sort_by_key(|p| body.place(*p).span.start);
    let mut out = String::new();
    for place in places {
        if !out.is_empty() {
            out.push(' ');
        }
        let Some(access) = affine.access(place) else {
            out.push('?');
            continue;
        };
        let (Object::Variable(id) | Object::Pointed(id)) = access.object;
        let name = &program.variable(body, id).name;
        write!(out, "{name}[{}]", access.index.print(&program, body)).unwrap();
    }
    assert_eq!(out, expected, "{statements}");
}

#[test]
fn accesses_are_sums() {
    accesses("f[8 * g + i] = 0;", "f[8*g + i]");
    accesses(
        "f[(g * m + i) * n - 1] = c[i << 2];",
        "f[n*m*g + n*i - 1] c[4*i]",
    );
    accesses(
        "const int e = g * 8; int at = e + i; f[at - i] = 0;",
        "f[8*g]",
    );
    accesses("int at = i; at += 2; f[at] = 0;", "?");
    accesses("float *p = f + g; p[i] = *(p - 1);", "f[g + i] f[g - 1]");
    accesses("s[i / 4][i] = s[1][i + 1];", "? s[i + 9]");
    accesses(
        "for (int j = 0; j < m; ++j) { const int k = 2 * j; f[k + 1] = 0; }",
        "f[2*j + 1]",
    );
    accesses(
        "for (int j = 0; j < m; ++j) { f[j] = 0; if (j) j += 2; }",
        "?",
    );
    accesses(
        "float *p = s[1]; p[i] = 0; float *q = &s[2][3]; q[-1] = 0; float *r = s[0] + 2; r[0] = 1;",
        "s[1] s[i + 8] s[19] s[18] s[0] s[2]",
    );
    accesses("int j = 3; int *p = &j; *p = 2; f[j] = 0;", "j[0] ?");
}

#[test]
fn unsigned_sums_may_wrap() {
    accesses("f[u] = 0;", "f[u]");
    accesses("f[u + 1] = 0;", "?");
    accesses("f[(long) u + 1] = 0;", "f[u + 1]");
    accesses("f[(int) u] = 0;", "?");
    accesses("f[(unsigned long) i * m] = 0;", "f[m*i]");
}

#[test]
fn slopes_stand_before_variables() {
    let (program, _) = kernel(&item("f[(g * m + i) * n + i] = 0; f[i * i] = 0;"));
    let body = body(&program);
    let definitions = Definitions::of(body);
    let affine = Affine::new(&program, body, &definitions);
    let i = body.variables.iter().position(|v| v.name == "i").unwrap();
    let slopes = (0..body.places.len() as u32).filter_map(|place| {
        let place = crate::body::PlaceId(place);
        let access = affine
            .access(place)
            .filter(|_| body.way(place).next().is_some())?;
        let slope = access.index.slope(VariableId::Local(i as u32));
        Some(slope.map(|s| s.print(&program, body)))
    });
    assert_eq!(
        slopes.collect::<Vec<_>>(),
        [Some("n + 1".to_string()), None]
    );
}

/// What differs by item of the variables of a kernel.
fn varying(statements: &str, expected: &str) {
    let source = item(statements);
    let (program, _) = kernel(&source);
    let body = body(&program);
    let definitions = Definitions::of(body);
    let uniformity = Uniformity::new(body, &definitions);
    let mut names = Vec::new();
    for id in 0..body.expressions.len() as u32 {
        let id = crate::body::ExpressionId(id);
        let crate::body::ExpressionKind::Load(place) = &body.expression(id).kind else {
            continue;
        };
        let crate::body::Root::Variable(variable) = body.place(*place).root else {
            continue;
        };
        let name = program.variable(body, variable).name.as_str();
        if uniformity.varies(id) && !names.contains(&name) {
            names.push(name);
        }
    }
    names.sort_unstable();
    assert_eq!(names.join(" "), expected, "{statements}");
}

#[test]
fn items_differ_by_what_is_theirs() {
    varying(
        "int a = g + n; int b = a + i; int d = c[a]; f[a + b + d] = 0;",
        "b i",
    );
    varying(
        "int a = 0; if (i < 2) a = 1; int b = 0; if (n < 2) b = 1; f[a + b] = 0;",
        "a i",
    );
    varying("int a = 0; while (a < i) ++a; f[a] = 0;", "a i");
    varying(
        "int a = 0; while (a < n) { if (c[i]) break; ++a; } f[a] = 0;",
        "a i",
    );
    varying(
        "int a = c[g], b = c[i]; float d = s[0][a]; f[a + b] = d;",
        "b i",
    );
    varying("int a = 0, b = 1; i > 3 && (a = 2); f[a + b] = 0;", "a i");
    varying(
        "for (int j = 0, k = 0; j < i; ++j) { f[j + k] = 0; k += 2; }",
        "i",
    );
    varying(
        "for (int j = 0, k = 0; j < n; ++j) { if (c[i]) continue; f[j + k] = 0; ++k; }",
        "i k",
    );
    varying(
        "int a = 0; for (int j = 0; j < n; ++j) { if (c[i] == j) break; a = j; } f[a] = 0;",
        "a i",
    );
    varying(
        "int a = 0; for (int j = 0; j < n; ++j) { switch (c[i]) { case 1: break; default: f[j] = 0; } a = j; } f[a] = 0;",
        "i",
    );
    // Who goes on leaves later than those who did not.
    varying(
        "int a = 0; for (int j = 0; j < n; ++j) { a = j; if (c[i] == j) continue; break; } f[a] = 0;",
        "a i",
    );
    varying("int a = 1; int *p = &a; f[*p] = 0;", "p");
}

/// What is not reached by all items, as it is written.
fn diverges(statements: &str, expected: &[&str]) {
    let source = item(statements);
    let (program, text) = kernel(&source);
    let body = body(&program);
    let definitions = Definitions::of(body);
    let uniformity = Uniformity::new(body, &definitions);
    let found = divergences(body, &uniformity);
    let found: Vec<&str> = { found.iter() }
        .map(|d| body.expression(d.by).span.of(&text))
        .collect();
    assert_eq!(found, expected, "{statements}");
}

#[test]
fn conditions_part_items() {
    diverges("if (n > 2) { @barrier; }", &[]);
    diverges("if (i > 2) { @barrier; }", &["i > 2"]);
    diverges("if (n > 2) continue; @barrier; f[i] = 0;", &[]);
    // Who ends an iteration comes to its barriers, but not to functions of the group.
    diverges("if (i > 5) continue; @barrier; f[i] = 0;", &[]);
    diverges(
        "if (i > 5) continue; for (int j = 0; j < m; ++j) { @barrier; f[i] = j; }",
        &[],
    );
    diverges(
        "for (int j = 0; j < m; ++j) { if (c[i] == j) continue; @barrier; }",
        &["c[i] == j"],
    );
    diverges("if (i > 5) { continue; } else { @barrier; }", &["i > 5"]);
    diverges(
        "for (int j = 0; j < m; ++j) { @barrier; if (c[i] == j) break; }",
        &["c[i] == j"],
    );
    diverges(
        "for (int j = 0; j < m; ++j) { if (c[i] == j) continue; f[j] = 0; } @barrier; f[i] = 1;",
        &[],
    );
    diverges("for (int j = 0; j < i; ++j) { @barrier; }", &["j < i"]);
}

/// All kernels of the cases.
fn kernels(mut visit: impl FnMut(&str, &Program, &Body)) {
    for Case { name, program, .. } in &cases_for_tests::okl() {
        for body in program.bodies.iter().filter(|b| b.kernel) {
            visit(name, program, body);
        }
    }
}

/// The interpreter finds the same: `finding` in the cases' files.
#[test]
fn items_part_where_the_interpreter_says_so() {
    let mut found = Vec::new();
    kernels(|name, _, body| {
        let definitions = Definitions::of(body);
        let uniformity = Uniformity::new(body, &definitions);
        if !divergences(body, &uniformity).is_empty() {
            found.push(format!("{name}: {}", body.name));
        }
    });
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn most_accesses_of_the_cases_are_sums() {
    let (mut known, mut all) = (0, 0);
    kernels(|_, program, body| {
        let definitions = Definitions::of(body);
        let affine = Affine::new(program, body, &definitions);
        for place in (0..body.places.len() as u32).map(crate::body::PlaceId) {
            let led = body.way(place).next().is_some();
            all += usize::from(led);
            known += usize::from(led && affine.access(place).is_some());
        }
    });
    // What is known only grows. Variables that a statement names which is not modelled are unknown: fragments are.
    assert!(all > 5000 && known * 100 >= all * 87, "{known} of {all}");
}

#[test]
fn values_made_of_themselves_or_of_many() {
    // C leaves open what that is.
    accesses("int j = j + 1; f[j] = 0;", "f[j + 1]");
    accesses("float *p = p + 1; p[i] = 0;", "?");
    // Each is twice the one before.
    let mut doubled = "int j0 = i;".to_string();
    for at in 1..40 {
        let before = at - 1;
        write!(doubled, " int j{at} = j{before} + j{before};").unwrap();
    }
    accesses(&format!("{doubled} f[j39] = 0;"), "f[549755813888*i]");
}

/// How far the first two accesses of an item are apart, by a variable.
fn apart(statements: &str, by: &str, expected: Distance) {
    let (program, _) = kernel(&item(statements));
    let body = body(&program);
    let definitions = Definitions::of(body);
    let affine = Affine::new(&program, body, &definitions);
    let places = (0..body.places.len() as u32).map(crate::body::PlaceId);
    let mut places: Vec<_> = places.filter(|p| body.way(*p).next().is_some()).collect();
    places.sort_by_key(|p| body.place(*p).span.start);
    let found: Vec<_> = { places.iter().take(2) }
        .map(|p| affine.access(*p).unwrap().index)
        .collect();
    let named = body.variables.iter().position(|v| v.name == by).unwrap();
    let variable = VariableId::Local(named as u32);
    let [first, second] = found.as_slice() else {
        panic!("{statements}");
    };
    assert_eq!(distance(first, second, variable), expected, "{statements}");
}

#[test]
fn distances_are_iterations() {
    apart("f[g] = c[g];", "g", Distance::Of(0));
    apart("f[g + 1] = c[g];", "g", Distance::Of(1));
    apart("f[g] = c[g + 1];", "g", Distance::Of(-1));
    apart(
        "f[(g + 2) * m * n + i] = c[g * m * n + i];",
        "g",
        Distance::Of(2),
    );
    apart("f[8 * g + i] = c[8 * g + i - 24];", "g", Distance::Of(3));
    apart("f[8 * g + i] = c[8 * g + i - 23];", "g", Distance::Unknown);
    apart("f[-g + n] = c[n - g - 5];", "g", Distance::Of(-5));
    apart("f[i] = c[i];", "g", Distance::Every);
    apart("f[i] = c[i + 1];", "g", Distance::Unknown);
    apart("f[g] = c[2 * g];", "g", Distance::Unknown);
    apart("f[g + m] = c[g];", "g", Distance::Unknown);
    apart("f[g * m + m] = c[g * m];", "g", Distance::Of(1));
    apart("f[g * m + m + 1] = c[g * m];", "g", Distance::Unknown);
}

/// What the last indices of `s` may be, in source order.
fn indices(statements: &str, expected: &str) {
    let (program, _) = kernel(&item(statements));
    let body = body(&program);
    let ranges = Ranges::of(&program, body, &Definitions::of(body));
    let mut found: Vec<_> = body
        .place_ids()
        .map(|place| body.place(place))
        .filter_map(|place| match place.path.as_slice() {
            [_, crate::body::Step::Index(last)] => Some((place.span.start, ranges.index(*last))),
            _ => None,
        })
        .collect();
    found.sort_by_key(|(start, _)| *start);
    let text = found.into_iter().map(|(_, range)| match range {
        Some(range) if range.least == range.most => range.least.to_string(),
        Some(range) => format!("{}..{}", range.least, range.most),
        None => "?".to_string(),
    });
    assert_eq!(text.collect::<Vec<_>>().join(" "), expected, "{statements}");
}

#[test]
fn indices_are_in_ranges() {
    indices("s[0][i] = s[1][7 - i];", "0..7 0..7");
    indices("s[0][n] = s[1][n & 7];", "-2147483648..2147483647 0..7");
    indices("s[0][n % 8] = s[1][u % 8];", "-7..7 0..7");
    indices(
        "const int k = 2 * i - 3; s[0][k] = s[1][-k];",
        "-3..11 -11..3",
    );
    // Signed integers do not overflow; others wrap.
    indices(
        "s[0][n - 1] = s[1][u - 1];",
        "-2147483648..2147483646 0..4294967295",
    );
    indices(
        "s[0][(unsigned char) n] = s[1][(long) n + 1];",
        "0..255 -2147483647..2147483648",
    );
    indices("s[0][(size_t) (i - 1)] = s[1][(size_t) i];", "? 0..7");
    indices("s[0][n > 3] = s[1][n ? i : 5];", "0..1 0..7");
    indices(
        "s[0][c[i] & 3] = s[1][c[i] ^ c[i]];",
        "0..3 -2147483648..2147483647",
    );
    indices(
        "s[0][min(n, i)] = s[1][max(min(n, 7), 0)];",
        "-2147483648..7 0..7",
    );
}

#[test]
fn conditions_narrow_ranges() {
    indices(
        "if (n >= 0 && n < 8) s[0][n] = 1; else s[1][n] = 1;",
        "0..7 -2147483648..2147483647",
    );
    indices(
        "if (n < 0 || n > 7) s[1][n] = 1; else s[0][n] = 1;",
        "-2147483648..2147483647 0..7",
    );
    indices("if (!(u >= 8)) s[0][u] = 1;", "0..7");
    indices("if (n == 5) s[0][n] = 1;", "5");
    indices(
        "if (5u > u) s[0][u] = 1; s[1][u] = 1;",
        "0..4 0..4294967295",
    );
    indices(
        "s[0][0] = i > 2 && i < 6 ? s[1][i] : s[2][i];",
        "0 3..5 0..7",
    );
    indices("if (n >= 0 && n < 8 && s[0][n] > 1) s[1][0] = 1;", "0..7 0");
    indices("if (n < 0 || n > 7 || s[0][n] > 1) s[1][0] = 1;", "0..7 0");
    // Compared without a sign, a negative number is large.
    indices("if (n < 8u) s[0][n] = 1;", "-2147483648..2147483647");
    // It may have changed in between.
    indices(
        "int k = n; k++; if (k >= 0 && k < 8) { k = 100; s[0][k] = 1; }",
        "-2147483648..2147483647",
    );
    // A condition on what can be seen of another one says nothing.
    indices(
        "if (i < 4) { const int i = n; s[0][i] = 1; }",
        "-2147483648..2147483647",
    );
}

#[test]
fn loops_count_in_ranges() {
    indices("for (int k = 0; k < 8; ++k) s[0][k] = 1;", "0..7");
    indices("for (int k = 0; k < 8; k += 3) s[0][k] = 1;", "0..6");
    indices("for (int k = i; k < 8; k += 3) s[0][k] = 1;", "0..7");
    indices("for (int k = 7; k >= i; k -= 2) s[0][k] = 1;", "1..7");
    indices("for (int k = 7; k > 0; k += -2) s[0][k] = 1;", "1..7");
    indices("for (unsigned k = 7; k > 0; --k) s[0][k] = 1;", "1..7");
    indices("for (unsigned k = 7; k < 8; --k) s[0][k] = 1;", "0..7");
    // From 0 on it wraps, and goes on.
    indices(
        "for (unsigned k = 7; k >= 0; --k) s[0][k] = 1;",
        "0..4294967295",
    );
    indices(
        "for (unsigned k = 2; k < 4294967294u; k += 3) s[0][k] = 1;",
        "0..4294967293",
    );
    indices(
        "for (int k = 0; k < 8; k += n) s[0][k] = 1;",
        "-2147483648..7",
    );
    indices(
        "for (int k = 0; k < 8; ++k) { if (n) k = 9; s[0][k] = 1; }",
        "-2147483648..2147483647",
    );
    indices(
        "int k = 0; for (k = 1; k < 8; ++k) s[0][k] = 1;",
        "-2147483648..2147483647",
    );
    indices(
        "int k = 0; do s[0][k] = 1; while (++k < 8);",
        "-2147483648..2147483647",
    );
    indices(
        "for (int k = 0; k < 8; ++k) { } for (int k = 0; k < n; ++k) s[0][k] = 1;",
        "0..2147483646",
    );
    indices(
        "for (int k = 0; k < 8 && n > k; ++k) { const int m = k + 1; s[0][m] = 1; }",
        "1..8",
    );
    indices(
        "for (unsigned char k = 0; k < 8; k -= 1) s[0][k] = 1;",
        "0..7",
    );
}
