//! Kernels of OKL that are maps: each iteration of their only nest has one element, the same of each array that it reads or
//! writes, and touches nothing else. What such a kernel does is said in Brook+, too, and may be done there together with what
//! others do ([`crate::runtime::Fusion`]).
//!
//! - `mod.rs`: [`Map`], a kernel with that text.
//! - `nest.rs`: the statements of such a kernel: loops, conditions on them, and what an iteration does.
//! - `forms.rs`, `elements.rs`: which elements the iterations have, with these arguments.
//! - `text.rs`: the kernel of Brook+; `needed.rs`: which variables it has.
//! - `rounding.rs`: whether every compiler rounds as that kernel says it.

mod elements;
mod forms;
mod needed;
mod nest;
mod rounding;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests;
mod text;

use crate::body::{Body, BodyId, ExpressionId, ExpressionKind, PlaceId, Program, Root, VariableId};
use crate::expr::Scalar;
use crate::facts::Definitions;
use crate::lex::{TokenKind, is_long_double, lex};
use std::ops::Range;
use std::sync::Arc;

/// A kernel of OKL that is a map.
pub(crate) struct Map {
    program: Arc<Program>,
    body: BodyId,
    /// The parameters of the kernel of Brook+, in order.
    pub(crate) parameters: Vec<MapParameter>,
    /// Arrays are read after others were written: they must not be the same one by two names.
    pub(crate) late: bool,
    /// What stands in its braces.
    text: String,
}

/// What compilers make of the sum of a product and something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// Both are rounded.
    Each,
    /// Only the sum is, where it is clear which product that is.
    Contracted,
    /// Nobody knows.
    Unknown,
}

/// A parameter of the kernel of Brook+.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MapParameter {
    /// Which argument of the kernel of OKL it gets. An array that is read and written is two parameters.
    pub(crate) argument: usize,
    pub(crate) scalar: Scalar,
    pub(crate) what: Passed,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    Value,
    /// A stream that is read.
    Input,
    /// A stream all of whose elements are written.
    Output,
}

impl Map {
    /// The kernel as a map, if it is one whatever it is called with, and if it rounds as Brook+ says it.
    pub(crate) fn of(program: &Arc<Program>, kernel: &str, rounding: Rounding) -> Option<Self> {
        let id = program.kernel(kernel)?;
        let body = program.bodies.get(id.0 as usize)?;
        let definitions = Definitions::of(body);
        let nest = nest::Nest::of(body, &definitions)?;
        let (parameters, text, late) = text::translated(program, body, &definitions, &nest)?;
        let said = match rounding {
            Rounding::Each => true,
            _ => {
                let products = rounding == Rounding::Contracted;
                rounding::is_said(program, body, &definitions, &nest, products)
            }
        };
        said.then_some(Self {
            parameters,
            late,
            text,
            body: id,
            program: Arc::clone(program),
        })
    }

    /// Its kernel of Brook+, by that name.
    pub(crate) fn text(&self, name: &str) -> String {
        let declared = self.parameters.iter().map(MapParameter::declared);
        let declared: Vec<String> = declared.collect();
        format!(
            "kernel void {name}({}) {{\n{}}}\n",
            declared.join(", "),
            self.text
        )
    }

    /// The elements that iterations have, each one, if that is so with these arguments: of each parameter of OKL that is an
    /// integer its value.
    pub(crate) fn elements(&self, value: &dyn Fn(usize) -> Option<i64>) -> Option<Range<u64>> {
        let body = self.program.bodies.get(self.body.0 as usize)?;
        let definitions = Definitions::of(body);
        let nest = nest::Nest::of(body, &definitions)?;
        elements::elements(&self.program, body, &definitions, &nest, value)
    }
}

impl MapParameter {
    /// Its name in the kernel.
    pub(crate) fn name(&self) -> String {
        let letter = match self.what {
            Passed::Value => 'p',
            Passed::Input => 'i',
            Passed::Output => 'o',
        };
        format!("brook_{letter}{}", self.argument)
    }

    fn declared(&self) -> String {
        let (ty, name) = (self.scalar.c_name(), self.name());
        match self.what {
            Passed::Value => format!("{ty} {name}"),
            Passed::Input => format!("{ty} {name}<>"),
            Passed::Output => format!("out {ty} {name}<>"),
        }
    }
}

/// The parameter, by number, that a pointer is moved from, and by how many elements: as sums of these.
fn pointed(
    body: &Body,
    definitions: &Definitions,
    pointer: ExpressionId,
) -> Option<(usize, Vec<ExpressionId>)> {
    match &body.expression(pointer).kind {
        ExpressionKind::Offset(base, by) => {
            let (parameter, mut moved) = pointed(body, definitions, *base)?;
            moved.push(*by);
            Some((parameter, moved))
        }
        ExpressionKind::AddressOf(place) => {
            let place = body.place(*place);
            match place.root {
                Root::Pointer(pointer) if place.path.is_empty() => {
                    pointed(body, definitions, pointer)
                }
                _ => None,
            }
        }
        ExpressionKind::Load(place) => {
            let variable = body.whole(*place)?;
            if let Some(value) = definitions.only_value(variable) {
                return pointed(body, definitions, value);
            }
            parameter(body, definitions, variable).map(|number| (number, Vec::new()))
        }
        _ => None,
    }
}

/// The same of the pointer that leads to a place.
fn accessed(
    body: &Body,
    definitions: &Definitions,
    place: PlaceId,
) -> Option<(usize, Vec<ExpressionId>)> {
    match body.place(place).root {
        Root::Pointer(pointer) => pointed(body, definitions, pointer),
        _ => None,
    }
}

/// Which parameter a variable is, if it is one that keeps its value.
fn parameter(body: &Body, definitions: &Definitions, variable: VariableId) -> Option<usize> {
    match variable {
        VariableId::Local(index) if index < body.parameters => definitions
            .is_steady(body, variable)
            .then_some(index as usize),
        _ => None,
    }
}

/// Words that compilers are told things with.
const SAID: [&str; 6] = [
    "_Pragma",
    "__pragma",
    "__attribute__",
    "asm",
    "__asm__",
    "__asm",
];

/// Whether a text, after its macros, says nothing to compilers about how they compute, and computes with no numbers of more bits than
/// kernels of Brook+ have.
pub(crate) fn is_plain(text: &str) -> bool {
    let tokens = lex(text);
    let mut line = 0;
    let mut before = "";
    tokens.iter().enumerate().all(|(n, token)| {
        if token.line_start {
            line = n;
        }
        let word = token.text(text);
        let directive = tokens[line].text(text) == "#";
        let plain = match (token.kind, directive) {
            // `#pragma unroll`, and headers.
            (_, true) => match n - line {
                1 => ["pragma", "include", "line"].contains(&word),
                2 if before == "pragma" => ["once", "unroll"].contains(&word),
                _ => true,
            },
            (TokenKind::Identifier, _) => {
                let long = [word, before]
                    .iter()
                    .all(|w| ["long", "double"].contains(w));
                !SAID.contains(&word) && (!long || word == before)
            }
            (TokenKind::Number, _) => !is_long_double(word),
            _ => true,
        };
        before = word;
        plain
    })
}

/// What an expression is.
fn kind(body: &Body, id: ExpressionId) -> &ExpressionKind {
    &body.expression(id).kind
}
