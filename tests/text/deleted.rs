//! Each `;`, `,` and bracket of a few kernels left out, one at a time: what `--fix` makes of the rest is the kernel as it
//! was, but for its layout, or nothing. A change that nobody asked for is worse than a message.

use crate::broken::check;
use crate::support::cases::root;
use crate::support::{Trial, every_case, quick};
use brook::Define;
use brook::Options;
use brook::diagnostics::fixed;
use brook::lex::{TokenKind, lex, same_words};

/// A source, what it is given, and how many of its characters are not put back, at most: of `f(x - 1 y)`, a `,` or a `*`
/// may be missing.
const KERNELS: [(&str, &[&str], usize); 3] = [
    ("examples/okl/histogram.okl", &[], 11),
    ("examples/okl/stencil7.okl", &[], 70),
    (
        "examples/okl/spectral_element.okl",
        &["p_Nq=8", "dfloat=double"],
        9,
    ),
];

/// The tests.
pub fn trials() -> Vec<Trial> {
    let trial = |(path, defines, most): (&'static str, &'static [&'static str], usize)| {
        let stem = path.rsplit('/').next().unwrap_or(path);
        Trial::test(format!("deleted::{stem}"), move || {
            Ok(mended(path, defines, most)?)
        })
    };
    KERNELS.map(trial).into()
}

fn mended(path: &str, defines: &[&str], most: usize) -> Result<(), String> {
    let text = std::fs::read_to_string(root().join(path)).map_err(|e| e.to_string())?;
    let mut options = Options::default();
    for define in defines {
        options.defines.push(Define::parse(define)?);
    }
    let mut kept = Vec::new();
    // Every one of a long source takes seconds.
    let step = match (every_case(), quick()) {
        (true, _) => 1,
        (_, true) => 16,
        _ => 3,
    };
    for at in deletable(&text).into_iter().step_by(step) {
        let mut left = text.clone();
        left.remove(at);
        let report = check(path, &left, &options);
        let files = fixed(&report);
        let Some(file) = files.iter().find(|f| f.name == path) else {
            kept.push(at);
            continue;
        };
        if !same_words(&file.after, &text) {
            let line = text[..at].lines().count();
            let character = &text[at..=at];
            return Err(format!(
                "without {character} in line {line}:\n{}",
                changed(&left, &file.after)
            ));
        }
    }
    match kept.len() <= most {
        true => Ok(()),
        false => Err(format!(
            "not put back, of {most}: {:?}",
            lines(&text, &kept)
        )),
    }
}

/// Lines and what is missing there.
fn lines(text: &str, places: &[usize]) -> Vec<String> {
    let line = |&at: &usize| format!("{}: {}", text[..at].lines().count(), &text[at..=at]);
    places.iter().map(line).collect()
}

/// The lines that a change has made.
fn changed(before: &str, after: &str) -> String {
    let old: Vec<&str> = before.lines().collect();
    let new = after.lines().filter(|line| !old.contains(line));
    new.collect::<Vec<_>>().join("\n")
}

/// Where the characters stand, outside of directives.
fn deletable(text: &str) -> Vec<usize> {
    let mut in_directive = false;
    let mut all = Vec::new();
    for token in lex(text) {
        if token.line_start {
            in_directive = token.is(text, "#");
        }
        let word = token.text(text);
        let punctuation = token.kind == TokenKind::Punctuator
            && matches!(word, ";" | "," | "(" | ")" | "{" | "}");
        if punctuation && !in_directive {
            all.push(token.span.start as usize);
        }
    }
    all
}
