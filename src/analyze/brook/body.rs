//! What is known of a kernel's body while its constructs are made.

use super::check::Facts;
use super::unit::Unit;
use super::values::Values;
use crate::analyze::Context;
use crate::facts::Range;
use crate::module::Parameter;
use crate::source::Span;
use crate::syntax::NodeId;
use foldhash::HashMap;

/// What a name is inside a kernel.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A local variable.
    Local {
        /// It is an array.
        array: bool,
        /// What it can be, if it is an integer of which that is known.
        range: Option<Range>,
    },
    /// A parameter.
    Parameter(Box<Parameter>),
}

/// How the reduction variable is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ReduceUse {
    Unused,
    /// Only changed by this one operator.
    Operator(&'static str),
    Otherwise,
}

/// The constructs of one kernel's body.
pub(super) struct Body<'b, 'a> {
    pub(super) context: &'b mut Context<'a>,
    pub(super) unit: &'b mut Unit,
    pub(super) facts: &'b Facts,
    pub(super) kernel: usize,
    pub(super) body: NodeId,
    pub(super) scopes: Vec<HashMap<String, Meaning>>,
    pub(super) reduce: ReduceUse,
    /// The statement at hand can hold temporary variables: whether it is a declaration.
    pub(super) holder: Option<bool>,
    /// It has to.
    pub(super) temporaries: bool,
    /// Where names are given values behind their declarations, once somebody has asked.
    pub(super) changes: Option<HashMap<String, Vec<Span>>>,
    pub(super) values: Values,
}

impl<'b, 'a> Body<'b, 'a> {
    pub(super) fn new(
        context: &'b mut Context<'a>,
        unit: &'b mut Unit,
        facts: &'b Facts,
        kernel: usize,
        body: NodeId,
    ) -> Self {
        let named = unit.kernels[kernel].parameters.iter();
        let first = named
            .map(|p| (p.name.clone(), Meaning::Parameter(Box::new(p.clone()))))
            .collect();
        Self {
            context,
            unit,
            facts,
            kernel,
            body,
            scopes: vec![first],
            reduce: ReduceUse::Unused,
            holder: None,
            temporaries: false,
            changes: None,
            values: Values::default(),
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Meaning> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Remembers what a local variable can be until the innermost scope ends.
    pub(super) fn know(&mut self, name: &str, known: Range) {
        let mut meaning = self.lookup(name).cloned();
        if let Some(Meaning::Local { range, .. }) = &mut meaning {
            *range = Some(known);
        }
        if let (Some(scope), Some(meaning)) = (self.scopes.last_mut(), meaning) {
            scope.insert(name.to_string(), meaning);
        }
    }

    /// `syncGroup()`
    pub(super) fn waits(&mut self) {
        self.unit.kernels[self.kernel].waits = true;
    }
}
