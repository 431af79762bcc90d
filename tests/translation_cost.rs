//! What a translation takes from the allocator: no allocation per token, nothing that grows faster than the
//! source, and never more than 30 MB. Counts, unlike times, are the same on every machine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../benches/transpile/allocations.rs"]
mod allocations;
#[path = "../benches/transpile/sources.rs"]
mod sources;

use allocations::{Cost, cost_of};
use brook::backend::Backend;
use brook::source::MemoryLoader;
use brook::{Options, Source};

/// Bytes held at once, by us and by the parser.
const PEAK: usize = 30_000_000;

/// How much more eight times as much may take: what grows with the square takes 64 times as much.
const GROWTH: f64 = 8.8;

/// The same of memory: vectors double, so a peak stands anywhere between what is needed and twice that.
const PEAK_GROWTH: f64 = 12.0;

/// Allocations a token of a Brook+ program of a thousand lines: an eighth of a translation's instructions is spent in them.
const A_TOKEN_OF_BROOK: f64 = 9.7;

/// A shape of sources: the name of one, and one of that many lines.
type Shape = (&'static str, fn(usize) -> String);

/// The cost of a translation, and the tokens of its source.
fn translate(source: &Source, backend: &Backend) -> (Cost, f64) {
    let (options, loader) = (Options::default(), MemoryLoader::new());
    let run = || brook::transpile(source, backend, &options, &loader).unwrap();
    // Templates are read once.
    drop(run());
    let (translation, cost) = cost_of(run);
    drop(translation);
    let text = std::str::from_utf8(&source.text).unwrap();
    assert!(cost.parser_allocations > 0, "the parser is not counted");
    (cost, brook::lex::lex(text).len() as f64)
}

/// One test: counts are of the whole process.
#[test]
fn translation_is_linear_and_small() {
    allocations::count_parser();
    let shapes: [Shape; 3] = [
        ("lines.okl", sources::okl),
        ("statements.okl", sources::straight_line),
        ("lines.br", sources::brook),
    ];
    for name in Backend::names() {
        let backend = Backend::built_in(name).unwrap();
        for (file, make) in shapes {
            let [few, many] = [1_000, 8_000].map(|size| {
                let source = Source::new(file, make(size));
                translate(&source, &backend)
            });
            let what = format!("{file} for {name}: {few:?}, {many:?}");
            let grows = |of: fn(&Cost) -> usize| of(&many.0) as f64 / of(&few.0) as f64;
            assert!(grows(|c| c.allocations) < GROWTH, "allocations: {what}");
            assert!(grows(|c| c.bytes) < GROWTH, "bytes: {what}");
            assert!(grows(|c| c.peak) < PEAK_GROWTH, "peak: {what}");
            assert!(many.0.peak <= PEAK, "peak: {what}");
            // Declarations and loops are remembered by name; what computes is not.
            let further = (many.0.allocations - few.0.allocations) as f64 / (many.1 - few.1);
            if file == "lines.br" {
                let each = few.0.allocations as f64 / few.1;
                assert!(
                    each < A_TOKEN_OF_BROOK,
                    "{each} allocations a token: {what}"
                );
            }
            if file == "statements.okl" {
                assert!(further < 0.2, "{further} allocations a token: {what}");
            }
        }
    }
}
