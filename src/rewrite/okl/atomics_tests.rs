//! Which atomics are done at once.

use crate::backend::Backend;
use crate::source::FileLoader;
use crate::{Options, Source, transpile};

/// What CUDA's source says of an atomic statement, with the memory's name left out.
fn function(statement: &str) -> String {
    let text = format!(
        "@kernel void k(const int n, const int *key, long *of) {{\n\
         for (int g = 0; g < n; ++g; @outer) {{ for (int i = 0; i < 8; ++i; @inner) {{ @atomic {statement} }} }} }}\n"
    );
    let backend = Backend::built_in("cuda").expect("built in");
    let source = Source::new("atomics.okl", text.as_str());
    let translation = transpile(&source, &backend, &Options::default(), &FileLoader);
    let device = translation
        .unwrap_or_else(|e| panic!("{statement}: {e}"))
        .device;
    let begin = device.find("_occa_k_0").expect("a kernel");
    let call = device[begin..].find("brook_atomic_").expect("a call") + begin;
    device[call..].split('(').next().unwrap_or("").to_string()
}

#[test]
fn memory_is_the_same_in_any_layout() {
    let least = "of[static_cast<unsigned int >(key[i])]";
    for other in [
        "of[static_cast<unsigned int>(key[i])]",
        "of[static_cast<unsigned /**/ int>(key [i])]",
        "(of)[(static_cast< unsigned\n int >(key[i]))]",
    ] {
        let min = format!("{least} = min({other}, (long) i);");
        assert_eq!(function(&min), "brook_atomic_min", "{min}");
        let sum = format!("{least} = {other} + i;");
        assert_eq!(function(&sum), "brook_atomic_add", "{sum}");
    }
    // Another place.
    let write =
        "of[static_cast<unsigned int>(i)] = min(of[static_cast<unsigned short>(i)], (long) i);";
    assert_eq!(function(write), "brook_atomic_write");
}
