//! Which subscripts are known to stay in their rows.

use crate::backend::Backend;
use crate::source::FileLoader;
use crate::{Options, Source, transpile};

/// What a program becomes where loops stay loops.
fn translated(text: &str, what: &str) -> String {
    let backend = Backend::built_in("openmp").expect("built in");
    let source = Source::new("rows.okl", text);
    let translation = transpile(&source, &backend, &Options::default(), &FileLoader);
    translation.unwrap_or_else(|e| panic!("{what}: {e}")).device
}

/// Whether the rows of `s[4][16]` lie in one array, with those statements in a loop over 16 items `i`.
fn leaves(statements: &str) -> bool {
    let text = format!(
        "const int eight = 8;\n\
         const unsigned two = 2;\n\
         int within(const int x) {{ return x; }}\n\
         void count(int &x) {{ x += 100; }}\n\
         typedef int &Reference;\n\
         int many = 5;\n\
         @kernel void k(const int n, const unsigned u, int *o) {{\n\
           for (int g = 0; g < n; ++g; @outer) {{\n\
             @shared int s[4][16];\n\
             for (int i = 0; i < 16; ++i; @inner) {{\n\
               {statements}\n\
             }}\n\
             for (int i = 0; i < 16; ++i; @inner) o[16 * g + i] = s[1][i];\n\
           }}\n\
         }}\n"
    );
    translated(&text, statements).contains("brook_array<int[4][16]> s;")
}

#[test]
fn subscripts_that_stay_in_their_rows() {
    let known = [
        "s[0][i] = 1;",
        "s[n][15 - i] = 1;",
        "s[n][(i + 5) % 16] = 1;",
        "s[n][i / 2 * 2 + 1] = 1;",
        "s[n][i & 7] = s[n][n & 15];",
        "s[n][(int)(i * 2) >> 1] = 1;",
        "s[n][n ? 15 - i : i] = i < 8 ? s[n][i + 8] : 0;",
        "s[n][n > 3] = 1; s[n][!n] = 2;",
        "s[n][min(i + 4, 15)] = s[n][max(i - 4, 0)];",
        "const int k = 15 - i; int again = k / 2; s[n][again + eight] = 1;",
        "if (i < 8 && n > 2) s[n][i + 8] = 1;",
        "if (14 > i) if (i >= 2) s[n][i - 2] = s[n][i + 2];",
        "for (int k = i; k < 16; k += 4) s[n][k] = 1;",
        "for (int k = 15; k >= 0; --k) s[n][k] = 1;",
        "for (int k = 0; k < 16; k += 4) for (int j = k; j < k + 4; ++j) s[n][j] = 1;",
        "for (int k = 1; k < 20; k += 7) s[n][k] = 1;",
        "for (unsigned k = 0; k < two * 8; ++k) s[n][k] = 1;",
        "int k = i; o[within(k)] = 1; s[n][k] = 1;",
        "{ int i = 3; s[n][i] = 1; }",
        // What wraps ends the loop.
        "for (unsigned char k = 0; k < 16; k -= 1) s[n][k] = 1;",
        "for (unsigned k = 15; k < 16; --k) s[n][k] = 1;",
        "if (i < 8) s[n][i] = 1; else s[n][i - 8] = 1;",
        "if (n < 0 || n > 15) o[0] = 1; else s[n][n] = 1;",
        "if (u < 16) s[n][u] = n >= 0 && n < 16 ? s[0][n] : 0;",
        "int k; k = i; s[n][k] = 1;",
        "const size_t k = i; if (k < 12u) s[n][k + 4] = 1;",
        "s[n][(unsigned char)n & 15] = s[n][u % 16];",
    ];
    let wrong: Vec<&&str> = known.iter().filter(|s| leaves(s)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn subscripts_that_may_leave_their_rows() {
    let unknown = [
        "s[0][i + 1] = 1;",
        "s[n][n] = 1;",
        "s[n][n % 16] = 1;",
        "s[n][i - 1] = 1;",
        "s[n][~i] = 1;",
        "s[n][i < 8 ? i + 9 : i] = 1;",
        "s[n][o[i]] = 1;",
        // They change.
        "int k = i; k += 5; s[n][k] = 1;",
        "int k = i; ++k; s[n][k] = 1;",
        "int k = i; (k) = 20; s[n][k] = 1;",
        "int k = i, l = 0; (n ? k : l) = 20; s[n][k] = 1;",
        "int k = i; count(k); s[n][k] = 1;",
        "int k = i; int &same = k; same = 20; s[n][k] = 1;",
        "int k = i; int (&same) = k; same = 20; s[n][k] = 1;",
        "int k = i; int &same(k); same = 20; s[n][k] = 1;",
        "int k = i; Reference same = k; same = 20; s[n][k] = 1;",
        "struct Counter { int n; Counter(int &r) : n(0) { r += 100; } }; int k = i; Counter same(k); s[n][k] = 1;",
        "struct Counter { int n; Counter(int &r) : n(0) { r += 100; } }; int k = i; Counter{k}; s[n][k] = 1;",
        "s[n][16 - ((u + 0xfffffff8u) >> 28)] = 1;",
        "s[n][16u - ((u + 0xffffffffu) / 0x10000000u)] = 1;",
        "if (u < -1) s[n][u + 1] = 1;",
        "int k = i; int *p = &k; *p = 20; s[n][k] = 1;",
        "int k = i; auto change = [&]() { k = 20; }; change(); s[n][k] = 1;",
        "int k = i; auto change = [](int &x) { x = 20; }; change(k); s[n][k] = 1;",
        "int k = i; while (k < 16) { s[n][k] = 1; k += 1; }",
        "for (int k = 0; k < 16; ++k) { k += 2; s[n][k] = 1; }",
        "int k = 0; for (k = 1; k < 40; ++k) s[n][k] = 1;",
        // Other variables of the same name.
        "{ int i = n; s[n][i] = 1; }",
        "if (i < 4) { int i = n; s[n][i] = 1; }",
        "const int k = i; { const int i = n; s[n][k + i] = 1; }",
        "auto f = [&](int i) { s[n][i] = 1; }; f(100);",
        "const int eight = 16; s[n][eight] = 1;",
        "int many[2] = {3, 100}; for (int i : many) s[n][i] = 1;",
        "if (int i = n) s[n][i] = 1;",
        "(s)[0][n] = 1;",
        "((s)[0])[n] = 1;",
        // What is no copy.
        "int k = 3; count(static_cast<int &>(k)); s[n][k] = 1;",
        "int k = 3; count((int &) k); s[n][k] = 1;",
        "int k = 3; count((n, k)); s[n][k] = 1;",
        "int k = 3; int &r = (o[0]++, k); r = 128; s[n][k] = 1;",
        "int k = 3; auto f = [&m = k]() { m = 128; }; f(); s[n][k] = 1;",
        "many = 100; s[n][many] = 1;",
        "s[n][((long) (o[i] & 1) | 0x7000000000000000L) / 0x400000000000000L] = 1;",
        "for (int t = 0, j; t < 4; j = 3) { if (t > 0 && j >= 0 && j < 16) { j = 128; s[n][j] = 1; } ++t; }",
        // Conditions that say less than they seem to.
        "if (n > 100) goto in; if (n >= 0 && n < 16) { in: ; s[n][n] = 1; }",
        "if (i < 8) s[n][i] = 1; else s[n][i + 8] = 1;",
        "if (i < 8 || n) s[n][i + 8] = 1;",
        "if (!(i < 8)) s[n][i + 8] = 1;",
        "if (n >= 0u && n < 16) s[n][n] = 1;",
        "int k = n; do s[n][k] = 1; while (k >= 0 && k < 16 && n > 100);",
        "for (int k = 0; k < 16 || n > k; ++k) s[n][k] = 1;",
        "for (int k = 0; k != 16; ++k) s[n][k + 1] = 1;",
        "for (int k = 0; s[n][k] < 5 && k < 16; ++k) o[k] = 1;",
        "for (int k = 0; k < 16; --k) s[n][k] = 1;",
        "for (int k = 0; k < 16; k += n) s[n][k] = 1;",
        // Without a sign, what goes below 0 is large.
        "const unsigned k = i; s[n][k - 2 + 2L] = 1;",
        "s[n][i - two + 2L] = 1;",
        "const unsigned char k = 300; s[n][k] = 1;",
    ];
    let wrong: Vec<&&str> = unknown.iter().filter(|s| !leaves(s)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn dimensions_of_types_count() {
    let declared = |declaration: &str, expected: &str| {
        let text = format!(
            "typedef int row[16];\n\
             @kernel void k(const int n, int *o) {{\n\
               for (int g = 0; g < n; ++g; @outer) {{\n\
                 {declaration}\n\
                 for (int i = 0; i < 16; ++i; @inner) s[0][n] = 1;\n\
                 for (int i = 0; i < 16; ++i; @inner) o[16 * g + i] = s[1][i];\n\
               }}\n\
             }}\n"
        );
        assert!(
            translated(&text, declaration).contains(expected),
            "{declaration}"
        );
    };
    declared("@shared row s[4];", "brook_array<row[4]> s;");
    declared(
        "typedef int line[16]; @shared line s[4];",
        "brook_array<line[4]> s;",
    );
    declared("using M = int[4][16]; @shared M s;", "brook_array<M> s;");
}
