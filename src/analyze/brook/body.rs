//! What is known of a kernel's body while its constructs are made.

use super::check::Facts;
use super::declared::parameters_of;
use super::unit::Unit;
use super::values::Values;
use crate::analyze::Context;
use crate::facts::Range;
use crate::module::Parameter;
use crate::sema::DefinitionId;
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
    /// What names mean, by their declarations, as far as these have been read.
    pub(super) meanings: HashMap<DefinitionId, Meaning>,
    pub(super) reduce: ReduceUse,
    /// The statement at hand can hold temporary variables: whether it is a declaration.
    pub(super) holder: Option<bool>,
    /// It has to.
    pub(super) temporaries: bool,
    /// Where variables are given values behind their declarations, once somebody has asked.
    pub(super) changes: Option<HashMap<DefinitionId, Vec<Span>>>,
    pub(super) values: Values,
    /// Blocks whose braces are doubled.
    pub(super) doubled: Vec<NodeId>,
}

impl<'b, 'a> Body<'b, 'a> {
    pub(super) fn new(
        context: &'b mut Context<'a>,
        unit: &'b mut Unit,
        facts: &'b Facts,
        kernel: usize,
        body: NodeId,
    ) -> Self {
        let parameters = &unit.kernels[kernel].parameters;
        let meanings = parameters_of(context, body).filter_map(|(name, id)| {
            let parameter = parameters.iter().find(|p| p.name == name)?;
            Some((id, Meaning::Parameter(Box::new(parameter.clone()))))
        });
        let meanings = meanings.collect();
        Self {
            context,
            unit,
            facts,
            kernel,
            body,
            meanings,
            reduce: ReduceUse::Unused,
            holder: None,
            temporaries: false,
            changes: None,
            values: Values::default(),
            doubled: Vec::new(),
        }
    }

    /// What a name means where it stands.
    pub(super) fn lookup(&self, name: NodeId) -> Option<&Meaning> {
        self.meanings.get(&self.context.sema.definition(name)?)
    }

    /// Remembers what a local variable can be, and gives what was known before.
    pub(super) fn know(&mut self, id: DefinitionId, known: Option<Range>) -> Option<Range> {
        match self.meanings.get_mut(&id) {
            Some(Meaning::Local { range, .. }) => std::mem::replace(range, known),
            _ => None,
        }
    }

    /// What a name means that is declared here.
    pub(super) fn declare(&mut self, name: Option<NodeId>, meaning: Meaning) {
        if let Some(id) = name.and_then(|n| self.context.sema.definition(n)) {
            self.meanings.insert(id, meaning);
        }
    }

    /// `syncGroup()`
    pub(super) fn waits(&mut self) {
        self.unit.kernels[self.kernel].waits = true;
    }
}
