//! Metadata is read or refused; what was read is written and read the same again.

#![no_main]

use brook::render::Metadata;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(metadata) = Metadata::from_json(text) {
        let written = metadata.to_json();
        let again = Metadata::from_json(written.as_bytes()).expect("what was written is read");
        assert_eq!(written, again.to_json());
    }
});
