//! What the fuzzers of translation share.

use brook::backend::Backend;
use brook::source::MemoryLoader;
use brook::{Options, Source};
use std::sync::OnceLock;

fn backends() -> &'static [Backend] {
    static ALL: OnceLock<Vec<Backend>> = OnceLock::new();
    ALL.get_or_init(|| {
        let names = ["cuda", "hip", "opencl", "openmp"];
        names
            .into_iter()
            .filter_map(|n| Backend::built_in(n).ok())
            .collect()
    })
}

/// Translates for every backend. An error of the translator's own, where the source's was to be named, is a
/// failure if `BROOK_FUZZ_INTERNAL` is set.
pub fn translate(name: &str, text: &[u8], options: &Options) {
    let source = Source::new(name, text);
    for backend in backends() {
        let result = brook::transpile(&source, backend, options, &MemoryLoader::new());
        if let Err(report) = result
            && std::env::var_os("BROOK_FUZZ_INTERNAL").is_some()
        {
            let internal = report.diagnostics.iter().find(|d| d.code.id == "SRC090");
            assert!(internal.is_none(), "{}: {internal:?}", backend.name);
        }
    }
}
