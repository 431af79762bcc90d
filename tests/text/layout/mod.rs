//! The layout of a source never matters: blanks, line ends, comments and continued lines between any two tokens
//! of every example and case give the same tokens out, for every backend.
//!
//! - `NAME::mixed`: something else at many places, drawn anew for every backend.
//! - `NAME::FILLER`, with `BROOK_LAYOUT=all` only: the same thing at all places.
//!
//! - `names`: names that hold words of the language are names like any other.
//!
//! `BROOK_SEED=N` draws others, `BROOK_ROUNDS=N` more. What fails is made small before it is told.

mod variants;

use crate::support::Trial;
use crate::support::cases::{self, Case};
use crate::support::in_this_run;
use crate::support::translate::{BACKENDS, first_translation};
use brook::backend::Backend;
use brook::lex::{TokenKind, lex};
use brook::source::FileLoader;
use brook::{Dialect, normalize};
use brook::{Options, Source, Translation};
use libtest_mimic::Failed;
use variants::{IN_CODE, Layout, Parts};

/// The tests.
pub fn trials() -> Vec<Trial> {
    let number = |name: &str, usual| {
        let value = std::env::var(name).ok();
        value.map_or(usual, |v| v.parse().unwrap())
    };
    let first: u64 = number("BROOK_SEED", 1);
    let rounds: u64 = number("BROOK_ROUNDS", 1);
    let everything = std::env::var("BROOK_LAYOUT").is_ok_and(|v| v == "all");
    let mut trials = Vec::new();
    for (number, case) in cases::all().into_iter().enumerate() {
        if !BACKENDS.iter().any(|b| in_this_run(number, b)) {
            continue;
        }
        for seed in first..first + rounds {
            let case = case.clone();
            trials.push(Trial::test(
                format!("{}::mixed::{seed}", case.name),
                move || {
                    let mut random = Random(seed << 20 | (number as u64 + 1));
                    compare(&case, number, &mut |parts| mixed(parts, &mut random))
                },
            ));
        }
        for filler in IN_CODE.iter().filter(|_| everything) {
            let case = case.clone();
            trials.push(Trial::test(
                format!("{}::{filler:?}", case.name),
                move || {
                    compare(&case, number, &mut |parts| {
                        let places = 0..parts.places.len();
                        let fitting = places.filter(|p| parts.fits(*p, filler));
                        fitting.map(|p| (p, *filler)).collect()
                    })
                },
            ));
        }
    }
    trials.push(Trial::test("names", || Ok(names()?)));
    trials
}

/// Kernels whose translation depends on what may alias, change, or take long, with `NAME` for a name.
const NAMED: &str = "
typedef float NAME_t;
@kernel void moved(const int n, float *NAME_a, const NAME_t *b) {
  for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) NAME_a[i] = b[0] + b[i];
}
@kernel void doubled(const int n, @restrict const NAME_t *NAME_b, @restrict float *a) {
  for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) a[i] = NAME_b[i] * 2.0f;
}
@kernel void tiled(const int NAME_n, float *a) {
  for (int i = 0; i < NAME_n; ++i; @tile(16, @outer, @inner)) a[i] = NAME_n;
}
";

fn names() -> Result<(), String> {
    for name in BACKENDS {
        let backend = Backend::built_in(name).map_err(|e| e.to_string())?;
        let device = |name: &str| {
            let source = Source::new("names.okl", NAMED.replace("NAME", name));
            let options = Options::default();
            let translation = brook::transpile(&source, &backend, &options, &FileLoader);
            let text = translation.map_err(|e| e.to_string())?.device;
            Ok::<String, String>(text.replace(name, "NAME"))
        };
        let expected = device("plainly")?;
        for word in [
            "restricted",
            "autolong",
            "volatile_r",
            "todo",
            "inner_s",
            "gotoo",
            "my_const",
        ] {
            if device(word)? != expected {
                return Err(format!("{name}: '{word}' is no name like any other"));
            }
        }
    }
    Ok(())
}

/// A generator of numbers (splitmix64): the same ones for the same seed, on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

/// Something at about every third place.
fn mixed(parts: &Parts<'_>, random: &mut Random) -> Layout {
    let mut layout = Layout::new();
    for place in 0..parts.places.len() {
        let fillers = parts.fillers(place);
        if !fillers.is_empty() && random.below(3) == 0 {
            layout.push((place, fillers[random.below(fillers.len())]));
        }
    }
    layout
}

fn compare(
    case: &Case,
    number: usize,
    draw: &mut dyn FnMut(&Parts<'_>) -> Layout,
) -> Result<(), Failed> {
    let text = String::from_utf8_lossy(&case.source().text).into_owned();
    let parts = Parts::of(&text);
    let options = case.about()?.options();
    let chosen = BACKENDS.into_iter().filter(|b| in_this_run(number, b));
    for name in chosen.filter(|b| !case.rejected_by(b)) {
        let backend = Backend::built_in(name).map_err(|e| e.to_string())?;
        let translate = |text: &str| {
            let path = case.path.display().to_string();
            let source = Source::new(path, text.as_bytes().to_vec());
            let translation = brook::transpile(&source, &backend, &options, &FileLoader);
            let translation = translation.map_err(|report| report.to_string())?;
            Ok(tokens(case, text, &translation))
        };
        let as_written = first_translation(case, name);
        let as_written = as_written.as_ref().as_ref();
        let as_written = as_written.map_err(|e| format!("as written: {e}"))?;
        let expected = tokens(case, &text, as_written);
        let wrong = |layout: &Layout| match translate(&parts.with(layout)) {
            Ok(tokens) => difference(&expected, &tokens),
            Err(error) => Some::<String>(error),
        };
        let layout = draw(&parts);
        if wrong(&layout).is_some() {
            let layout = shrunk(layout, &|l| wrong(l).is_some());
            let what = wrong(&layout).unwrap_or_default();
            let changed = parts.with(&layout);
            return Err(format!("{name}: {layout:?}\n{}\n{what}", around(&text, &changed)).into());
        }
    }
    Ok(())
}

/// A part of a layout that still fails, and of which each single part is needed.
fn shrunk(layout: Layout, fails: &dyn Fn(&Layout) -> bool) -> Layout {
    let mut layout = layout;
    let mut size = layout.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < layout.len() {
            let mut less = layout.clone();
            less.drain(at..(at + size).min(layout.len()));
            match fails(&less) {
                true => layout = less,
                false => at += size,
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    layout
}

/// Where two texts differ, with a little around it.
fn around(old: &str, new: &str) -> String {
    let same = old
        .bytes()
        .zip(new.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let behind = old.bytes().rev().zip(new.bytes().rev());
    let behind = behind
        .take_while(|(a, b)| a == b)
        .count()
        .min(old.len() - same);
    let boundary = |at: usize| {
        (0..=at.min(new.len()))
            .rev()
            .find(|a| new.is_char_boundary(*a))
    };
    let from = boundary(same.saturating_sub(60)).unwrap_or(0);
    let to = boundary(new.len() - behind + 60).unwrap_or(0);
    format!("--- source\n{}\n---", &new[from..to.max(from)])
}

/// All tokens of all that is generated, and of the normal form.
fn tokens(case: &Case, text: &str, translation: &Translation) -> Vec<String> {
    let dialect = Dialect::of_path(&case.relative);
    let mut out = Vec::new();
    let normal = normalize(text, dialect).0;
    let metadata = translation.metadata.to_json();
    let texts = [
        Some(&normal),
        Some(&translation.device),
        translation.launcher.as_ref(),
        translation.host.as_ref(),
        translation.header.as_ref(),
        Some(&metadata),
    ];
    for text in texts.into_iter().flatten() {
        out.push("=====".to_string());
        read(text, &mut out);
    }
    out
}

/// The tokens of a text: those within strings on their own, without the numbers of lines.
fn read(text: &str, out: &mut Vec<String>) {
    let tokens = lex(text);
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if token.line_start && word(index) == "#" && word(index + 1) == "line" {
            index += 1;
            while tokens.get(index).is_some_and(|t| !t.line_start) {
                index += 1;
            }
            continue;
        }
        if word(index) == "_Pragma" && word(index + 1) == "(" {
            // As the line that it stands for.
            out.extend(["#", "pragma"].map(String::from));
            read(word(index + 2).trim_matches('"'), out);
            index += 4;
            continue;
        }
        let hash = |word: &str| {
            word.len() == 34 && word.bytes().skip(1).take(32).all(|b| b.is_ascii_hexdigit())
        };
        if token.kind == TokenKind::String && hash(word(index)) {
            // Of the source's bytes.
            out.push("hash".into());
        } else if token.kind == TokenKind::String {
            out.push("\"".into());
            match token.text(text).split_once('(') {
                Some((head, rest)) if head.starts_with("R\"") => {
                    read(rest.rsplit_once(')').map_or(rest, |(inner, _)| inner), out);
                }
                _ => {
                    let inner = token.text(text).trim_matches('"');
                    read(
                        &inner
                            .replace("\\n", "\n")
                            .replace("\\\"", "\"")
                            .replace("\\\\", "\\"),
                        out,
                    );
                }
            }
            out.push("\"".into());
        } else {
            out.push(token.text(text).replace("\\\n", ""));
        }
        index += 1;
    }
}

fn difference(expected: &[String], found: &[String]) -> Option<String> {
    if expected == found {
        return None;
    }
    let same = expected
        .iter()
        .zip(found)
        .take_while(|(a, b)| a == b)
        .count();
    let show = |tokens: &[String]| {
        let from = same.saturating_sub(12);
        tokens[from..(same + 20).min(tokens.len())].join(" ")
    };
    let part = found[..same].iter().filter(|t| *t == "=====").count();
    let part = ["", "normal form", "device"]
        .get(part)
        .copied()
        .unwrap_or("other text");
    Some(format!("{part}\n- {}\n+ {}", show(expected), show(found)))
}
