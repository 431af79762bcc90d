//! From syntax to facts: names, types, loop nests and streams become one [`Module`], or diagnostics.
//!
//! - `branches.rs`: conditionals that stay in the text for the vendor's compiler.
//! - `masked_loops.rs`: loops that items leave at different times, in the text of both languages.
//! - `lower/`: what kernels and functions of OKL do, as bodies.
//! - `okl/`: kernels made of attributed loops.
//! - `work.rs`: how much a body does, and whether always as much, for both languages.
//! - `brook/`: kernels over streams, completely typed; and the host half of the program.
//!
//! Every rule of the languages is checked here and nowhere else. All violations are reported, not
//! only the first.
//!
//! [`Module`]: crate::module::Module

mod branches;
mod brook;
mod lower;
mod masked_loops;
mod okl;
mod packing;
#[cfg(test)]
mod reading_tests;
mod work;

pub(crate) use branches::{check_launches, check_shape};
pub(crate) use brook::{check_calls, check_names};
pub(crate) use okl::{loop_bound, loop_change, loop_count};

use crate::body::Program;
use crate::diagnostics::{Code, Diagnostic, Fix, Sink, codes, nearest};
use crate::extension::Extension;
use crate::grammar::Dialect;
use crate::lex::Lexed;
use crate::module::Module;
use crate::normalize::attributes::{self, Attribute, Target};
use crate::options::Options;
use crate::preprocess::Preprocessed;
use crate::sema::Sema;
use crate::source::{Location, Provenance, Span};
use crate::stage::Watch;
use crate::syntax::{self, AttributeUse, Grammar, Tree, parse_as};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// How far a source is read. All messages are there whatever is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// Who only looks at messages needs no schedules, which take a tenth of the time.
    Messages,
    /// What a translation needs.
    Schedules,
    /// What kernels and functions do, in place of schedules.
    Bodies,
}

/// Turns a preprocessed source into a [`Module`], and the bodies that were asked for; violations go to the sink.
pub(crate) fn analyze(
    read: Preprocessed,
    dialect: Dialect,
    options: &Options,
    (sink, watch): (&mut Sink, Watch<'_>),
    until: Until,
) -> (Module, Program) {
    match dialect {
        Dialect::Okl => okl::analyze(read, options, (sink, watch), until),
        Dialect::Brook => brook::analyze(read, options, (sink, watch), until),
    }
}

/// Reports what of a text cannot be parsed, and nothing else.
pub(crate) fn syntax_errors(
    read: &Preprocessed,
    dialect: Dialect,
    options: &Options,
    sink: &mut Sink,
) {
    match dialect {
        Dialect::Okl => okl::syntax_errors(read, sink),
        Dialect::Brook => brook::syntax_errors(read, options, sink),
    }
}

/// Whether a normalised text has attributes that do not exist.
pub(crate) fn has_unknown_attributes(text: &str, dialect: Dialect, options: &Options) -> bool {
    let mut names = syntax::attribute_names(text).into_iter();
    names.any(|name| attribute_row(&options.extensions, dialect, name).is_none())
}

/// What the language or an extension says about an attribute.
fn attribute_row<'a>(
    extensions: &'a [Arc<dyn Extension>],
    dialect: Dialect,
    name: &str,
) -> Option<&'a Attribute> {
    let added = || {
        let mut rows = extensions.iter().flat_map(|e| e.attributes());
        rows.find(|row| row.dialect == dialect && row.name == name)
    };
    attributes::find(dialect, name).or_else(added)
}

/// What every room of the analysis works with.
struct Context<'a> {
    tree: &'a Tree,
    text: &'a str,
    sema: &'a Sema<'a>,
    provenance: &'a Provenance,
    /// They add attributes.
    extensions: &'a [Arc<dyn Extension>],
    /// Sums of a product are written as one operation.
    contract: bool,
    sink: &'a mut Sink,
}

impl<'a> Context<'a> {
    fn error(&mut self, code: &'static Code, span: Span, arguments: &[&dyn fmt::Display]) {
        self.sink
            .push(Diagnostic::at(code, self.provenance, span, arguments));
    }

    /// An error with a remark about another place.
    fn error_with(
        &mut self,
        code: &'static Code,
        span: Span,
        arguments: &[&dyn fmt::Display],
        note: (&str, Span),
    ) {
        let location = self.provenance.origin(note.1).map(|o| o.location);
        let diagnostic = Diagnostic::at(code, self.provenance, span, arguments);
        self.sink.push(diagnostic.note(note.0, location));
    }

    /// Reports an attribute at `span`, or one in its arguments, whose name was meant to be another one.
    fn misspelled(&mut self, span: Span, name: &str, near: &str) {
        let code = &codes::UNKNOWN_ATTRIBUTE_NEAR;
        let mut message = Diagnostic::at(code, self.provenance, span, &[&name, &near]);
        if let Some(at) = self.provenance.word_from(span, name) {
            let before = Span::new(at.span.start.saturating_sub(1), at.span.end);
            message.location = Some(Location { span: before, ..at });
            message = message.fix(Fix {
                message: format!("write '@{near}'"),
                edits: vec![(at, near.to_string())],
                certain: true,
            });
        }
        self.sink.push(message);
    }

    /// Checks name, target and number of arguments of an attribute against its row.
    fn check_attribute(&mut self, attribute: &AttributeUse, target: Target) -> bool {
        let name = attribute.name.as_str();
        let Some(row) = attribute_row(self.extensions, attribute.dialect, name) else {
            let near = nearest_attribute(attribute.dialect, name);
            let Some(near) = near else {
                self.error(&codes::UNKNOWN_ATTRIBUTE, attribute.span, &[&name]);
                return false;
            };
            self.misspelled(attribute.span, name, near);
            return false;
        };
        if !row.targets.contains(&target) {
            let allowed: Vec<&str> = row.targets.iter().map(|&t| target_name(t)).collect();
            let allowed = allowed.join(" or ");
            let arguments: [&dyn fmt::Display; 3] = [&name, &target_name(target), &allowed];
            self.error(&codes::ATTRIBUTE_TARGET, attribute.span, &arguments);
            return false;
        }
        let count = attribute.split().len();
        if row.most_arguments == 0 && attribute.has_arguments && count > 0 {
            self.error(&codes::ATTRIBUTE_NO_ARGUMENTS, attribute.span, &[&name]);
            return false;
        }
        if count < row.least_arguments {
            self.error(&codes::ATTRIBUTE_NEEDS_ARGUMENT, attribute.span, &[&name]);
            return false;
        }
        if count > row.most_arguments {
            let code = match name {
                "outer" | "inner" => &codes::AXIS_ARGUMENTS,
                "tile" => &codes::TILE_ARGUMENTS,
                "barrier" => &codes::BARRIER_ARGUMENTS,
                _ => &codes::ATTRIBUTE_MANY_ARGUMENTS,
            };
            self.error(code, attribute.span, &[&name, &row.most_arguments]);
            return false;
        }
        true
    }
}

fn target_name(target: Target) -> &'static str {
    match target {
        Target::Function => "a function",
        Target::Loop => "a for loop",
        Target::Variable => "a variable",
        Target::Parameter => "a parameter",
        Target::Type => "a type",
        Target::Field => "a field",
        Target::Statement => "a statement",
        Target::Line => "a line of its own, outside of macros",
    }
}

/// The attribute that a name is a misspelling of.
fn nearest_attribute(dialect: Dialect, name: &str) -> Option<&'static str> {
    let rows = attributes::ATTRIBUTES.iter();
    let names = rows.filter(|a| a.dialect == dialect).map(|a| a.name);
    nearest(name, names)
}

/// The whole of a text as a tree of C++, the host's half of Brook+ programs included, whatever cannot be parsed: for who
/// looks up names in it.
pub(crate) fn whole_tree(read: &Preprocessed, dialect: Dialect, options: &Options) -> Tree {
    let text = &read.text;
    let directives = &read.kept_directives;
    let stand_ins = match dialect {
        Dialect::Okl => okl::stand_ins::with_stand_ins(text, directives),
        Dialect::Brook => {
            let lexed = Lexed::new(text);
            let names = brook::stand_ins::with_stand_ins(&lexed, options.checking.brookgpu);
            Cow::Owned(names.into_owned())
        }
    };
    let (texts, mut sink) = ((&**text, &*stand_ins), Sink::default());
    let grammar = Grammar::Cpp;
    parse_as(
        texts,
        grammar,
        directives,
        None,
        &read.provenance,
        &mut sink,
    )
}
