#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::source::FileLoader;
use crate::{Options, Source, backend::Backend};

/// Whether blocks of items run the loop in the function of a text.
fn is_masked(function: &str) -> bool {
    let source = format!(
        "{function}\n@kernel void k(const int n, const float *a, float *o) {{\n\
         for (int g = 0; g < n; ++g; @outer) for (int i = 0; i < 16; ++i; @inner) {{ o[i] = f(a[i]); }} }}"
    );
    let backend = Backend::built_in("openmp").unwrap();
    let source = Source::new("a.okl", source);
    let made = crate::transpile::bodies(&source, &backend, &Options::default(), &FileLoader);
    made.unwrap_or_else(|report| panic!("{report}"));
    let made = crate::transpile(&source, &backend, &Options::default(), &FileLoader);
    made.unwrap().device.contains("brook_any")
}

#[test]
fn loops_that_items_leave_at_different_times_are_masked() {
    assert!(is_masked(
        "float f(float a) { while (a < 9) a = a * 2 + 1; return a; }"
    ));
    assert!(!is_masked(
        "float f(float a) { for (int k = 0; k < 9; ++k) a = a * 2 + 1; return a; }"
    ));
}

#[test]
fn nothing_is_known_of_long_doubles() {
    assert!(!is_masked(
        "float f(float a) { long double b = a; while (a < 9) a = a * 2 + 1; return a + b; }"
    ));
    assert!(!is_masked(
        "float f(float a) { while (a < 9) a = a * 2.5L + 1; return a; }"
    ));
    assert!(!is_masked(
        "float f(float a) { while (a < 9) a = a * 25e-1l + 1; return a; }"
    ));
    assert!(is_masked(
        "float f(float a) { while (a < 9) a = a * (float)(int)(2l + 0x1El); return a; }"
    ));
}
