//! `@unroll(n)` on every backend, and what it refuses.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use brook::backend::Backend;
use brook::source::MemoryLoader;
use brook::{Options, Source, Translation};
use brook_extension_example::Unroll;
use std::sync::Arc;

const GOOD: &str = "#define COPIES 4
@kernel void k(const int n, float *a) {
  for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) {
    @unroll(COPIES) for (int k = 0; k < 16; ++k) {
      a[16 * i + k] = k;
    }
    [[okl_unroll(\"(8)\")]] for (int k = 0; k < 16; ++k) a[16 * i + k] += 1;
  }
}
";

fn translate(text: &str, backend: &str) -> Result<Translation, Vec<String>> {
    let options = Options {
        extensions: vec![Arc::new(Unroll)],
        ..Options::default()
    };
    let backend = Backend::built_in(backend).unwrap();
    let source = Source::new("k.okl", text);
    let translated = brook::transpile(&source, &backend, &options, &MemoryLoader::new());
    translated.map_err(|report| {
        let one = |d: &brook::diagnostics::Diagnostic| format!("{} {}", d.code.id, d.message);
        report.diagnostics.iter().map(one).collect()
    })
}

#[test]
fn each_backend_spells_it_its_own_way() {
    for (backend, word) in [
        ("cuda", "unroll"),
        ("hip", "unroll"),
        ("opencl", "unroll"),
        ("openmp", "GCC unroll"),
    ] {
        let device = translate(GOOD, backend).unwrap().device;
        for count in [4, 8] {
            let pragma = format!("\n#pragma {word} {count}\nfor (int k = 0; k < 16; ++k)");
            assert!(device.contains(&pragma), "{backend}:\n{device}");
        }
        assert!(!device.contains("okl_unroll"));
        assert!(device.contains("// 2 loops with @unroll.\n"));
        assert!(device.ends_with("// Checked by the example extension.\n"));
    }
}

#[test]
fn lines_lead_back() {
    let translation = translate(GOOD, "cuda").unwrap();
    let lines: Vec<&str> = translation.device.lines().collect();
    assert_eq!(lines.len(), translation.source_map.len());
    let at = lines.iter().position(|l| l.contains("+= 1")).unwrap();
    assert_eq!(translation.source_map[at].map(|(_, line)| line), Some(7));
}

#[test]
fn what_is_wrong_is_said() {
    let with = |attribute: &str| GOOD.replace("@unroll(COPIES)", attribute);
    let fails = |text: &str, expected: &[&str]| {
        assert_eq!(translate(text, "cuda").unwrap_err(), expected, "{text}");
    };
    fails(
        &with("@unroll(n)"),
        &["UNR001 [@unroll] takes a constant from 2 to 64, not 'n'"],
    );
    fails(
        &with("@unroll"),
        &["OKL005 [@unroll] expects at least one argument"],
    );
    fails(
        &with("@unroll(4) int x = 0;"),
        &["OKL003 '@unroll' cannot decorate a variable; it applies to a for loop"],
    );
    fails(
        &GOOD.replace("@tile(64", "@unroll(4) @tile(64"),
        &["UNR002 [@unroll] is for ordinary loops; this one is distributed by '@tile'"],
    );
}

#[test]
fn without_it_the_attribute_is_unknown() {
    let cuda = Backend::built_in("cuda").unwrap();
    let source = Source::new("k.okl", GOOD);
    let report = brook::transpile(&source, &cuda, &Options::default(), &MemoryLoader::new());
    assert!(
        report
            .unwrap_err()
            .diagnostics
            .iter()
            .all(|d| d.code.id == "OKL001")
    );
}
