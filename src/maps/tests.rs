use super::{Map, Passed, Rounding};
use crate::source::FileLoader;
use crate::{Options, Source, backend::Backend};

/// The map that a kernel `k` is.
fn map(source: &str, rounding: Rounding) -> Option<Map> {
    let backend = Backend::built_in("openmp").unwrap();
    let source = Source::new("a.okl", source);
    let made = crate::transpile::bodies(&source, &backend, &Options::default(), &FileLoader);
    let (_, program, _) = made.unwrap_or_else(|report| panic!("{report}"));
    Map::of(&program.into(), "k", rounding)
}

/// A kernel whose items do this to element `i` of `n`.
fn item(statements: &str) -> String {
    format!(
        "@kernel void k(const int n, const float a, const int m, const float *x, float *y, float *z, double *d, int *j) {{
           for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) {{ {statements} }}
         }}"
    )
}

/// Of a kernel, its text in one line, and the elements that it has with `n` of 100 and `m` of 7.
fn text(statements: &str) -> String {
    described(&item(statements))
}

fn described(source: &str) -> String {
    let Some(map) = map(source, Rounding::Contracted) else {
        return "no map".to_string();
    };
    let elements = map.elements(&|argument| match argument {
        0 => Some(100),
        2 => Some(7),
        _ => None,
    });
    let text = map.text("k").replace('\n', " ");
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    match elements {
        Some(elements) => format!("{elements:?} {}", words.join(" ")),
        None => format!("nowhere: {}", words.join(" ")),
    }
}

#[test]
fn what_items_do_to_their_elements_is_a_kernel_of_brook() {
    assert_eq!(
        text("y[i] = a * x[i] + y[i];"),
        "0..100 kernel void k(float brook_p1, float brook_i3<>, float brook_i4<>, out float brook_o4<>) { \
         float brook_c3 = brook_i3; float brook_c4 = brook_i4; \
         brook_c4 = ((brook_p1 * brook_c3) + brook_c4); brook_o4 = brook_c4; }"
    );
    assert_eq!(
        text("const float t = x[i] - 1; if (t > 0) y[i] = t; z[i] = t / m;"),
        "0..100 kernel void k(int brook_p2, float brook_i3<>, float brook_i4<>, out float brook_o4<>, out float brook_o5<>) { \
         float brook_c3 = brook_i3; float brook_c4 = brook_i4; float brook_c5; \
         float brook_v11; brook_v11 = (brook_c3 - 1.0f); \
         if ((brook_v11 > 0.0f)) { brook_c4 = brook_v11; } else { } \
         brook_c5 = (brook_v11 / (float)(brook_p2)); brook_o4 = brook_c4; brook_o5 = brook_c5; }"
    );
    assert!(text("d[i] = 0.1 * x[i]; j[i] = j[i] % 8 + (x[i] < 2);").starts_with("0..100 "));
    let map = map(&item("y[i] += x[i];"), Rounding::Unknown).unwrap();
    let what: Vec<(usize, Passed)> = map
        .parameters
        .iter()
        .map(|p| (p.argument, p.what))
        .collect();
    let expected = [(3, Passed::Input), (4, Passed::Input), (4, Passed::Output)];
    assert_eq!(what, expected);
}

#[test]
fn what_touches_more_than_its_element_is_no_map() {
    for statements in [
        "y[i] = x[i + 1];",
        "y[i] = x[0];",
        "y[i] = x[m];",
        "y[i] = x[n - 1 - i];",
        "y[2 * i] = 1;",
        "y[i / 2] = 1;",
        "y[j[i]] = 1;",
        "y[m] = x[m];",
    ] {
        let found = text(statements);
        assert!(
            found.starts_with("no map") || found.starts_with("nowhere"),
            "{statements}: {found}"
        );
    }
    for statements in [
        "y[i] = i;",
        "y[i] = sin(x[i]);",
        "j[i] = j[i] / m;",
        "j[i] = j[i] << m;",
        "for (int q = 0; q < 3; ++q) y[i] += x[i];",
        "@atomic y[i] += x[i];",
        "y[i] = (z[i] = x[i]);",
        "y[i] = (int)x[i];",
        "unsigned t = x[i]; y[i] = z[i];",
        "@barrier; y[i] = 1;",
        "a;",
    ] {
        assert_eq!(text(statements), "no map", "{statements}");
    }
}

#[test]
fn products_are_contracted_where_every_compiler_does() {
    for (statements, said) in [
        ("y[i] = a * x[i] + z[i];", true),
        ("y[i] -= a * x[i]; z[i] += a * y[i];", true),
        ("y[i] = x[i] * x[i] - z[i];", true),
        ("const float t = x[i]; y[i] = a * t + z[i];", true),
        ("const double t = x[i]; d[i] = 3.5 * t + d[i];", true),
        // Which one?
        ("y[i] = x[i] * x[i] + a * z[i];", false),
        // Compilers look into variables, Brook+ does not.
        ("const float t = a * x[i]; y[i] = t + z[i];", false),
        ("y[i] = a * x[i]; z[i] = y[i] + z[i];", false),
        ("y[i] *= a; z[i] += y[i];", false),
        ("y[i] = -(a * x[i]) + z[i];", false),
        ("y[i] = x[i] / 2.0f + z[i];", false),
        // Computed once for all, or once for two.
        ("y[i] = a * a + x[i];", false),
        ("y[i] = a * m + x[i];", false),
        ("y[i] = a * x[i] + z[i]; z[i] = a * x[i];", false),
        (
            "const float t = x[i]; y[i] = a * x[i] + z[i]; z[i] = t * a;",
            false,
        ),
        // A sum, or nothing.
        ("y[i] = 2 * x[i] + z[i];", false),
        ("y[i] = 2.0f * x[i] + z[i];", false),
        // Computed where it may not be needed.
        ("if (z[i] > 0) y[i] = a * x[i] + z[i];", false),
        ("y[i] = z[i] > 0 ? a * x[i] + z[i] : 0;", false),
        // The same for all items, or known, by way of an element or a variable.
        ("y[i] = a; y[i] = y[i] * a + x[i];", false),
        ("float t = x[i]; t = a; y[i] = t * a + x[i];", false),
        ("y[i] = sqrt(a); y[i] = x[i] - y[i] * a;", false),
        ("y[i] = (sqrt(a) + a) * a + x[i];", false),
        ("y[i] = m; y[i] = y[i] * a + x[i];", false),
        ("y[i] = 0.1f; y[i] = y[i] * 0.3f + x[i];", false),
        ("z[i] = 1.0f; y[i] = x[i] * z[i] + a;", false),
        // The same product once more, changed in ways that compilers see through.
        ("y[i] = a * x[i] + z[i]; z[i] = x[i] * -a;", false),
        (
            "const float t = -x[i]; y[i] = a * x[i] + z[i]; z[i] = t * a;",
            false,
        ),
        (
            "const float t = x[i] * 1.0f; y[i] = a * x[i] + z[i]; z[i] = t * a;",
            false,
        ),
        (
            "const float t = (float)(double)x[i]; y[i] = a * x[i] + z[i]; z[i] = t * a;",
            false,
        ),
        (
            "const float t = x[i] - 0.0f; y[i] = a * x[i] + z[i]; z[i] = t * a;",
            false,
        ),
        (
            "const float t = x[i] / -1.0f; y[i] = a * x[i] + z[i]; z[i] = t * a;",
            false,
        ),
        (
            "y[i] = x[i]; z[i] = y[i] * a + z[i]; y[i] = x[i] * a;",
            false,
        ),
        ("y[i] = x[i] * x[i] + z[i]; z[i] = -x[i] * -x[i];", false),
        (
            "y[i] = x[i] * x[i] + z[i]; z[i] = fabs(x[i]) * fabs(x[i]);",
            false,
        ),
        ("y[i] = x[i] * 0.1f + z[i]; z[i] = x[i] * -0.1f;", false),
        (
            "y[i] = (x[i] - z[i]) * a + 1; z[i] = (z[i] - x[i]) * a;",
            false,
        ),
        // Nothing is added.
        ("y[i] = a * x[i] - 0.0f; z[i] = y[i] + z[i];", false),
        ("y[i] = fabs(x[i] * x[i]) + z[i];", false),
        // A product by two, which overflows where the sum does not.
        ("y[i] = x[i] + x[i] - z[i];", false),
        (
            "const float t = x[i]; const float s = t + t; y[i] = s - z[i];",
            false,
        ),
        ("y[i] = x[i] - (-x[i]) + z[i];", false),
        ("y[i] = x[i]; z[i] = y[i] + x[i] + z[i];", false),
        ("y[i] = (x[i] - z[i]) + (x[i] - z[i]) + a;", false),
        ("y[i] = ((x[i] + z[i]) + (z[i] + x[i])) - a;", false),
        ("y[i] = (fabs(x[i]) + fabs(-x[i])) - z[i];", false),
        ("y[i] = (x[i] / z[i] + x[i] / z[i]) - a;", false),
        ("y[i] = (float)((double)x[i] + x[i]) + z[i];", false),
        ("y[i] = (j[i] + x[i]) + (x[i] + j[i]) - z[i];", false),
        ("z[i] += x[i] + x[i];", false),
        ("if (x[i] > z[i]) y[i] = x[i] + x[i] - z[i];", false),
        ("y[i] = x[i] > z[i] ? x[i] + x[i] - z[i] : z[i];", false),
        (
            "float t = x[i] > z[i] ? x[i] : z[i]; t += x[i]; y[i] = t - z[i];",
            false,
        ),
        // A zero of the other sign.
        ("y[i] = -(a * x[i] + z[i]);", false),
        ("const float t = a * x[i] + z[i]; y[i] = -t;", false),
        ("y[i] = a * x[i] + z[i]; y[i] = -y[i];", false),
        ("y[i] = -(float)(0.3 * d[i] + d[i]);", false),
        ("y[i] = -((x[i] - z[i]) * a + z[i]) / a;", false),
        // More than one, none of them like another.
        ("y[i] = a * x[i] + z[i]; z[i] = a * z[i] + x[i];", true),
        (
            "y[i] = (x[i] - z[i]) * a + y[i]; z[i] -= 0.5f * y[i];",
            true,
        ),
        ("y[i] = x[i] + a * (y[i] - 0.3f * z[i]);", true),
        ("y[i] = x[i] / z[i] + a * z[i] - sqrt(x[i]);", true),
    ] {
        let found = map(&item(statements), Rounding::Contracted);
        assert_eq!(found.is_some(), said, "{statements}");
        assert!(
            map(&item(statements), Rounding::Each).is_some(),
            "{statements}"
        );
        assert!(
            map(&item(statements), Rounding::Unknown).is_none(),
            "{statements}"
        );
    }
}

#[test]
fn sums_of_no_products_are_the_same_everywhere() {
    for statements in [
        "y[i] = x[i] + z[i] - a;",
        "y[i] = x[i] + x[i];",
        "if (x[i] > a) y[i] = x[i] - z[i]; z[i] = y[i] + a;",
        "y[i] = x[i] > 0 ? x[i] : 0; z[i] = y[i] + a;",
        "y[i] = a * x[i] * z[i]; z[i] = -x[i];",
        "y[i] = x[i] - sqrt(z[i]) + 1;",
        "y[i] += j[i]; z[i] -= m;",
        "d[i] = x[i] + d[i];",
    ] {
        assert!(
            map(&item(statements), Rounding::Unknown).is_some(),
            "{statements}"
        );
    }
}

#[test]
fn what_is_said_to_compilers_is_left_to_them() {
    for (text, plain) in [
        ("float f(float x) { return 1.5f * x; }", true),
        ("#pragma once\nint x = 0x1FL + 10L + 1ul;", true),
        ("#pragma unroll\nint x;", true),
        ("#pragma STDC FP_CONTRACT OFF\nint x;", false),
        ("  #  pragma GCC optimize (\"fast-math\")\nint x;", false),
        (
            "float f(float x) { _Pragma(\"STDC FP_CONTRACT OFF\") return x; }",
            false,
        ),
        ("__attribute__((optimize(\"fast-math\"))) int f();", false),
        ("double x = 0.1L;", false),
        ("double x = 1e3l;", false),
        ("double x = 0x1p-3L;", false),
        ("long double x;", false),
        ("double long x;", false),
        ("asm(\"nop\");", false),
    ] {
        assert_eq!(super::is_plain(text), plain, "{text}");
    }
}

/// The elements of a kernel with these loops around `y[INDEX] = 1`.
fn elements(loops: &str) -> String {
    let source = format!(
        "@kernel void k(const int n, float *y, const int m, const unsigned u) {{ {loops} }}"
    );
    let described = described(&source);
    let words = described.split_ascii_whitespace().next();
    words.unwrap().to_string()
}

#[test]
fn elements_are_those_of_all_iterations() {
    for (loops, expected) in [
        (
            "for (int i = 3; i <= n; ++i; @tile(16, @outer, @inner)) y[i - 2] = 1;",
            "1..99",
        ),
        (
            "for (int g = 0; g < n; g += 16; @outer) for (int i = g; i < g + 16; ++i; @inner) if (i < n) y[i] = 1;",
            "0..100",
        ),
        (
            "for (int g = 0; g < 8; ++g; @outer) for (int i = 0; i < 16; ++i; @inner) { const int e = 16 * g + i; if (e >= n) return; y[e + 5] = 1; }",
            "5..105",
        ),
        (
            "for (int g = 0; g < 8; ++g; @outer) for (int i = 0; i < 16; ++i; @inner) { const int e = 16 * g + i; if (e < n && e > m) y[e] = 1; }",
            "8..100",
        ),
        (
            "for (int g = 0; g < 6; ++g; @outer) for (int i = 0; i < 16; ++i; @inner) { const int e = 16 * g + i; if (e < n) y[e] = 1; }",
            "0..96",
        ),
        (
            "for (int r = 0; r < n; ++r; @outer) for (int c = 0; c < m; ++c; @inner) y[r * m + c] = 1;",
            "0..700",
        ),
        (
            "for (int c = 0; c < m; ++c; @outer) for (int r = 0; r < n; ++r; @inner) y[r * m + c] = 1;",
            "0..700",
        ),
        (
            "for (int i = n - 1; i >= 0; --i; @tile(16, @outer, @inner)) y[i] = 1;",
            "0..100",
        ),
        (
            "for (int by = 0; by < 7; ++by; @outer) for (int bx = 0; bx < 13; ++bx; @outer) for (int ty = 0; ty < 16; ++ty; @inner) for (int tx = 0; tx < 8; ++tx; @inner) { \
          const int x = bx * 8 + tx, yy = by * 16 + ty; if (x < n && yy < n) y[yy * n + x] = 1; }",
            "0..10000",
        ),
        // A row of 101 of which 100 are written.
        (
            "for (int r = 0; r < n; ++r; @outer) for (int c = 0; c < n; ++c; @inner) y[r * 101 + c] = 1;",
            "nowhere:",
        ),
        // Some twice.
        (
            "for (int r = 0; r < n; ++r; @outer) for (int c = 0; c < m; ++c; @inner) y[c] = 1;",
            "nowhere:",
        ),
        (
            "for (int r = 0; r < n; ++r; @outer) for (int c = 0; c < m; ++c; @inner) y[r + c] = 1;",
            "nowhere:",
        ),
        (
            "for (int i = 0; i < n; i += 2; @tile(16, @outer, @inner)) y[i] = 1;",
            "nowhere:",
        ),
        (
            "for (int g = 0; g < 8; ++g; @outer) for (int i = 0; i < 16; ++i; @inner) { const int e = 16 * g + i; if (e != 3) y[e] = 1; }",
            "nowhere:",
        ),
        (
            "for (int g = 0; g < 8; ++g; @outer) for (int i = 0; i < 16; ++i; @inner) { const int e = 16 * g + i; if (i < 9) y[e] = 1; }",
            "nowhere:",
        ),
        (
            "for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) y[i - 1] = 1;",
            "nowhere:",
        ),
        // Of an unknown size.
        (
            "for (unsigned i = 0; i < u; ++i; @tile(16, @outer, @inner)) y[i] = 1;",
            "nowhere:",
        ),
    ] {
        assert_eq!(elements(loops), expected, "{loops}");
    }
}

#[test]
fn arrays_that_are_read_late_are_known() {
    for (statements, late) in [
        ("y[i] = x[i];", false),
        ("y[i] += a * x[i];", false),
        ("y[i] = x[i]; y[i] = y[i] + 1;", false),
        ("y[i] = x[i]; z[i] = x[i];", true),
        ("y[i] = x[i]; if (y[i] > z[i]) y[i] = 0;", true),
    ] {
        let map = map(&item(statements), Rounding::Contracted).unwrap();
        assert_eq!(map.late, late, "{statements}");
    }
}
