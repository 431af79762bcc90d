//! Any Brook+ is translated or refused, for every backend; the first byte says how strictly it is checked.

#![no_main]

mod support;

use brook::{Checking, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let first = text.first().copied().unwrap_or_default();
    let checking = Checking {
        relaxed: first & 1 != 0,
        brookgpu: first & 2 != 0,
        ..Checking::default()
    };
    let options = Options {
        checking,
        ..Options::default()
    };
    support::translate("main.br", text, &options);
});
