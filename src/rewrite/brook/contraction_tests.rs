#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::contracts;
use crate::source::FileLoader;
use crate::{Options, Source, backend::Backend};

const HELPERS: &str = "
    kernel float added(float a, float b) { return a + b; }
    kernel float times(float a, float b) { return a * b; }
    kernel void put(float a<>, float b<>, out float c<>) { c = a + b; }
    kernel float twice(float a) { return added(a, a * 2.0f); }
";

/// Whether the sums of a kernel of these statements may be contracted in several ways.
fn check(statements: &str, expected: bool) {
    check_with("", statements, expected);
}

/// The same with other parameters besides.
fn check_with(parameters: &str, statements: &str, expected: bool) {
    let source = format!(
        "{HELPERS} kernel void k({parameters} float a[], float b[], int n, float x<>, float y<>, float4 v<>, double d<>, out float o<>) \
         {{ float s; float t; int i; s = x; t = y; i = n; {{ {statements} }} }}"
    );
    check_source(source, expected);
}

/// The same of a source's kernel `k`.
fn check_source(source: String, expected: bool) {
    let backend = Backend::built_in("openmp").unwrap();
    let made = crate::transpile::bodies(
        &Source::new("a.br", source.clone()),
        &backend,
        &Options::default(),
        &FileLoader,
    );
    let (module, ..) = made.unwrap_or_else(|report| panic!("{report}"));
    let kernel = module.kernels.iter().find(|k| k.name == "k").unwrap();
    assert_eq!(contracts(&module, kernel), expected, "{source}");
}

#[test]
fn sums_of_two_products_are_found() {
    for (statements, expected) in [
        ("o = x * y + x;", false),
        ("o = x * y + x * 2.0f;", true),
        ("o = x * y - (x * 2.0f);", true),
        ("o = x + y; o = o - x * y;", false),
        ("o = x * y; o -= y * y;", true),
        ("o = x * y; o += x;", true),
        ("float p = x * y; o = p + v.x * v.y;", true),
        (
            "float p; p = x; if (n > 1) p = x * y; o = p + v.x * v.y;",
            true,
        ),
        (
            "float p; p = x; if (n > 1) p *= x; o = p + v.x * v.y;",
            true,
        ),
        ("o = (n > 1 ? x * y : x) + v.x * v.y;", true),
        ("o = -(x * y) + v.x * v.y;", true),
        ("float4 w = v * v; o = w.x + x * y;", true),
        ("float4 w = v; w.y = x * y; o = w.x + v.z * v.w;", true),
        (
            "float4 w = float4(x, y, x * y, x); o = w.x + v.z * v.w;",
            true,
        ),
        ("o = max(x * y, x) + v.x * v.y;", true),
        ("o = sqrt(x * y) + v.x * v.y;", false),
        ("o = a[x] + b[y] * x;", false),
        ("o = a[x] * b[y] + x * y;", true),
        ("o = a[x * y + 1.0f] * b[y] + x;", false),
        ("o = a[x * y + v.x * v.y];", true),
        ("o = (float)(n * n) + x * y;", false),
        ("o = (float)(n * i + i * i);", false),
        ("double e = d * d; o = (float)(e + d * 2.0);", true),
        ("o = dot(v, v);", true),
    ] {
        check(statements, expected);
    }
}

#[test]
fn what_compilers_make_products_of_is_one() {
    for (statements, expected) in [
        // By powers of two, by twos, and to the power of two.
        ("o = x / 2.0f + v.x * v.y;", true),
        ("o = x / y + v.x * v.y;", false),
        ("o = (x + x) + v.x * v.y;", true),
        ("o = (x + y) + v.x * v.y;", false),
        ("o = (s + x) + v.x * v.y;", true),
        ("o = (s + (y + 1.0f)) + v.x * v.y;", false),
        ("s = y + 1.0f; o = (s + (y + 1.0f)) + v.x * v.y;", true),
        ("float p = x + y; o = (p + (x + y)) + v.x * v.y;", true),
        ("o = (a[n] + a[i]) + v.x * v.y;", true),
        ("o = (a[n] + b[n]) + v.x * v.y;", false),
        ("o = (a[n] + x) + v.x * v.y;", false),
        ("o = pow(x, 2.0f) + v.x * v.y;", true),
        // Only what is added to -0 stays what it is.
        ("float z = 0.0f; z += x * y; z += v.x * v.y; o = z;", false),
        ("float z = 0.0f; z -= x * y; z -= v.x * v.y; o = z;", false),
        ("float z = -0.0f; z += x * y; z += v.x * v.y; o = z;", true),
        ("o = (x * y - 0.0f) + v.x * v.y;", true),
        ("o = (x * y + 0.0f) + v.x * v.y;", false),
        ("o = (x * y + 1.0f) + v.x * v.y;", false),
    ] {
        check(statements, expected);
    }
}

#[test]
fn products_that_may_have_other_uses_are_found() {
    for (statements, expected) in [
        ("o = x * y + 1.0f;", false),
        ("float p = x * y; o = p + 1.0f;", true),
        ("float4 w = float4(x * y + 1.0f, x*y, x, x); o = w.x;", true),
        (
            "float4 w = float4(x * y + 1.0f, y * y, x, x); o = w.x;",
            true,
        ),
        ("o = (n > 1 ? x : y) + v.x * v.y;", true),
        ("o = (n > 1 ? x : y) * x;", false),
        ("if (n > 1) o = x + y; else o = x * y;", false),
        ("if (n > 1) o = x * y; else o = x;", false),
    ] {
        check(statements, expected);
    }
    // Integers are not kept apart from what has made them.
    check_with("int m<>,", "o = (float)m * 0.37f + x;", true);
    check_with("int m<>,", "o = (float)m * 0.37f;", false);
    check_with("int m,", "o = (float)m * 0.37f + x;", false);
}

#[test]
fn kernels_that_are_called_and_loops_are_looked_at() {
    for (statements, expected) in [
        ("o = added(x, y);", true),
        ("o = added(x * y, x);", true),
        ("o = added(x, y) + x * y;", true),
        ("o = added(s, y);", true),
        ("s = x * y; o = added(s, y);", true),
        ("o = times(x, y);", false),
        ("o = times(x * 2.0f, y);", false),
        ("o = times(x, y) + x;", true),
        ("put(x, y, o);", true),
        ("put(x, x * y, o);", true),
        ("put(x, y, o); o += x * y;", true),
        ("o = twice(x);", true),
        ("for (i = 0; i < n; i++) s = s * x;  o = s;", false),
        ("for (i = 0; i < n; i++) s = max(s, a[i]); o = s;", false),
        ("for (i = 0; i < n; i++) s += x * a[i]; o = s;", true),
        (
            "for (i = 0; i < n; i++) s = s * x; o = s; o = x * y + x;",
            true,
        ),
        ("for (i = 0; i < n; i++) s = added(s, a[i]); o = s;", true),
    ] {
        check(statements, expected);
    }
}

#[test]
fn reductions_of_products_are_found() {
    for (statements, expected) in [
        ("r += x;", false),
        ("r = r + x;", false),
        ("r *= x;", false),
        ("r = max(r, x);", false),
        ("if (x > r) r = x;", false),
        ("r += x * x;", true),
        ("r = r * w + x;", true),
        ("r += dot(v, v) * x;", true),
    ] {
        let source = format!(
            "reduce void k(float x<>, float w, float4 v, reduce float r<>) {{ {statements} }}"
        );
        check_source(source, expected);
    }
}
