//! The semantic checker: the type of every expression, and every rule of section 6 of the Brook+
//! specification, with the verdicts and the order of messages of AMD's compiler.
//!
//! It knows nothing of backends and makes no constructs; what it finds out is in [`Facts`].
//!
//! - `values.rs`: what expressions are worth, and where values are converted.
//! - `types.rs`: what types there are, which one two operands meet in, what a conversion loses.
//! - `records.rs`: the structs of a program.
//! - `symbols.rs`: what names are; `names.rs`: what is said of those that mean nothing.
//! - `heads.rs`, `parameters.rs`, `groups.rs`: kernels as a whole, their parameters, group kernels.
//! - `statements.rs`, `declarations.rs`, `initializers.rs`: bodies.
//! - `expressions.rs`, `operators.rs`, `assignments.rs`, `swizzles.rs`, `indices.rs`, `calls.rs`,
//!   `collectives.rs`:
//!   expressions.

mod assignments;
mod calls;
mod collectives;
mod declarations;
mod expressions;
mod groups;
mod heads;
mod indices;
mod initializers;
mod names;
mod operators;
mod parameters;
mod records;
mod statements;
mod swizzles;
mod symbols;
mod types;
mod values;

pub(super) use calls::cast_in_brackets;
pub(super) use heads::host_functions;
pub(super) use records::{Record, records};
pub(super) use swizzles::plain_swizzle;
pub(super) use types::Ty;
pub(super) use types::literal;

use crate::analyze::Context;
use crate::diagnostics::{Code, Diagnostic, Severity, codes};
use crate::module::{Checking, Fixed, Type};
use crate::sema::DefinitionId;
use crate::source::Span;
use crate::syntax::{Kind, NodeId};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use std::fmt::Display;
use symbols::{Function, Symbol};

/// What the checker found out about the bodies of kernels.
#[derive(Debug, Default)]
pub(super) struct Facts {
    types: HashMap<NodeId, Ty>,
    conversions: HashMap<NodeId, Type>,
    /// Compound assignments whose operation is in another type than the target's.
    operands: HashMap<NodeId, Type>,
    /// The structs of the program.
    pub(super) records: Vec<Record>,
    /// Kernels that run in groups, and how many items those have.
    pub(super) groups: HashMap<String, u64>,
    /// Some parameter's elements are arrays.
    pub(super) array_elements: Option<Span>,
}

impl Facts {
    /// The type of an expression; `None` if it has none, or if it is no number or vector.
    pub(super) fn number(&self, node: NodeId) -> Option<Type> {
        match self.types.get(&node)? {
            Ty::Number(ty) => Some(*ty),
            Ty::Record(_) => None,
        }
    }

    /// The struct that an expression is, by its number.
    pub(super) fn structure(&self, node: NodeId) -> Option<usize> {
        match self.types.get(&node)? {
            Ty::Number(_) => None,
            Ty::Record(record) => Some(*record),
        }
    }

    /// The type that words name.
    pub(super) fn named(&self, words: &str) -> Option<Ty> {
        records::find(&self.records, words)
    }

    /// What values of the type that words name are in memory, if they are of fixed point.
    pub(super) fn stored(&self, words: &str) -> Option<Fixed> {
        records::stored(&self.records, words)
    }

    /// The type in which `a OP= b` is computed; that of the target if nothing else is said.
    pub(super) fn operand(&self, node: NodeId) -> Option<Type> {
        self.operands.get(&node).copied()
    }

    /// What the value of an expression is converted to where it stands, if to anything.
    pub(super) fn conversion(&self, node: NodeId) -> Option<Type> {
        self.conversions.get(&node).copied()
    }
}

/// The state of the checker: a whole file, and the function at hand.
pub(super) struct Checker<'c, 'a> {
    context: &'c mut Context<'a>,
    checking: &'c Checking,
    records: Vec<Record>,
    /// Functions of the host part.
    host_functions: HashSet<String>,
    /// Kernels so far, in order.
    functions: Vec<Function>,
    /// Kernels that have a body somewhere.
    defined: HashSet<String>,
    facts: Facts,
    /// Variables and parameters so far.
    symbols: HashMap<DefinitionId, Symbol>,
    here: heads::Here,
    /// What is reported now follows from something that has been reported.
    following: bool,
    /// Variables that are not there, and of which that is reported.
    undefined: HashSet<String>,
    /// What is added to what is reported now.
    hint: Option<names::Hint>,
}

impl<'c, 'a> Checker<'c, 'a> {
    pub(super) fn new(
        context: &'c mut Context<'a>,
        checking: &'c Checking,
        records: Vec<Record>,
        host_functions: HashSet<String>,
        defined: HashSet<String>,
    ) -> Self {
        let facts = Facts::default();
        Self {
            context,
            checking,
            records,
            host_functions,
            functions: Vec::new(),
            defined,
            facts,
            symbols: HashMap::new(),
            here: heads::Here::default(),
            following: false,
            undefined: HashSet::new(),
            hint: None,
        }
    }

    pub(super) fn finish(self) -> Facts {
        let mut facts = self.facts;
        facts.records = self.records;
        facts
    }

    /// The type that two operands meet in.
    fn meet(&self, a: Type, b: Type) -> Type {
        match self.checking.brookgpu {
            true => types::shorter(a, b),
            false => types::common(a, b),
        }
    }

    fn word(&self, node: NodeId) -> &'a str {
        self.context.tree.text(node, self.context.text)
    }

    fn span(&self, node: NodeId) -> Span {
        self.context.tree.span(node)
    }

    fn kind(&self, node: NodeId) -> Kind {
        self.context.tree.kind(node)
    }

    /// Does what may report things that follow from others.
    fn following<R>(&mut self, follows: bool, check: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.following;
        self.following |= follows;
        let result = check(self);
        self.following = before;
        result
    }

    /// An error or a warning; the levels decide.
    fn report(&mut self, code: &'static Code, span: Span, arguments: &[&dyn Display]) {
        let group = code.classic.map_or("", |c| c.group);
        self.report_in(group, code, span, arguments);
    }

    /// The same with the group that AMD's compiler named before the message.
    fn report_in(
        &mut self,
        group: &str,
        code: &'static Code,
        span: Span,
        arguments: &[&dyn Display],
    ) {
        let level = code.classic.and_then(|c| c.level);
        let strict = !self.checking.relaxed;
        let promoted = !strict && self.checking.warnings_as_errors && level.is_some();
        if level.is_some_and(|l| !strict && l > self.checking.warning_level) {
            return;
        }
        let mut diagnostic = Diagnostic::at(code, self.context.provenance, span, arguments);
        diagnostic.severity = match level {
            Some(0) if strict => Severity::Warning,
            Some(_) if !strict && !promoted => Severity::Warning,
            _ => Severity::Error,
        };
        diagnostic.promoted = promoted;
        diagnostic.follows = self.following;
        if let Some(classic) = code.classic {
            diagnostic.classic = classic.tail(group, arguments);
            // In these places there was no blank before the colon.
            let tight = matches!(group, "In Initialization" | "In Trinary expression")
                && (std::ptr::eq(code, &codes::BROOK_CONVERTED_SHORT)
                    || std::ptr::eq(code, &codes::BROOK_CONVERTED_LONG));
            if tight {
                diagnostic.classic = diagnostic.classic.replace(" : ", ": ");
            }
        }
        if let Some(hint) = self.hint.take() {
            diagnostic = hint.add(diagnostic);
        }
        self.context.sink.push(diagnostic);
    }

    /// Remembers the type of an expression.
    fn typed(&mut self, node: NodeId, ty: Ty) -> Ty {
        self.facts.types.insert(node, ty);
        ty
    }

    /// Remembers that the value of an expression is converted where it stands.
    fn converts(&mut self, node: NodeId, from: Ty, to: Type) {
        if from != Ty::Number(to) {
            self.facts.conversions.insert(node, to);
        }
    }
}
