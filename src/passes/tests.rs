#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::{WideAccess, coarsened, matrices, rows_kept, wide_accesses};
use crate::facts::{Aliases, Definitions, Ranges};
use crate::source::FileLoader;
use crate::source::Span;
use crate::{Options, Source, backend::Backend};

/// What is to be coarsened of the kernel `k`: the loop's variable, and how many reads another iteration makes again.
fn check(source: &str, expected: &str) {
    let backend = Backend::built_in("openmp").unwrap();
    let given = Source::new("a.okl", source);
    let made = crate::transpile::bodies(&given, &backend, &Options::default(), &FileLoader);
    let (module, program, _) = made.unwrap_or_else(|report| panic!("{report}"));
    let parameters = &module.kernels.first().unwrap().parameters;
    let aliases = Aliases::of(parameters);
    let body = program.bodies.iter().find(|b| b.kernel).unwrap();
    let definitions = Definitions::of(body);
    let found = coarsened(&program, body, &definitions, &aliases)
        .into_iter()
        .map(|c| {
            let loops = module.loops.iter().find(|l| l.span == c.outer).unwrap();
            format!("{}: {}", loops.header.variable, c.again)
        });
    let found: Vec<String> = found.collect();
    assert_eq!(found.join(", "), expected, "{source}");
}

/// A kernel of rows, whose items do something.
fn rows(statements: &str) -> String {
    format!(
        "float f(float a) {{ return a; }}\n\
         @kernel void k(const int n, @restrict const float *a, @restrict const double *d, float *p, @restrict float *o) {{\n\
         for (int y = 1; y < n; ++y; @outer) {{ for (int x = 0; x < 8; ++x; @inner) {{ {statements} }} }} }}"
    )
}

#[test]
fn neighbours_read_the_same() {
    let read = |statements: &str, expected: &str| check(&rows(statements), expected);
    read("o[x] = a[y] + a[y - 1];", "y: 1");
    read(
        "o[x] = a[y * n + x] + a[(y + 1) * n + x] + a[(y - 1) * n + x];",
        "y: 2",
    );
    read(
        "const int i = y * n + x; o[i] = a[i - n] + a[i] + a[i + n] * d[i] + d[i + n];",
        "y: 3",
    );
    read("o[x] = f(a[y]) + (x > 2 ? a[y + 1] : 0);", "y: 1");
    read(
        "if (x) { o[x] = a[2 * y]; } else { o[x] = a[2 * y - 2]; }",
        "y: 1",
    );
    // Once, or by everybody, is not again.
    read("o[x] = a[y] + a[y];", "");
    read("o[x] = a[x] + a[x + 1];", "");
    // No item runs both, between two, or nobody knows.
    read("o[x] = a[y] + a[y + 2];", "");
    read("o[x] = a[y] + a[y + 3];", "");
    read("o[x] = a[y - 1] + a[y + 1] + a[y + 4];", "");
    read("o[x] = a[2 * y] + a[2 * y - 1];", "");
    read("o[x] = a[y] + a[y + n];", "");
    read("o[x] = a[y * y] + a[y * y + 1];", "");
    read("o[x] = a[(int)d[y]] + a[(int)d[y] + 1];", "");
}

#[test]
fn what_is_written_is_not_held() {
    let read = |statements: &str, expected: &str| check(&rows(statements), expected);
    read("o[y] = o[y + 1] + o[y - 1];", "");
    // One promise is enough.
    read("o[x] = p[y] + p[y - 1];", "y: 1");
    // No argument points to a variable of the kernel.
    read(
        "float t[2]; float *q = t; q[0] = a[y]; o[x] = q[0] + a[y - 1];",
        "y: 1",
    );
    read("p[x] = a[y] + a[y - 1];", "y: 1");
    check(
        "@kernel void k(const int n, const float *a, float *o) {\n\
         for (int y = 1; y < n; ++y; @outer) { for (int x = 0; x < 8; ++x; @inner) { o[x] = a[y] + a[y - 1]; } } }",
        "",
    );
    read("float *q = x ? o : p; q[x] = a[y] + a[y - 1];", "");
    // Where it is written does not matter.
    read("o[x % 3] = a[y] + a[y - 1];", "y: 1");
    read("*(&o[x * x] + 1) = a[y] + a[y - 1];", "y: 1");
}

#[test]
fn groups_that_need_their_items_are_left_alone() {
    let read = |statements: &str| check(&rows(statements), "");
    read("if (x == 2) return; o[x] = a[y] + a[y - 1];");
    read("for (int j = 0; j < n; ++j) o[j] = a[y] + a[y - 1];");
    read("switch (x) { case 0: o[x] = a[y] + a[y - 1]; }");
    let group = |statements: &str, expected: &str| {
        let source = format!(
            "@kernel void k(const int n, @restrict const float *a, @restrict float *o) {{\n\
             for (int y = 1; y < n; ++y; @outer) {{ {statements} }} }}"
        );
        check(&source, expected);
    };
    let inner = "for (int x = 0; x < 8; ++x; @inner) { o[x] = a[y] + a[y - 1]; }";
    group(inner, "y: 1");
    group(&format!("const int z = 2 * y; {inner} {inner}"), "y: 1");
    group(&format!("@shared float s[8]; {inner}"), "");
    group(&format!("@exclusive float e; {inner}"), "");
    group(
        "@shared float s[8]; for (int x = 0; x < 8; ++x; @inner) { s[x] = a[y] + a[y - 1]; }\n\
         for (int x = 0; x < 8; ++x; @inner) { o[x] = s[7 - x]; }",
        "",
    );
    group(
        "for (int x = 0; x < 8; ++x; @inner) { o[x] = a[y] + a[y - 1]; @barrier; o[x] += 1; }",
        "",
    );
}

#[test]
fn the_loop_by_which_most_is_gained() {
    let planes = |header: &str, expected: &str| {
        let source = format!(
            "@kernel void k(const int n, @restrict const float *a, @restrict float *o) {{\n\
             {header} for (int x = 0; x < 8; ++x; @inner) {{\n\
             const int i = (z * n + y) * n + x;\n\
             o[i] = a[i] + a[i + n * n] + a[i - n * n] + a[i + n]; }} }}"
        );
        check(&source, expected);
    };
    planes(
        "for (int z = 1; z < n; ++z; @outer) for (int y = 1; y < n; ++y; @outer)",
        "z: 2",
    );
    planes(
        "for (int y = 1; y < n; ++y; @outer) for (int z = 1; z < n; ++z; @outer)",
        "z: 2",
    );
    // Every other plane: two apart.
    planes(
        "for (int z = 1; z < n; z += 2; @outer) for (int y = 1; y < n; ++y; @outer)",
        "z: 1",
    );
    planes(
        "for (int z = n; z > 0; --z; @outer) for (int y = 1; y < n; ++y; @outer)",
        "z: 2",
    );
    planes(
        "for (int z = 1; z < n; z += n; @outer) for (int y = 1; y < n; ++y; @outer)",
        "y: 1",
    );
    // Tiles are far apart.
    planes(
        "for (int z = 1; z < n; ++z; @tile(4, @outer, @inner)) for (int y = 1; y < n; ++y; @outer)",
        "",
    );
    planes(
        "for (int z = 1; z < n; ++z; @outer) for (int y = 1; y < n; ++y; @tile(4, @outer, @inner))",
        "z: 2",
    );
}

/// What items of the kernel `k` may access at once.
fn found_wide(source: &str) -> Vec<WideAccess> {
    let backend = Backend::built_in("cuda").unwrap();
    let given = Source::new("a.okl", source);
    let made = crate::transpile::bodies(&given, &backend, &Options::default(), &FileLoader);
    let (module, program, _) = made.unwrap_or_else(|report| panic!("{report}"));
    let parameters = &module.kernels.first().unwrap().parameters;
    let body = program.bodies.iter().find(|b| b.kernel).unwrap();
    wide_accesses(
        &program,
        body,
        &Definitions::of(body),
        (parameters, &Aliases::of(parameters)),
    )
}

/// The arrays of which items of the kernel `k` may access several elements at once: `read`, `written=` or `both+=`, the distances of
/// neighbours that are read, too, and the index's first value where that is not 0.
fn wide(source: &str, expected: &str) {
    let found = found_wide(source);
    let elements = found.iter().flat_map(|w| &w.elements).map(|e| {
        let how = match (e.reads, e.writes) {
            (true, true) => "+=",
            (true, false) => "",
            (false, _) => "=",
        };
        let offset = if e.offset == 0 {
            String::new()
        } else {
            format!("@{}", e.offset)
        };
        let neighbours = e.uses.iter().filter(|u| u.distance != 0);
        let neighbours: String = neighbours.map(|u| format!("{:+}", u.distance)).collect();
        format!("{}{how}{neighbours}{offset}", e.array)
    });
    let elements: Vec<String> = elements.collect();
    assert_eq!(elements.join(" "), expected, "{source}");
}

/// A kernel of rows of eight items, which do something.
fn side_by_side(statements: &str) -> String {
    format!(
        "typedef struct {{ float x, y; }} Pair;\n\
         typedef struct {{ float m[4]; }} Row;\n\
         float f(float a) {{ return a; }}\n\
         float g(float *a) {{ return *a; }}\n\
         @kernel void k(const int n, @restrict const float *a, float *p, const float *q, const Pair *s, volatile float *v, @restrict float *o) {{\n\
         for (int y = 0; y < n; ++y; @outer) {{ for (int x = 0; x < 8; ++x; @inner) {{ {statements} }} }} }}"
    )
}

#[test]
fn elements_move_with_the_loop() {
    let at = |statements: &str, expected: &str| wide(&side_by_side(statements), expected);
    at("o[x] = a[x];", "o= a");
    at("o[y * n + x] += a[x + 3];", "o+= a@3");
    at(
        "const int i = 8 * y + x, j = i + n; o[i] = a[j] * a[0];",
        "o= a",
    );
    at(
        "const int i = 8 * y + x; if (i < n && y > 2) { o[i] = f(a[i]); ++o[i]; }",
        "o+= a",
    );
    at("float t = a[x], u; u = t; t += u; o[x] = t;", "a o=");
    at("Pair t; t.x = a[x]; o[x] = t.x;", "a o=");
    at("Row r; r.m[y % 4] = a[x]; o[x] = r.m[y % 4];", "a o=");
    at("*(o + x) = *(a + x);", "o= a");
    // What is the same for all of them may be anything.
    at("const int j = n % 4; o[x + j] = 1;", "o=");
    // One of them is enough.
    at("o[x] = a[n - x + 2 * x] + a[2 * y];", "o= a");
}

#[test]
fn what_does_not_move_by_one_is_left_alone() {
    let not = |statements: &str| wide(&side_by_side(statements), "");
    not("o[2 * x] = 1;");
    not("o[n - x] = 1;");
    not("o[y] = a[x];");
    not("o[x] = a[(int)a[x]];");
    not("o[x] = a[x % 4];");
    not("const int j = x % 4; o[j] = 1;");
    not("const int j = x % 4; o[x + j] = 1;");
    not("const int j = x % 4, i = x + j; o[i] = 1;");
    not("int i = x; o[i] = 1; i += 1;");
    not("const float t = a[x]; const int i = x; o[i] = t;");
    not("o[x] = s[x].y;");
    not("v[x] = 1;");
}

#[test]
fn neighbours_are_elements_of_one_array() {
    let at = |statements: &str, expected: &str| wide(&side_by_side(statements), expected);
    at("o[x] = a[x] + a[x + 1];", "o= a+1");
    at(
        "const int i = 8 * y + x; o[i] = a[i - 1] + a[i + 1];",
        "o= a+2@-1",
    );
    // Rows are arrays of their own, and so is what is far away.
    at(
        "const int i = 8 * y + x; o[i] = a[i] + a[i + n] + a[i + n - 1];",
        "o= a a-1",
    );
    at("o[x] = a[x] + a[x + 8] + a[x + 9];", "o= a+8 a@9");
    // What is written is nobody else's.
    at("o[x] = o[x + 1];", "");
    at("p[x] = p[x] + p[x + 1];", "");
    at("o[x] = a[x]; o[x + 1] = 2;", "");
    // Nobody promises that `p` is not `q`.
    at("p[x] = q[x] + q[x + 1];", "p= q+1");
    at("p[x] = q[x]; p[x] += q[x + 1];", "");
}

#[test]
fn nobody_divides_by_what_may_be_0() {
    let total = |statements: &str, expected: bool| {
        let found = found_wide(&side_by_side(statements));
        let found = found.first().map(|w| w.total);
        assert_eq!(found, Some(expected), "{statements}");
    };
    total("o[x] = a[x];", true);
    total(
        "const int m = n / 4 % 3, i = x + 8 * m; o[i] = a[i] / a[n];",
        true,
    );
    total("const int r = n / y; if (r < 3) { o[x] = a[x]; }", false);
    total("if (x % y < 3) { o[x] = a[x]; }", false);
    total("if (x / -1 < 3) { o[x] = a[x]; }", false);
    total("if (2.0f / x < 3) { o[x] = a[x]; }", true);
}

#[test]
fn nobody_sees_when_elements_are_read_and_written() {
    let at = |statements: &str, expected: &str| wide(&side_by_side(statements), expected);
    // `o` promises, and `p` is written when all has been read.
    at("o[x] = 1; p[x] = q[x];", "o= p= q");
    at("p[x] = q[x] + q[0];", "p= q");
    at("p[x] = 1; o[x] = q[x];", "");
    at("p[x] = 1, o[x] = q[0];", "");
    at("p[x] = q[0]; p[x] += q[1];", "");
    // Where another item's is read, the program has a race.
    at("o[x] = o[0];", "o=");
    at("o[x] = 1; o[0] = 2;", "");
}

#[test]
fn what_may_do_more_is_left_alone() {
    let not = |statements: &str| wide(&side_by_side(statements), "");
    not("if (a[x] > 0) { o[x] = 1; }");
    not("if (x < 4) { o[x] = 1; } else { o[x] = 2; }");
    not("if (x < 4) { o[x] = 1; } o[x] = 2;");
    not("o[x] = x < 4 ? a[x] : 0;");
    not("o[x] = x < 4 && a[x] > 0;");
    not("o[x] = g(p);");
    not("o[x] = g(&p[x]);");
    not("o[x] = 1; o = p;");
    not("for (int i = 0; i < 3; ++i) { o[x] += i; }");
    not("o[x] = 1; return;");
    not("int i; i = x; o[i] = 1;");
    not("int i, m = 4; i = x + m; o[i] = 1;");
    not("Row r; o[x] = 3; r.m[1] = a[x]; o[x] += r.m[(int)o[x]];");
    not("Row r; r.m[(int)g(p)] = 1; o[x] = r.m[0];");
    not("float t[2]; t[0] = 1; o[x] = t[0];");
    not("o[x] = 1; @barrier(\"local\"); o[x] = 2;");
    not("@atomic o[x] += 1;");
    not("o[x] = __unknown(a[x]);");
    // Who asks the vendor is told of another iteration.
    not("o[x] = threadIdx.x;");
}

#[test]
fn tiles_count_in_a_wider_type() {
    let tile = |start: &str, statements: &str, expected: &str| {
        let kernel = format!(
            "@kernel void k(const int n, const float *a, float *o) {{\n\
             for (int i = {start}; i < n; ++i; @tile(8, @outer, @inner)) {{ {statements} }} }}"
        );
        wide(&kernel, expected);
    };
    tile("0", "o[i] = a[i];", "o= a");
    tile("3", "o[i - 1] = a[i + 1];", "o=@2 a@4");
    tile("n / 2", "const int j = i + 1; o[j] = 1;", "o=@1");
    tile("0", "const int j = (int)(short)i; o[j] = 1;", "");
}

/// How the matrices of a nest of 8 x 8 items lie whose names are `s` and `t`, and which accesses read across rows.
fn layouts(statements: &str, expected: &str) {
    let source = format!(
        "@kernel void k(const int n, const float *a, float *o) {{\n\
         for (int g = 0; g < n; ++g; @outer) {{ @shared float s[8][8], t[8][9];\n\
         for (int j = 0; j < 8; ++j; @inner) {{ for (int i = 0; i < 8; ++i; @inner) {{ {statements} }} }} }} }}"
    );
    let backend = Backend::built_in("openmp").unwrap();
    let given = Source::new("a.okl", source.as_str());
    let made = crate::transpile::bodies(&given, &backend, &Options::default(), &FileLoader);
    let (module, program, _) = made.unwrap_or_else(|report| panic!("{report}"));
    let body = program.bodies.iter().find(|b| b.kernel).unwrap();
    let definitions = Definitions::of(body);
    let ranges = Ranges::of(&program, body, &definitions);
    let found = matrices(&program, body, (&definitions, &ranges), &|_| true);
    let found = found.into_iter().map(|matrix| {
        let mut across: Vec<u32> = { matrix.across.iter() }
            .filter_map(|(at, across)| across.then_some(*at))
            .collect();
        across.sort_unstable();
        let across = across.into_iter().map(|at| {
            let text = module.text.get(at as usize..).unwrap();
            text.split_inclusive(']').take(2).collect::<String>()
        });
        let across = across.collect::<Vec<_>>().join(" ");
        format!(
            "{} {:?}: {across}",
            matrix.declared.of(&module.text),
            matrix.layout
        )
    });
    assert_eq!(
        found.collect::<Vec<_>>().join(", "),
        expected,
        "{statements}"
    );
}

#[test]
fn matrices_lie_as_lanes_read() {
    layouts(
        "s[i][j] = a[j]; o[i] = s[i][3];",
        "s Turned: s[i][j] s[i][3]",
    );
    layouts("s[j][i] = a[j]; o[i] = s[j][i];", "");
    layouts(
        "s[j][i] = a[j]; for (int m = 0; m < 8; ++m) o[i] += s[i][m] * s[j][m] * s[m][i];",
        "s Both: s[i][m]",
    );
    layouts(
        "s[j][i] = a[j]; for (int m = 0; m < 8; ++m) o[i] += s[i][m] * s[j][m];",
        "s Turned: s[i][m]",
    );
    // A name of a value stands for it.
    layouts(
        "const int r = 7 - i; t[r][j] = 1; o[i] = t[r][2];",
        "t Turned: t[r][j] t[r][2]",
    );
    // Lanes count both, or nobody knows.
    layouts("s[i][i] = 1; s[i][7 - i] = 2; o[i] = s[i / 2][j];", "");
}

#[test]
fn matrices_are_left_alone() {
    let turned = "s[i][j] = a[j]; o[i] = s[i][3];";
    let left = |statements: &str| layouts(&format!("{turned} {statements}"), "");
    layouts(turned, "s Turned: s[i][j] s[i][3]");
    left("float *p = s[i]; p[0] = 1;");
    left("float *p = &s[i][0]; *p = 1;");
    left("float &p = s[i][0]; p = 1;");
    left("o[i] = (s[i][j] = 2);");
    left("s[i][j + 1] = 1;");
    left("int m = i; s[m++][j] = 1;");
    left("s[(int) o[i] & 7][j] = 1;");
    left("@atomic s[i][j] += 1;");
    left("auto f = [&]() { s[i][j] = 1; }; f();");
    left("o[i] = __unknown(s);");
}

#[test]
fn rows_are_kept_or_left() {
    let source = "@kernel void k(const int n, float *o) {\n\
         for (int g = 0; g < n; ++g; @outer) { @shared float s[8][8], q[2][3][4];\n\
         for (int i = 0; i < 8; ++i; @inner) {\n\
         s[n][i] = q[n][i % 3][i % 4]; s[0][i + 1] = q[0][i % 4][0]; o[i] = s[i][n & 7] + q[i][2][i]; } } }";
    let backend = Backend::built_in("openmp").unwrap();
    let given = Source::new("a.okl", source);
    let made = crate::transpile::bodies(&given, &backend, &Options::default(), &FileLoader);
    let (_, program, _) = made.unwrap_or_else(|report| panic!("{report}"));
    let body = program.bodies.iter().find(|b| b.kernel).unwrap();
    let ranges = Ranges::of(&program, body, &Definitions::of(body));
    let mut kept: Vec<_> = rows_kept(&program, body, &ranges).into_iter().collect();
    kept.sort_unstable();
    let kept: Vec<bool> = kept.into_iter().map(|(_, kept)| kept).collect();
    assert_eq!(kept, [true, true, false, false, true, false]);
}

/// Every optimisation says when it is legal, and what is gained by it.
#[test]
fn passes_say_what_they_may_do_and_what_is_gained() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/passes");
    let mut silent = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // What passes share, their list, and their tests.
        if name == "leaves.rs" || name == "mod.rs" || name.ends_with("tests.rs") {
            continue;
        }
        let file = match path.is_dir() {
            true => path.join("mod.rs"),
            false => path,
        };
        let text = std::fs::read_to_string(file).unwrap();
        let says = |heading: &str| text.lines().any(|l| l.starts_with(heading));
        for heading in ["//! **Legality.** ", "//! **Gain.** "] {
            if !says(heading) {
                silent.push(format!("{name}: {heading}"));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// What items of a cube have read before and what has to be asked: `1<0+1z | 0 2 of y z` are that element 1 is, in the next iteration
/// over z, the one behind what was element 0, that elements 0 and 2 are asked, and that one iteration over y and z says it for all.
fn marching(head: &str, statement: &str, expected: &str) {
    let source = format!(
        "@kernel void k(const int n, const int m, @restrict const float *a, @restrict float *o) {{\n\
         for (int z = 1; z < n; z += 2; @outer) {{ {head} {{ {statement} }} }} }}"
    );
    let found = found_wide(&source);
    let text = found.iter().map(|w| {
        let variable = |of: Span| if of == w.nest { "z" } else { "y" };
        let repeats = w.repeats.iter();
        let repeats =
            repeats.map(|r| format!("{}<{}{:+}{}", r.element, r.from, r.by, variable(r.outer)));
        let asked = w.asked.elements.iter().map(usize::to_string);
        let loops: Vec<&str> = w.asked.loops.iter().map(|at| variable(*at)).collect();
        let both = repeats.chain(["|".to_string()]).chain(asked);
        both.collect::<Vec<_>>().join(" ") + " of " + &loops.join(" ")
    });
    let text = text.collect::<Vec<_>>().join("; ");
    assert_eq!(text, expected, "{source}");
}

#[test]
fn items_that_march_know_what_they_have_read() {
    let y = "for (int y = 0; y < m; ++y; @outer) for (int x = 0; x < 64; ++x; @tile(8, @outer, @inner))";
    let at = |statement: &str, expected: &str| marching(y, statement, expected);
    let i = "const int i = (z * m + y) * m + x;";
    // Planes are two apart, and so are an item's iterations.
    at(
        &format!("{i} o[i] = a[i - m * m] + a[i + m * m];"),
        "1<2+0z | 0 1 2 of z",
    );
    at(
        &format!("{i} o[i] = a[i - m * m] + a[i + m] + a[i + m * m + 3];"),
        "1<3-3z | 0 1 2 3 of z",
    );
    // Rows that are aligned say it of planes, and of what is behind several of them.
    at(
        &format!("{i} o[i] = a[i] + a[i + m] + a[i + m * m] + a[i + n * m * 3 - m * 2];"),
        "1<2+0y | 0 1 2 of z y",
    );
    // An even number of them says nothing of one, and one plane nothing of a row.
    at(
        &format!("{i} o[i] = a[i - 2 * m] + a[i + 4 * m];"),
        "| 0 1 2 of ",
    );
    at(
        &format!("{i} o[i] = a[i] + a[i + 2 * m] + a[i + m * m];"),
        "| 0 1 2 3 of z",
    );
    // Neither do sums of one of their products.
    at(
        "const int i = (z * (n + m) + y) * m + x; o[i] = a[i] + a[i + n * m + m * m] + a[i + n * m];",
        "| 0 1 2 3 of z",
    );
    // What is written is read anew.
    at(&format!("{i} o[i] += a[i - m * m];"), "| 0 1 of ");
    // Loops that begin somewhere else have other elements.
    let y = "for (int g = 0; g < m; ++g; @outer) for (int y = z; y < z + 8; ++y; @inner) for (int x = 0; x < 8; ++x; @inner)";
    let statement = format!("{i} o[i] = a[i - m * m] + a[i + m * m] + a[i + m];");
    marching(y, &statement, "| 0 1 2 3 of ");
    let y = "for (int g = 0; g < m; ++g; @outer) for (int y = 0; y < 8; ++y; @inner) for (int x = 0; x < 8; ++x; @inner)";
    marching(y, &statement, "1<2+0z | 0 1 2 3 of z");
    // And so have places that are computed of the iteration in another way: what they are is another number in each.
    at(
        "const int q = z % 2, i = ((z + 1) * m + y) * m + x + q; o[i] = a[i - m] + a[i] + a[i + m] + a[i + 2 * m * m];",
        "| 0 1 2 of ",
    );
    // And so have places that are no multiples of the iteration.
    at(
        "const int i = (z * z * m + y) * m + x; o[i] = a[i] + a[i + m * m];",
        "| 0 1 2 of ",
    );
}
