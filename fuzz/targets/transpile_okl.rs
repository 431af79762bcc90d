//! Any OKL is translated or refused, for every backend.

#![no_main]

mod support;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| support::translate("main.okl", text, &brook::Options::default()));
