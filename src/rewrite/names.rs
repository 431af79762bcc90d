//! Names in a finished text: those that the target keeps for itself are renamed, and those of the C
//! library are noted for the prelude.

use super::Rewritten;
use crate::backend::{Backend, Vectors};
use crate::lex::{Token, TokenKind, lex};
use crate::library::{self, Meaning};
use crate::module::{Declares, Module, Statement, VectorType};
use crate::rewrite::{Part, Use};
use crate::source::{Edits, Overlap};
use foldhash::HashSet;
use std::collections::BTreeSet;

/// The type that OpenCL C has by itself and others have headers for.
const HALF: &str = "half";

/// Names of preludes that the analysis puts into texts.
const PRELUDE: [(&str, Part); 2] = [
    ("brook_abs", Part::BrookAbs),
    ("brook_double", Part::BrookDouble),
];

/// What types of fragments begin with: `okl_fragment_c_float`.
const FRAGMENT: &str = "okl_fragment_";

/// Renames what the program declares under reserved names, in the text alone: whoever launches its
/// kernels knows them by the user's names.
pub(super) fn settle(
    module: &Module,
    backend: &Backend,
    rewritten: &mut Rewritten,
) -> Result<(), Overlap> {
    let pass = Pass {
        module,
        backend,
        kernels: module
            .kernels
            .iter()
            .map(|k| k.name.as_str())
            .filter(|name| backend.names.functions.iter().any(|n| n == name))
            .collect(),
        renamed: module
            .declared
            .all()
            .filter(|(name, what)| is_reserved(backend, name, *what))
            .map(|(name, _)| name)
            .collect(),
    };
    let (edits, used) = pass.scan(rewritten);
    rewritten.uses.extend(used);
    for kernel in &mut rewritten.device_kernels {
        pass.rename(&mut kernel.name);
    }
    for statements in &mut rewritten.host {
        pass.rename_launches(statements);
    }
    if edits.is_empty() {
        return Ok(());
    }
    let (text, map) = edits.apply(&rewritten.text)?;
    rewritten.map = map.after(&rewritten.map, text.len() as u32);
    rewritten.text = text;
    Ok(())
}

struct Pass<'a> {
    module: &'a Module,
    backend: &'a Backend,
    renamed: HashSet<&'a str>,
    /// Kernels with a name that the target has a function of.
    kernels: HashSet<&'a str>,
}

/// Whether what the program declares cannot have this name on the target.
fn is_reserved(backend: &Backend, name: &str, what: Declares) -> bool {
    if what.leaves_device_code() {
        return false;
    }
    let names = &backend.names;
    let has = |list: &[String]| list.iter().any(|n| n == name);
    let vectors = backend.lowering.vectors != Vectors::Prelude;
    if has(&names.reserved) {
        return true;
    }
    let hides = what.ty || what.global || what.function;
    if hides && vectors && VectorType::from_name(name).is_some() {
        return true;
    }
    if library::find(name).is_some_and(|row| matches!(row.meaning, Meaning::Value(_))) {
        return true;
    }
    if has(&names.types) && (what.global || what.function || what.ty) {
        return true;
    }
    let in_the_way = what.global || (what.function && !names.overloads);
    in_the_way && has(&names.functions)
}

impl Pass<'_> {
    /// The changes of the text, and what it uses of the C library.
    fn scan(&self, rewritten: &Rewritten) -> (Edits, BTreeSet<Use>) {
        let (text, map) = (rewritten.text.as_str(), &rewritten.map);
        let mut edits = Edits::new();
        let mut used = BTreeSet::new();
        let tokens = lex(text);
        let mut in_directive = false;
        for (index, token) in tokens.iter().enumerate() {
            if token.line_start {
                in_directive = token.is(text, "#");
            }
            if in_directive || token.kind != TokenKind::Identifier {
                continue;
            }
            let name = token.text(text);
            if self.backend.library.vectors.iter().any(|f| f == name) {
                used.insert(Part::VectorFunctions.into());
            }
            if let Some((_, part)) = PRELUDE.iter().find(|(own, _)| *own == name) {
                used.insert((*part).into());
            } else if name.starts_with(FRAGMENT) && self.module.declared.get(name).is_none() {
                used.insert(Part::Fragments.into());
            } else if self.is_half(name) {
                used.insert(Part::Half.into());
            } else if self.kernels.contains(name) && is_head(&tokens, index, text) {
                edits.replace(token.span, new_name(name));
            } else if self.renamed.contains(name) {
                let start = token.span.start;
                let foreign = map.is_verbatim(start)
                    && self.module.declared.is_foreign_type(map.original(start));
                if !foreign && !self.is_other(name, &tokens, index, text) {
                    edits.replace(token.span, new_name(name));
                }
            } else if let Some(row) = library::find(name)
                && !is_member(&tokens, index, text)
                && self
                    .module
                    .declared
                    .get(name)
                    .is_none_or(|d| !d.global && !d.function && !d.ty)
            {
                used.insert(Use::Library(row.name));
            }
        }
        (edits, used)
    }

    /// Whether that is the type: many programs call a variable so.
    fn is_half(&self, name: &str) -> bool {
        name == HALF && self.module.declared.get(name).is_none()
    }

    /// Whether a reserved name means here what the target means by it.
    fn is_other(&self, name: &str, tokens: &[Token], index: usize, text: &str) -> bool {
        let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
        let is_name = |at: usize| {
            tokens
                .get(at)
                .is_some_and(|t| t.kind == TokenKind::Identifier)
        };
        let spelling = &self.backend.spelling;
        let waits = [&spelling.barrier, &spelling.warp_barrier];
        // What stands right before a kernel's name.
        let head = spelling.signature.split("{name}").next().unwrap_or("");
        let head = head.rsplit('}').next().unwrap_or("").trim().to_string();
        let generated = spelling.group.iter().chain(&spelling.item).chain(waits);
        let mut generated = generated.chain(std::iter::once(&head));
        if generated.any(|s| is_within(s, tokens, index, text)) {
            return true;
        }
        if self.module.declared.get(name).is_some_and(|d| d.ty) {
            return false;
        }
        // No variable stands before a name, or alone in parentheses before an operand.
        let cast = index > 0 && word(index - 1) == "(" && word(index + 1) == ")" && {
            let next = tokens.get(index + 2);
            is_name(index + 2) || next.is_some_and(|t| t.kind == TokenKind::Number)
        };
        is_name(index + 1) || cast
    }

    fn rename(&self, name: &mut String) {
        if self.renamed.contains(name.as_str()) || self.kernels.contains(name.as_str()) {
            *name = new_name(name);
        }
    }

    fn rename_launches(&self, statements: &mut [Statement]) {
        for statement in statements {
            match statement {
                Statement::Launch(launch) => self.rename(&mut launch.kernel),
                Statement::Block(inner) => self.rename_launches(inner),
                Statement::If {
                    then, otherwise, ..
                } => {
                    self.rename_launches(then);
                    self.rename_launches(otherwise);
                }
                Statement::Loop { body, .. } => self.rename_launches(body),
                _ => {}
            }
        }
    }
}

fn is_member(tokens: &[Token], index: usize, text: &str) -> bool {
    let before = index.checked_sub(1).and_then(|i| tokens.get(i));
    before.is_some_and(|t| matches!(t.text(text), "." | "->"))
}

/// Whether a token belongs to what a backend spells so.
fn is_within(spelled: &str, tokens: &[Token], index: usize, text: &str) -> bool {
    let parts = lex(spelled);
    let name = tokens.get(index).map_or("", |t| t.text(text));
    let mut places =
        (0..parts.len()).filter(|&at| parts.get(at).is_some_and(|t| t.is(spelled, name)));
    places.any(|at| {
        let first = index.checked_sub(at);
        let here = first.and_then(|first| tokens.get(first..first + parts.len()));
        here.is_some_and(|here| {
            let mut pairs = here.iter().zip(&parts);
            pairs.all(|(token, part)| token.is(text, part.text(spelled)))
        })
    })
}

/// Whether a kernel's own head is written there: nothing else returns nothing under such a name.
fn is_head(tokens: &[Token], index: usize, text: &str) -> bool {
    let before = index.checked_sub(1).and_then(|i| tokens.get(i));
    let next = tokens.get(index + 1);
    before.is_some_and(|t| t.is(text, "void")) && next.is_some_and(|t| t.is(text, "("))
}

fn new_name(name: &str) -> String {
    format!("brook_name_{name}")
}
