//! What is wrong with a text that cannot be parsed: the character that is missing or too many, found by trying.
//!
//! Whoever looks at a syntax error sees at once that a `;` is missing in the line before. A parser does not: it notices
//! it later, and goes on to notice what follows from it. So candidates are tried on the text with macros expanded and
//! attributes as written, until one makes it a program, or at least one for longer. Each is a message, and the change
//! that mends it.
//!
//! - `oracle.rs`: whether a text can be parsed, and up to where.
//! - `brackets.rs`: brackets without partners; layout tells which.
//! - `tokens.rs`: `;`, `,`, keywords and operators.
//! - `report.rs`: what was found as messages.

mod brackets;
mod oracle;
mod report;
mod tokens;

use crate::diagnostics::{Code, Diagnostic, codes};
use crate::grammar::Dialect;
use crate::lex::Lexed;
use crate::options::Options;
use crate::source::{Provenance, Span};
use oracle::Oracle;

/// Repairs of one text.
const MOST_REPAIRS: usize = 8;

/// What a text needs to be a program, at one place.
#[derive(Debug)]
struct Repair {
    /// What is replaced; empty for what is missing.
    span: Span,
    /// By what.
    text: String,
    what: What,
    /// Nothing else can have been meant.
    certain: bool,
}

#[derive(Debug)]
enum What {
    /// A bracket, `;` or `,` is missing; of a bracket, the one that has no partner.
    Missing(&'static str, Option<Span>),
    /// A bracket closes nothing.
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

/// The messages for a text, of macros that are expanded and attributes as written, that cannot be parsed; none if no
/// repair is found. `provenance` leads to where it comes from.
pub(crate) fn diagnose(
    text: &str,
    provenance: &Provenance,
    dialect: Dialect,
    options: &Options,
) -> Vec<Diagnostic> {
    let oracle = Oracle::new(dialect, options, text);
    let mut current = text.to_string();
    // Repairs that were made before a place shift it.
    let mut made: Vec<(Span, usize)> = Vec::new();
    let mut messages = Vec::new();
    while made.len() < MOST_REPAIRS && oracle.may_go_on() {
        let lexed = Lexed::new(&current);
        let found = brackets::find(&lexed, &oracle).or_else(|| tokens::find(&lexed, &oracle));
        let Some(repair) = found else { break };
        let original = |span: Span| unshifted(span, &made);
        messages.extend(report::message(&repair, &original, provenance, text));
        let (start, end) = (repair.span.start as usize, repair.span.end as usize);
        made.push((repair.span, repair.text.len()));
        current.replace_range(start..end, &repair.text);
    }
    messages
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
