#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::tests::{analysis, hover};

/// What is said of the first `for` in the function `f`.
fn said(declared: &str, body: &str) -> String {
    let text = format!(
        "{declared}\nint f(int n, unsigned u, long l, const int *p) {{ int s = 0, m = n; {body} return s + m; }}\n"
    );
    hover(&analysis("a.okl", &text, ""), "for (", 0)
}

#[test]
fn loops_say_how_often_they_run() {
    for (body, wanted) in [
        (
            "for (int i = 0; i < 10; ++i) s += i;",
            "`10` iterations, `i` from `0`",
        ),
        ("for (int i = 1; i <= 10; i++) s += i;", "`10` iterations"),
        ("for (int i = 0; i < 10; i += 3) s += i;", "`4` iterations"),
        ("for (int i = 0; i <= 9; i += 3) s += i;", "`4` iterations"),
        ("for (int i = 10; i > 0; --i) s += i;", "`10` iterations"),
        ("for (int i = 10; i >= 0; i -= 2) s += i;", "`6` iterations"),
        ("for (int i = 0; i != 8; ++i) s += i;", "`8` iterations"),
        ("for (int i = 5; i < 5; ++i) s += i;", "`0` iterations"),
        ("for (int i = 4; i < 5; ++i) s += i;", "`1` iteration,"),
        ("for (int i = 0; 3 > i; ++i) s += i;", "`3` iterations"),
        ("for (int i = 0; i < K; ++i) s += i;", "`6` iterations"),
        (
            "for (int i = 0; i < 2 * K + 1; ++i) s += i;",
            "`13` iterations",
        ),
        ("for (int i = 0; i < W; ++i) s += i;", "`7` iterations"),
        ("for (int i = 0; i < n; ++i) s += i;", "`n` iterations"),
        ("for (int i = 1; i < n; ++i) s += i;", "`n - 1` iterations"),
        (
            "for (int i = 0; i < n - 1; ++i) s += i;",
            "`n - 1` iterations",
        ),
        ("for (int i = n; i > 0; --i) s += i;", "`n` iterations"),
        (
            "for (int i = 0; i < n; i += 4) s += i;",
            "`(n + 3) / 4` iterations",
        ),
        ("for (unsigned i = 0; i < u; ++i) s += i;", "`u` iterations"),
        ("int i; for (i = 0; i < n; ++i) s += i;", "`n` iterations"),
        // Only the loop itself counts, and what stands in it.
        (
            "m = 3; for (int i = 0; i < m; ++i) s += i; m = 4;",
            "`m` iterations",
        ),
        (
            "for (int i = 0; i < n; ++i) { int n = 0; n++; s += p[i] + (int) sqrt(i); }",
            "`n` iterations",
        ),
        (
            "for (int i = 0; i < n; ++i) { s += value(i); }",
            "`n` iterations",
        ),
        (
            "for (int i = 0; i < n; ++i) { if (p[i]) break; }",
            "at most `n` iterations",
        ),
        (
            "for (int i = 0; i < n; ++i) { if (p[i]) return 2; }",
            "at most `n` iterations",
        ),
        (
            "for (int i = 0; i < n; ++i) { while (s) { s--; break; } continue; }",
            "**A loop**: `n` iterations",
        ),
        (
            "for (unsigned i = 3; i >= 1; --i) s += i;",
            "`3` iterations",
        ),
    ] {
        let declared = "#define W 7\nconst int K = 6;\nint value(int v) { return v; }";
        let found = said(declared, body);
        assert!(found.contains(wanted), "{body}\n{found}");
    }
}

#[test]
fn of_others_nothing_is_said() {
    for body in [
        // The variable changes.
        "for (int i = 0; i < n; ++i) { i++; }",
        "for (int i = 0; i < n; ++i) { if (s) i = n; }",
        "for (int i = 0; i < n; ++i) { int *q = &i; *q = 3; }",
        "for (int i = 0; i < n; ++i) { int &r = i; r = 3; }",
        "for (int i = 0; i < n; ++i) { auto &r = (i); r = 3; }",
        "for (int i = 0; i < n; ++i) { change(i); }",
        "for (int i = 0; i < n; ++i) { unknown(i); }",
        "for (int i = 0; i++ < n; ++i) { s++; }",
        "int i; auto h = [&] { i = 0; }; for (i = 0; i < n; ++i) { h(); }",
        "int i; int *q = &i; for (i = 0; i < n; ++i) { *q = 3; }",
        // The bound changes.
        "for (int i = 0; i < m; ++i) { m--; }",
        "for (int i = 0; i < m; ++i, m--) { s++; }",
        "for (int i = 0; i < p[0]; ++i) { s++; }",
        "for (int i = 0; i < value(3); ++i) { s++; }",
        "for (int i = 0; i < global; ++i) { s++; }",
        "int &r = m; for (int i = 0; i < r; ++i) { s++; }",
        "volatile int v = 3; for (int i = 0; i < v; ++i) { s++; }",
        "static int v = 3; for (int i = 0; i < v; ++i) { s++; }",
        "for (int i = 0; i < m; i += s) { s++; }",
        "for (int i = m; i < n; ++i) { m++; }",
        "for (int i = 0; i < i + 1; ++i) { s++; }",
        // It would wrap, or run for ever.
        "for (unsigned i = 3; i >= 0; --i) s += i;",
        "for (unsigned i = u; i >= 0; --i) s += i;",
        "for (unsigned i = u; i > 0; i -= 2) s += i;",
        "for (unsigned char i = 0; i < 300; ++i) s += i;",
        "for (char i = 0; i < n; ++i) s += i;",
        "for (int i = 0; i < l; ++i) s += i;",
        "for (unsigned i = 0; i < n; ++i) s += i;",
        "for (int i = -1; i < 4u; ++i) s += i;",
        "for (int i = 0; i < 10; --i) s += i;",
        "for (int i = 0; i < 10; i += 0) s += i;",
        "for (int i = 0; i != 7; i += 2) s += i;",
        "for (int i = 0; i != n; i += 2) s += i;",
        "for (int i = 0; i < 2147483647; i += 2) s += i;",
        // What is no number of iterations.
        "for (float i = 0; i < 3; ++i) s += i;",
        "for (int i = 0; i < 2.5f; ++i) s += i;",
        "for (;;) break;",
        "for (int i = 0, j = 0; i < n; ++i) s += i;",
        "for (int i = 1; i < n; i *= 2) s += i;",
        "for (const int *q = p; q < p + 3; ++q) s += *q;",
    ] {
        let declared = "int global;\nint value(int v) { return v; }\nvoid change(int &v) { v++; }";
        assert_eq!(said(declared, body), "", "{body}");
    }
}
