//! Atomics that move the bits of their memory: whole structures and vectors, and new values that are any expression of
//! the old one.

use super::Pass;
use crate::backend::fill;
use crate::diagnostics::codes;
use crate::lex::{Token, lex};
use crate::module::{Atomic, AtomicObject, AtomicOperation, AtomicShape};
use crate::rewrite::Part;
use crate::source::{Overlap, Span};

/// What stands for the memory in an expression that computes its new value.
const OLD: &str = "brook_x";

impl Pass<'_> {
    pub(super) fn atomic_object(&mut self, span: Span, atomic: &Atomic) -> Result<(), Overlap> {
        let memory = self.edits.copy(atomic.memory, self.text)?;
        let address = self.address(&memory, atomic)?;
        let after = atomic.result.is_some_and(|r| r.after);
        self.uses.insert(Part::Atomics.into());
        self.uses.insert(Part::AtomicObjects.into());
        let mut change = None;
        let mut value = None;
        match atomic.operation {
            AtomicOperation::Compute { expression } => {
                // It may have brackets within that the memory's first place has not.
                let named = atomic.places.iter().map(|p| self.edits.copy(*p, self.text));
                let named: Vec<String> = named.collect::<Result<_, _>>()?;
                let text = self.edits.take(expression, self.text)?;
                let (text, found) = replaced(&text, &named);
                if found != atomic.places.len() {
                    self.error(&codes::ATOMIC_FORM, expression, &[]);
                }
                change = Some(text);
            }
            AtomicOperation::Write { value: written }
            | AtomicOperation::Update { value: written, .. } => {
                value = Some(self.edits.take(written, self.text)?);
            }
            _ => {}
        }
        let target = match atomic.result.and_then(|r| r.target) {
            Some(target) => Some(self.edits.take(target, self.text)?),
            None => None,
        };
        let object = match &atomic.object {
            _ if self.backend.is_cpp() => None,
            Some(object) => Some(object),
            None => {
                let what = "@atomic on a type that is not known";
                self.error(
                    &codes::ATOMIC_UNSUPPORTED,
                    atomic.memory,
                    &[&self.backend.name.clone(), &what],
                );
                return Ok(());
            }
        };
        let call = match (change, value) {
            (Some(change), _) => match object {
                None => format!(
                    "brook_atomic_apply<{after}>({address}, [&](auto &{OLD}) {{ {change}; }})"
                ),
                Some(object) => {
                    let shown = match after {
                        true => "brook_next.value",
                        false => "brook_now.value",
                    };
                    let result = match (&target, atomic.shape) {
                        (_, AtomicShape::Initializer) => String::new(),
                        (Some(target), _) => format!("{target} = {shown}; "),
                        _ => String::new(),
                    };
                    let AtomicObject { name, size } = object;
                    let swap = format!(
                        "BROOK_ATOMIC_BEGIN({name}, {size}, {address}) {change}; BROOK_ATOMIC_END({size})"
                    );
                    match atomic.shape {
                        AtomicShape::Initializer => format!("({{ {swap} {shown}; }})"),
                        _ => format!("do {{ {swap} {result}}} while (0)"),
                    }
                }
            },
            (None, Some(value)) => {
                let name = match atomic.result {
                    Some(result) if !result.after => "trade",
                    _ => "put",
                };
                match object {
                    None => format!("brook_atomic_{name}({address}, {value})"),
                    Some(object) => {
                        let bits = of_bits(&self.backend.spelling.to_bits, object, &value);
                        let call = format!("brook_atomic_{name}{}({address}, {bits})", object.size);
                        match atomic.result {
                            Some(_) => of_bits(&self.backend.spelling.from_bits, object, &call),
                            None => call,
                        }
                    }
                }
            }
            (None, None) => match object {
                None => format!("brook_atomic_get({address})"),
                Some(object) => of_bits(
                    &self.backend.spelling.from_bits,
                    object,
                    &format!("brook_atomic_get{}({address})", object.size),
                ),
            },
        };
        let assigned = call.starts_with("do ");
        let mut text = match target {
            Some(target) if !assigned => format!("{target} = {call}"),
            _ => call,
        };
        if atomic.shape == AtomicShape::Block {
            text = format!("{{ {text}; }}");
        }
        // The memory may be named twice; what is not taken goes.
        self.edits.discard(span);
        self.edits.replace(span, text);
        Ok(())
    }

    /// Gives a structure another alignment.
    pub(super) fn aligned(&mut self, span: Span, bytes: usize) {
        let text = match self.backend.is_cpp() {
            true => format!(" alignas({bytes})"),
            false => format!(" __attribute__((aligned({bytes})))"),
        };
        self.edits.append(span.start, text);
    }
}

/// A value as a number of its bits, or the other way round, by the target's pattern for it.
fn of_bits(pattern: &str, AtomicObject { name, size }: &AtomicObject, value: &str) -> String {
    let size = size.to_string();
    fill(
        pattern,
        &[("type", name), ("size", &size), ("value", value)],
    )
}

/// The text with another name for the memory, by all that it is called, and how often it stands there.
fn replaced(text: &str, names: &[String]) -> (String, usize) {
    let words = lex(text);
    let names: Vec<Vec<&str>> = names.iter().map(|n| bare(n, &lex(n))).collect();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut done, mut count) = (0, 0, 0);
    while let Some(rest) = words.get(at..).filter(|r| !r.is_empty()) {
        let before = at.checked_sub(1).and_then(|i| words.get(i));
        let stands = |wanted: &&Vec<&str>| {
            rest.len() >= wanted.len()
                && rest.iter().zip(*wanted).all(|(w, m)| w.text(text) == *m)
                && !before.is_some_and(|b| binds(b, text, wanted))
        };
        let Some(wanted) = names.iter().find(stands) else {
            at += 1;
            continue;
        };
        let (first, last) = (rest.first(), rest.get(wanted.len().saturating_sub(1)));
        if let (Some(first), Some(last)) = (first, last) {
            out.push_str(Span::new(done, first.span.start).of(text));
            out.push_str(OLD);
            done = last.span.end;
        }
        count += 1;
        at += wanted.len().max(1);
    }
    out.push_str(Span::new(done, text.len() as u32).of(text));
    (out, count)
}

/// The words without brackets around all of them.
fn bare<'t>(text: &'t str, words: &[Token]) -> Vec<&'t str> {
    let mut words: Vec<&str> = words.iter().map(|w| w.text(text)).collect();
    while let [first, inner @ .., last] = words.as_slice()
        && (*first, *last) == ("(", ")")
        && closes_last(&words)
    {
        words = inner.to_vec();
    }
    words
}

/// Whether the bracket that the words begin with is closed by the last of them.
fn closes_last(words: &[&str]) -> bool {
    let mut depth = 0usize;
    let mut all = words.iter().enumerate();
    let end = all.find_map(|(i, w)| {
        match *w {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(i)
    });
    end == words.len().checked_sub(1)
}

/// Whether the word before makes something else of what follows.
fn binds(before: &Token, text: &str, wanted: &[&str]) -> bool {
    let word = before.text(text);
    match wanted.first() {
        // A product is no access.
        Some(&("*" | "(")) => {
            before.is_identifier() && word != "return"
                || matches!(word, ")" | "]")
                || word.starts_with(|c: char| c.is_ascii_digit())
        }
        _ => matches!(word, "." | "->" | "::"),
    }
}
