//! The preprocessor takes any text. A line of `//// NAME` begins a file that the others can include.

#![no_main]

use brook::diagnostics::Sink;
use brook::normalize::{Dialect, normalize};
use brook::preprocess::{Options, preprocess};
use brook::source::MemoryLoader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut loader = MemoryLoader::new();
    let mut parts = text.split("\n//// ");
    let main = parts.next().unwrap_or_default();
    for part in parts {
        let (name, body) = part.split_once('\n').unwrap_or((part, ""));
        loader = loader.with(name.trim(), body);
    }
    let normalizer = |raw: &str| normalize(raw, Dialect::Okl);
    let mut sink = Sink::default();
    preprocess(
        "main.okl",
        main,
        &loader,
        &Options::default(),
        &normalizer,
        &mut sink,
    );
});
