use super::types::Ty;
use crate::module::Fixed;
use foldhash::{HashMap, HashMapExt};

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

/// The names in scope, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    levels: Vec<HashMap<String, Symbol>>,
}

impl Scopes {
    pub(super) fn enter(&mut self) {
        self.levels.push(HashMap::new());
    }

    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }

    pub(super) fn find(&self, name: &str) -> Option<&Symbol> {
        self.levels.iter().rev().find_map(|level| level.get(name))
    }

    /// All names that can be seen, innermost first.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let levels = self.levels.iter().rev();
        levels.flat_map(|level| {
            let mut names: Vec<&str> = level.keys().map(String::as_str).collect();
            names.sort_unstable();
            names
        })
    }

    /// Declares a name; `false` if its scope has it already. Parameters are the outermost level, and the
    /// body's outermost block is no scope of its own beside it.
    pub(super) fn declare(&mut self, name: &str, symbol: Symbol) -> bool {
        let parameter = self.levels.len() == 2 && self.levels[0].contains_key(name);
        let Some(level) = self.levels.last_mut() else {
            return false;
        };
        level.insert(name.to_string(), symbol).is_none() && !parameter
    }
}
