//! What an editor waits for after each change: messages, and the first answer about a name.

use crate::sources;
use brook::backend::Backend;
use brook::ide::Analysis;
use brook::source::{FileId, FileLoader, Location, Span};
use brook::{Options, Source};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Changes at the end of a statement in the middle of a text: how they are called, what stands there then, and how many
/// bytes it takes the place of.
const CHANGES: [(&str, &str, usize); 5] = [
    ("sound", " ;", 1),
    ("without ;", "", 1),
    ("one ( more", ";(", 1),
    ("one { more", ";{", 1),
    ("an operator more", "+;", 1),
];

/// Prints medians of many changes, each behind the sound text.
pub fn print(name: &str, text: &str, budget: Duration) {
    let Some(at) = place(text) else { return };
    let analysis = |text: &str| {
        let backend = Backend::built_in("cuda").expect("it is built in");
        let source = Source::new("a.okl", text);
        Analysis::new(source, backend, Options::default(), Rc::new(FileLoader))
    };
    for (change, new, taken) in CHANGES {
        let mut changed = text.to_string();
        changed.replace_range(at..at + taken, new);
        let (mut messages, mut answers) = (Vec::new(), Vec::new());
        let began = Instant::now();
        while messages.len() < 5 || began.elapsed() < budget {
            // As it was before.
            drop(analysis(text));
            let start = Instant::now();
            let looked = analysis(&changed);
            messages.push(start.elapsed().as_secs_f64() * 1e3);
            let start = Instant::now();
            let here = Location {
                file: FileId::MAIN,
                span: Span::at(at as u32 - 1),
            };
            let _ = looked.hover(here);
            answers.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let (messages, answers) = (median(messages), median(answers));
        println!(
            "editor {name:<17} {change:<16} messages {messages:6.1} ms, first answer {answers:6.1} ms"
        );
    }
}

/// Many kernels in one file.
pub fn kernels(count: usize, lines: usize) -> String {
    let one = sources::okl(lines);
    // The macros are the same for all.
    let body = one.find("@kernel").unwrap_or(0);
    let mut text = one[..body].to_string();
    for index in 0..count {
        text.push_str(&one[body..].replace("operate", &format!("operate{index}")));
        text.push('\n');
    }
    text
}

/// A `;` behind a statement, about in the middle.
fn place(text: &str) -> Option<usize> {
    let from = text.len() / 2;
    text[from..].find(";\n").map(|i| from + i)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
