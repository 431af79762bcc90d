//! What is wrong with a text that cannot be parsed: the character that is missing or too many, found by trying.
//!
//! Whoever looks at a syntax error sees at once that a `;` is missing in the line before. A parser does not: it notices
//! it later, and goes on to notice what follows from it. So candidates are tried on the text with macros expanded and
//! attributes as written, until one makes it a program, or at least one for longer. Each is a message, and the change
//! that mends it.
//!
//! - `lines.rs`: every `;` at the end of a line, at once.
//! - `oracle.rs`: whether a text can be parsed, and up to where.
//! - `brackets.rs`: brackets without partners; layout tells which.
//! - `layout.rs`: where lines begin.
//! - `tokens.rs`: `;`, `,`, keywords and operators.
//! - `words.rs`: what belongs behind `case`, `?`, `if`.
//! - `headers.rs`: the `;` of loops, which are counted.
//! - `items.rs`: one function or statement of many is looked at alone.
//! - `report.rs`: what was found as messages.

mod brackets;
mod headers;
mod items;
mod layout;
mod lines;
mod oracle;
mod report;
mod tokens;
mod words;

use crate::diagnostics::{Code, Diagnostic, codes};
use crate::grammar::Dialect;
use crate::lex::Lexed;
use crate::options::Options;
use crate::source::{Provenance, Span};
use crate::syntax::apart;
use items::Part;
use oracle::Oracle;

/// Repairs of one text.
const MOST_REPAIRS: usize = 8;

/// What a text needs to be a program, at one place.
#[derive(Clone, Debug)]
struct Repair {
    /// What is replaced; empty for what is missing.
    span: Span,
    /// By what.
    text: String,
    what: What,
    /// Nothing else can have been meant.
    certain: bool,
}

#[derive(Clone, Debug)]
enum What {
    /// A bracket, `;` or `,` is missing; of a bracket, the one that has no partner.
    Missing(&'static str, Option<Span>),
    /// A bracket closes nothing, or is closed by nothing.
    Surplus,
    /// A word that is nearly a keyword.
    Keyword(&'static str),
    /// An operator is missing between two operands, or `;`.
    Operator,
    /// A value is missing beside an operator.
    Operand,
}

/// Whether a message says that a text cannot be parsed, or may follow from that.
pub(crate) fn is_syntax(code: &Code) -> bool {
    code.is_any(&[
        &codes::SYNTAX_ERROR,
        &codes::SYNTAX_MISSING,
        &codes::UNBALANCED,
        &codes::STRAY_AT,
        &codes::ATTRIBUTE_PLACE,
    ])
}

/// Whether a message may follow from a bracket that is missing: `@inner0)` is no attribute.
pub(crate) fn may_be_bracket(code: &Code) -> bool {
    code.is_any(&[&codes::UNKNOWN_ATTRIBUTE, &codes::UNKNOWN_ATTRIBUTE_NEAR])
}

/// Whether brackets of a text have no partners.
pub(crate) fn is_unbalanced(text: &str) -> bool {
    brackets::are_wrong(&Lexed::new(text))
}

/// The messages for a text, of macros that are expanded and attributes as written, that cannot be parsed; none if no
/// repair is found. `provenance` leads to where it comes from.
pub(crate) fn diagnose(
    text: &str,
    provenance: &Provenance,
    dialect: Dialect,
    options: &Options,
) -> Vec<Diagnostic> {
    let oracle = Oracle::new(dialect, options, text);
    mended_parts(text, provenance, &oracle).unwrap_or_else(|| {
        let whole = |span: Span| Some(span);
        let (found, _) = search(text, &oracle);
        let messages = found
            .iter()
            .filter_map(|f| f.message(&whole, provenance, text));
        messages.collect()
    })
}

/// The messages, where repairs of some parts alone make all of it a program. What belongs to several parts, such as the
/// brace of a namespace, is looked for in all of the text.
fn mended_parts(
    text: &str,
    provenance: &Provenance,
    oracle: &Oracle<'_>,
) -> Option<Vec<Diagnostic>> {
    let mut mended = text.to_string();
    let mut all = Vec::new();
    // From the end, so that places stay.
    for part in items::broken(text, oracle)?.into_iter().rev() {
        let (found, after) = apart(|| search(&part.of(text), oracle));
        if !found.iter().all(|f| f.is_in(&part)) {
            return None;
        }
        mended.replace_range(part.span.range(), part.mended(&after)?);
        let place = |span: Span| part.place(span);
        let messages = found
            .iter()
            .filter_map(|f| f.message(&place, provenance, text));
        all.splice(0..0, messages);
    }
    oracle.first_error(&mended).is_none().then_some(all)
}

/// A repair, and those that were made before it, with their lengths: they shift it.
struct Found {
    repair: Repair,
    before: Vec<(Span, usize)>,
}

impl Found {
    /// Places in the text without any repairs.
    fn original(&self, span: Span) -> Span {
        unshifted(span, &self.before)
    }

    /// Whether it is all about what a part has of the text.
    fn is_in(&self, part: &Part) -> bool {
        let other = match self.repair.what {
            What::Missing(_, other) => other,
            _ => None,
        };
        let mut places = [Some(self.repair.span), other].into_iter().flatten();
        places.all(|span| part.place(self.original(span)).is_some())
    }

    /// `place` leads to the whole text.
    fn message(
        &self,
        place: &dyn Fn(Span) -> Option<Span>,
        provenance: &Provenance,
        text: &str,
    ) -> Option<Diagnostic> {
        let original = |span: Span| {
            let own = self.original(span);
            place(own).unwrap_or(own)
        };
        // What only a repair has put there is nobody's mistake.
        let nothing = self.repair.text.is_empty() && original(self.repair.span).is_empty();
        (!nothing).then(|| report::message(&self.repair, &original, provenance, text))?
    }
}

/// The repairs of a text, and what it is with them.
fn search(text: &str, oracle: &Oracle<'_>) -> (Vec<Found>, String) {
    let mut mending = Mending {
        text: text.to_string(),
        made: Vec::new(),
        all: Vec::new(),
    };
    let mut sound = false;
    let mut first_guess = None;
    while mending.made.len() < MOST_REPAIRS && oracle.may_go_on() {
        let current = mending.text.clone();
        let lexed = Lexed::new(&current);
        if let Some(repair) = brackets::find(&lexed, oracle) {
            mending.make(repair);
            continue;
        }
        let Some(error) = oracle.first_error(&current) else {
            sound = true;
            break;
        };
        if let Some(repairs) = lines::find(&lexed, oracle) {
            repairs.into_iter().for_each(|repair| mending.make(repair));
            sound = true;
            break;
        }
        let counted = headers::find(&lexed, oracle, error).or_else(|| words::find(&lexed, oracle));
        let counted = counted.map(|repair| (repair, false));
        match counted.or_else(|| tokens::find(&lexed, oracle, error)) {
            Some((repair, guessed)) => {
                if guessed {
                    first_guess.get_or_insert(mending.all.len());
                }
                mending.make(repair);
            }
            None => break,
        }
    }
    let Mending { text, mut all, .. } = mending;
    if !sound {
        all.truncate(first_guess.unwrap_or(all.len()));
    }
    if !sound || first_guess.is_some() || is_contrived(&all) {
        for found in &mut all {
            found.repair.certain = false;
        }
    }
    (all, text)
}

/// A text, and the repairs that were made to it.
struct Mending {
    text: String,
    made: Vec<(Span, usize)>,
    all: Vec<Found>,
}

impl Mending {
    fn make(&mut self, repair: Repair) {
        self.text.replace_range(repair.span.range(), &repair.text);
        let before = self.made.clone();
        self.made.push((repair.span, repair.text.len()));
        self.all.push(Found { repair, before });
    }
}

/// Whether repairs take away a bracket and put something else in: one mistake that was not understood looks like two.
fn is_contrived(all: &[Found]) -> bool {
    let surplus = |found: &Found| matches!(found.repair.what, What::Surplus);
    all.len() > 1 && all.iter().any(surplus)
}

/// A place in the text as it was before the repairs.
fn unshifted(span: Span, made: &[(Span, usize)]) -> Span {
    let back = |mut at: u32| {
        for (repaired, length) in made.iter().rev() {
            let after = repaired.start + *length as u32;
            if at >= after {
                at = at - after + repaired.end;
            } else if at > repaired.start {
                at = repaired.start;
            }
        }
        at
    };
    Span::new(back(span.start), back(span.end).max(back(span.start)))
}
