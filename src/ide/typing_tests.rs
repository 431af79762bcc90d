//! What is remembered of the text before makes answers sooner, and no other ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::*;
use crate::source::MemoryLoader;
use std::path::Path;

/// Long sources: several functions, one function, streams.
const SOURCES: [&str; 4] = [
    "okl/cpp_members_apart.okl",
    "okl/loop_comparison_table.okl",
    "okl/lockstep_functions.okl",
    "brook/semantics.br",
];

/// What is typed over a place, and how many bytes of the text it takes the place of.
const CHANGES: [(&str, usize); 12] = [
    ("", 1),
    ("", 3),
    ("(", 0),
    (")", 0),
    ("{", 0),
    ("}", 0),
    (";", 0),
    ("\"", 0),
    ("/*", 0),
    ("x", 1),
    (" + ", 0),
    ("@", 0),
];

fn messages(name: &str, text: &str) -> String {
    let made = Analysis::new(
        Source::new(name, text),
        Backend::built_in("cuda").unwrap(),
        Options::default(),
        Rc::new(MemoryLoader::default()),
    );
    format!("{:#?}", made.report().diagnostics)
}

/// In a thread that has seen nothing.
fn messages_afresh(name: &str, text: &str) -> String {
    let (name, text) = (name.to_string(), text.to_string());
    let thread = std::thread::spawn(move || messages(&name, &text));
    thread.join().unwrap()
}

#[test]
fn what_is_remembered_changes_no_message() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    let rounds: usize = std::env::var("BROOK_ROUNDS").map_or(9, |r| r.parse().unwrap());
    let (mut broken, mut asked) = (0, 0);
    for name in SOURCES {
        let sound = std::fs::read_to_string(cases.join(name)).unwrap();
        let mut text = sound.clone();
        for round in 0..rounds {
            // Some mistakes stay for a while.
            if round % 3 == 0 {
                text.clone_from(&sound);
            }
            let (new, taken) = CHANGES[next(CHANGES.len())];
            let at = next(text.len() - 8);
            if text.is_char_boundary(at) && text.is_char_boundary(at + taken) {
                text.replace_range(at..at + taken, new);
            }
            let before = messages(name, &text);
            assert_eq!(
                before,
                messages_afresh(name, &text),
                "{name}, round {round}:\n{text}"
            );
            broken += usize::from(before.contains("syntax error"));
            asked += 1;
        }
    }
    assert!(
        broken * 4 > asked,
        "{broken} of {asked} texts could not be parsed"
    );
}
