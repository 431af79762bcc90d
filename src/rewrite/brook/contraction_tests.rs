#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::source::MemoryLoader;
use crate::{Options, Source, backend::Backend, transpile};

/// What becomes of the statements of a kernel.
fn translated(backend: &str, statements: &str, contract: bool) -> String {
    let text = format!(
        "kernel void k(int n, float x<>, float y<>, float4 v<>, double d<>, out float o<>, out float4 w<>) \
         {{ float p = x; o = x; w = v; p = 1.5f; {statements} p = 2.5f; }}"
    );
    let mut options = Options {
        contract,
        ..Options::default()
    };
    options.checking.relaxed = true;
    let backend = Backend::built_in(backend).unwrap();
    let source = Source::new("a.br", text);
    let made = transpile(&source, &backend, &options, &MemoryLoader::new());
    let device = made.unwrap_or_else(|report| panic!("{report}")).device;
    let (_, rest) = device.split_once("p = 1.5f;").unwrap();
    let (body, _) = rest.split_once("p = 2.5f;").unwrap();
    body.trim().to_string()
}

fn check(statements: &str, expected: &str) {
    assert_eq!(translated("cuda", statements, true), expected);
}

#[test]
fn sides_that_are_products_are_not_rounded() {
    for (statements, expected) in [
        ("o = x * y + p;", "o = brook_fma(x, y, p);"),
        ("o = p + x * y;", "o = brook_fma(x, y, p);"),
        ("o = x * y - p;", "o = brook_fma(x, y, -p);"),
        ("o = p - (x) * y;", "o = brook_fma(-((x)), y, p);"),
        ("o = x * y - p * x;", "o = brook_fma(-p, x, x * y);"),
        ("o -= (float)((x * y));", "o = brook_fma(-x, y, o);"),
        ("w.y += x * y;", "w.y = brook_fma(x, y, w.y);"),
        (
            "o = x * y + p * x + y * y;",
            "o = brook_fma(y, y, brook_fma(p, x, x * y));",
        ),
        (
            "o = (x + y * p) * p + x;",
            "o = brook_fma((brook_fma(y, p, x)), p, x);",
        ),
        (
            "w = v * x + v;",
            "w = brook_fma(v, brook_float4((float)(x)), v);",
        ),
    ] {
        check(statements, expected);
    }
}

#[test]
fn others_are_left_alone() {
    for statements in [
        "p = x * y; o = p + x;",
        "int m = n * n + 1; p = m;",
        "o = x / y + p;",
        "o = -(x * y) + p;",
        "o += p;",
        "o = (x > y ? x * y : x) + p;",
        "w.xy += v.xy * v.zw;",
    ] {
        let made = translated("cuda", statements, true);
        assert_eq!(made, translated("cuda", statements, false));
        assert_eq!(made.matches("fma").count(), 0, "{made}");
    }
    // A product of another type has been rounded by what makes it one of this.
    for statements in [
        "double e = x * y + d; p = e;",
        "w = x * y + v;",
        "o += d * d;",
    ] {
        let made = translated("cuda", statements, true);
        assert_eq!(made.matches("fma").count(), 0, "{made}");
    }
}

#[test]
fn nothing_changes_unless_it_is_asked_for() {
    assert_eq!(translated("hip", "o = x * y + p;", false), "o = x * y + p;");
    assert_eq!(
        translated("opencl", "o = x * y + p;", true),
        "(*o) = brook_fma(x, y, p);"
    );
    // g++ does not see negatives.
    assert_eq!(
        translated("openmp", "o = -(p - x * y);", true),
        "o = brook_minus((p - x * y));".replace("p - x * y", "brook_fma(brook_minus(x), y, p)")
    );
}
