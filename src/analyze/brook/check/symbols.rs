use super::Checker;
use super::types::Ty;
use crate::diagnostics::codes;
use crate::module::Fixed;
use crate::sema::DefinitionId;
use crate::syntax::{Declarator, Kind, NodeId};

/// What a name is inside a kernel.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) ty: Ty,
    pub(super) role: Role,
}

/// The kinds of name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A local variable.
    Local {
        constant: bool,
    },
    /// Something that has been refused; its uses are not to be reported as well.
    Refused,
    /// An array that the items of a group share, and its number of elements if that is sound.
    Shared(Option<u64>),
    /// An array of any other sort in a body; it has been refused.
    LocalArray,
    /// An array in a struct, and its number of dimensions.
    Field(usize),
    StreamIn,
    StreamOut,
    /// BrookGPU: a variable output.
    Vout,
    Value,
    /// `reduce`
    Reduce,
    /// Its number of dimensions, and their extents if they are given.
    Gather {
        rank: usize,
        extents: Vec<u64>,
        /// What its elements are in memory, if they are of fixed point.
        fixed: Option<Fixed>,
    },
    Scatter {
        rank: usize,
    },
}

impl Role {
    pub(super) fn is_array(&self) -> bool {
        matches!(
            self,
            Self::Shared(_)
                | Self::LocalArray
                | Self::Field(_)
                | Self::Gather { .. }
                | Self::Scatter { .. }
        )
    }
}

/// A kernel as its callers see it.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<Symbol>,
    pub(super) result: Ty,
    pub(super) reduces: bool,
    /// Its body is there.
    pub(super) defined: bool,
}

impl<'a> Checker<'_, 'a> {
    /// What a name is where it stands, if it is a variable or parameter.
    pub(super) fn symbol_of(&self, name: NodeId) -> Option<&Symbol> {
        let id = self.context.sema.definition(name)?;
        self.symbols.get(&id)
    }

    /// The same, as what kind of name it is.
    pub(super) fn role(&self, name: NodeId) -> Option<Role> {
        self.symbol_of(name).map(|s| s.role.clone())
    }

    /// What a name is that is declared here; it must not be one of its scope already.
    pub(super) fn declare(&mut self, name: &Declarator, symbol: Symbol) {
        let Some(id) = name.node.and_then(|n| self.context.sema.definition(n)) else {
            return;
        };
        if self.is_declared_again(id) {
            self.report(&codes::BROOK_NAME_TWICE, name.name_span, &[&name.name]);
        }
        self.symbols.insert(id, symbol);
    }

    /// Whether a name is a variable of its scope already. The outermost block of a body is no scope of its own beside parameters.
    fn is_declared_again(&self, id: DefinitionId) -> bool {
        let (sema, tree) = (self.context.sema, self.context.tree);
        let hidden = sema.hidden_by(id);
        let Some(hidden) = hidden.filter(|h| self.symbols.contains_key(h)) else {
            return false;
        };
        let (own, other) = (sema.scope_of(id), sema.scope_of(hidden));
        let around = own.and_then(|own| tree.parent(own));
        let of_body = around.is_some_and(|a| tree.kind(a) == Kind::FunctionDefinition);
        own == other || (of_body && around == other)
    }

    /// All names that can be seen from a place, innermost first.
    pub(super) fn visible(&self, from: NodeId) -> Vec<&'a str> {
        let (sema, tree) = (self.context.sema, self.context.tree);
        let around: Vec<NodeId> =
            std::iter::successors(tree.parent(from), |n| tree.parent(*n)).collect();
        let seen = self.symbols.keys().filter_map(|&id| {
            let scope = sema.scope_of(id)?;
            let depth = around.iter().position(|a| *a == scope)?;
            Some((depth, sema.name(id)))
        });
        let mut seen: Vec<(usize, &'a str)> = seen.collect();
        seen.sort_unstable();
        seen.into_iter().map(|(_, name)| name).collect()
    }
}
