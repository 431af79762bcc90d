//! From syntax to bodies: what Brook+ kernels do, as the typed trees of `body`.
//!
//! Types and implicit conversions are the checker's, out of its table; what the language means by them is written out here
//! (indices that are clamped, division by zero, comparisons that are numbers), so that nobody behind has to know it. A kernel
//! becomes a function of one element, and a body that runs it for all of them. A statement in which something is not
//! modelled is `Opaque` as a whole.
//!
//! - `functions.rs`: kernels as functions: parameters and what travels with them.
//! - `launches.rs`, `folds.rs`: bodies that run them: for each element, in groups; reductions.
//! - `types.rs`: types as they lie in streams; `make.rs`: pieces of trees.
//! - `statements.rs`: control flow and variables.
//! - `values.rs`, `operators.rs`, `convert.rs`: expressions; `places.rs`, `changes.rs`: memory that they name, and what is
//!   written to it; `arrays.rs`: gathers and scatters.
//! - `calls.rs`, `builtins.rs`: other kernels, and functions of the language.

mod arrays;
mod builtins;
mod calls;
mod changes;
mod convert;
mod folds;
mod functions;
mod launches;
mod make;
mod operators;
mod places;
mod statements;
#[cfg(test)]
mod tests;
mod types;
mod values;

use super::check::Facts;
use crate::analyze::Context;
use crate::body::{Arithmetic, Body, BodyId, Program, Type, VariableId};
use crate::module::Kernel;
use crate::sema::DefinitionId;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};
use foldhash::HashMap;
use types::Records;

/// What is not modelled: where, and what it is called.
#[derive(Clone, Debug)]
struct Opaque {
    span: Span,
    what: String,
}

type Lowered<T> = Result<T, Opaque>;

/// What all bodies have in common.
struct Unit<'u, 'a> {
    context: &'u Context<'a>,
    facts: &'u Facts,
    kernels: &'u [Kernel],
    /// Their numbers by name.
    numbers: &'u HashMap<String, usize>,
    program: Program,
    records: Records,
}

/// What a name is inside a kernel.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// A variable of the body's own.
    Local(VariableId),
    /// An array that the group shares.
    Shared(VariableId),
    /// The kernel's parameter of that number.
    Parameter(usize),
}

/// What a parameter of a kernel is to its function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// Its value, or a pointer to what it is.
    pub(super) variable: VariableId,
    /// Of what is read or written at any index: the first of as many variables as it has dimensions, the extents, fastest first.
    pub(super) extents: Option<u32>,
    /// Of an input: the place of its element, an `int4`, if somebody asks for that.
    pub(super) place: Option<VariableId>,
}

/// A body that is being made.
struct Lower<'l, 'u, 'a> {
    unit: &'l mut Unit<'u, 'a>,
    body: Body,
    /// The kernel's number.
    kernel: usize,
    /// What its parameters are here.
    passed: Vec<Passed>,
    /// The place of the element, an `int4`.
    here: VariableId,
    /// In group kernels, the item's number, an `int`, and whether it belongs to an element, a `bool`.
    item: Option<[VariableId; 2]>,
    /// What names mean, by their declarations.
    meanings: HashMap<DefinitionId, Meaning>,
    /// Names of temporary variables are numbers.
    temporaries: u32,
}

/// The bodies of all kernels: first a function for each, then, for those that can be called over streams, what runs it.
pub(super) fn lower(
    context: &Context<'_>,
    facts: &Facts,
    (kernels, numbers): (&[Kernel], &HashMap<String, usize>),
    definitions: &[(usize, NodeId)],
) -> Program {
    let mut unit = Unit::new(context, facts, (kernels, numbers));
    unit.functions(definitions, &mut |program, (kernel, _), made, _| {
        program.bodies[kernel] = made;
    });
    for kernel in 0..kernels.len() {
        let made = unit.launched(kernel);
        unit.program.bodies.extend(made);
    }
    unit.program
}

/// Is given what a kernel does, by its number and definition, and what its parameters are there.
type Take<'s> = dyn FnMut(&mut Program, (usize, NodeId), Body, &[Passed]) + 's;

/// Is shown the same.
pub(super) type Show<'s> = dyn FnMut((usize, NodeId), &Program, &Body, &[Passed]) + 's;

/// The functions of some kernels, one after the other: their numbers and definitions, and who is shown what they do. Gives all
/// of them, by the kernels' numbers; of the others only heads.
pub(super) fn lower_some(
    context: &Context<'_>,
    facts: &Facts,
    (kernels, numbers): (&[Kernel], &HashMap<String, usize>),
    definitions: &[(usize, NodeId)],
    show: &mut Show<'_>,
) -> Program {
    let mut unit = Unit::new(context, facts, (kernels, numbers));
    unit.functions(definitions, &mut |program, at, made, passed| {
        show(at, program, &made, passed);
        program.bodies[at.0] = made;
    });
    unit.program
}

impl<'u, 'a> Unit<'u, 'a> {
    fn new(
        context: &'u Context<'a>,
        facts: &'u Facts,
        (kernels, numbers): (&'u [Kernel], &'u HashMap<String, usize>),
    ) -> Self {
        Self {
            context,
            facts,
            kernels,
            numbers,
            program: Program::default(),
            records: Records::default(),
        }
    }

    /// Makes the functions of some kernels; the heads of all come first: one may call another that is defined further down.
    fn functions(&mut self, definitions: &[(usize, NodeId)], take: &mut Take<'_>) {
        let heads: Vec<_> = (0..self.kernels.len()).map(|at| self.head(at)).collect();
        let bodies = heads.iter().map(|(body, _)| body.clone());
        self.program.bodies.extend(bodies);
        for &(kernel, node) in definitions {
            let Some((body, passed)) = heads.get(kernel).cloned() else {
                continue;
            };
            let made = Lower::new(self, (kernel, node), body, passed.clone()).whole(node);
            take(&mut self.program, (kernel, node), made, &passed);
        }
    }
}

impl<'a> Lower<'_, '_, 'a> {
    fn span(&self, node: NodeId) -> Span {
        self.unit.context.tree.span(node)
    }

    fn text(&self, node: NodeId) -> &'a str {
        self.unit.context.tree.text(node, self.unit.context.text)
    }

    fn syntax(&self, node: NodeId) -> Kind {
        self.unit.context.tree.kind(node)
    }

    fn inner(&self, node: NodeId) -> NodeId {
        self.unit.context.tree.unparenthesized(node)
    }

    fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.unit.context.tree.children(node).collect()
    }

    fn part(&self, node: NodeId, field: Field) -> Lowered<NodeId> {
        let found = self.unit.context.tree.child(node, field);
        found.ok_or_else(|| self.strange(node, "an expression of this form"))
    }

    fn operator_of(&self, node: NodeId) -> &'a str {
        let operator = self.unit.context.tree.child(node, Field::Operator);
        operator.map_or("", |o| self.text(o))
    }

    fn strange(&self, node: NodeId, what: impl Into<String>) -> Opaque {
        Opaque {
            span: self.span(node),
            what: what.into(),
        }
    }

    fn opaque<T>(&self, node: NodeId, what: impl Into<String>) -> Lowered<T> {
        Err(self.strange(node, what))
    }

    /// The same of what has no name of its own: its words say which one.
    fn unnamed<T>(&self, node: NodeId, what: &str) -> Lowered<T> {
        let words = crate::lex::shown(self.text(node));
        self.opaque(node, format!("{what}: '{words}'"))
    }

    /// What a name means where it stands.
    fn lookup(&self, name: NodeId) -> Option<Meaning> {
        let id = self.unit.context.sema.definition(name)?;
        self.meanings.get(&id).copied()
    }

    /// What a name means that is declared here.
    fn declare(&mut self, name: Option<NodeId>, meaning: Meaning) {
        if let Some(id) = name.and_then(|n| self.unit.context.sema.definition(n)) {
            self.meanings.insert(id, meaning);
        }
    }

    fn result_of(&self, kernel: usize) -> (BodyId, Type) {
        (
            BodyId(kernel as u32),
            self.unit.program.bodies[kernel].result,
        )
    }
}

/// A body of Brook+, with nothing in it.
fn empty(name: &str, span: Span) -> Body {
    Body {
        name: name.to_string(),
        span,
        arithmetic: Arithmetic::Total,
        ..Body::default()
    }
}
