//! Normalisation takes any text, and what it makes it leaves alone.

#![no_main]

use brook::normalize::{Dialect, normalize, normalize_preprocessed};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for dialect in [Dialect::Okl, Dialect::Brook] {
        let (normal, _) = normalize(text, dialect);
        let _ = normalize(&normal, dialect);
        let _ = normalize_preprocessed(&normal, dialect);
    }
});
