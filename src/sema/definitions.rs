use super::Type;
use super::qualifiers::{Qualified, Storage};
use crate::source::Span;
use crate::syntax::NodeId;

/// Number of a [`Definition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DefinitionId(pub(super) u32);

impl DefinitionId {
    /// Its place among all definitions, which are in the order of the text.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DefinitionKind {
    /// A variable, also of a parameter, or of a template's that is a value.
    Variable,
    Field,
    Function,
    /// `typedef`, `using`, or a template's parameter that is a type.
    Typedef,
    /// A structure, class or union.
    Record,
    Enumeration,
    Enumerator,
    Namespace,
}

/// A declaration of one name.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// Where the name stands; empty for a record or enumeration without one.
    pub(super) name: Span,
    pub(crate) kind: DefinitionKind,
    /// The type of a variable, field or function; the type that a type's name means.
    pub(crate) ty: Type,
    /// What its declaration says besides the type; a typedef's holds for what it declares, too.
    pub(crate) qualified: Qualified,
    pub(crate) storage: Storage,
    /// It is known what the declaration begins with.
    pub(super) base_known: bool,
    /// The value from which the type of an `auto` variable follows.
    pub(super) deduced_from: Option<NodeId>,
    /// The names inside of a record, enumeration or namespace.
    pub(super) members: Vec<DefinitionId>,
    /// The namespace that another name of one stands for.
    pub(super) stands_for: Option<DefinitionId>,
    /// Another function of the name, declared before in the same scope.
    pub(super) overloads: Option<DefinitionId>,
    /// What the name meant until it was declared here, in the same scope or in one around.
    pub(super) hides: Option<DefinitionId>,
    /// A function's parameters: their types, and how many of them have to be given.
    pub(super) parameters: Vec<Type>,
    pub(super) least_arguments: usize,
    /// It takes any number of arguments more.
    pub(super) variadic: bool,
}

impl Definition {
    pub(super) fn new(name: Span, kind: DefinitionKind, ty: Type) -> Self {
        Self {
            name,
            kind,
            ty,
            qualified: Qualified::default(),
            storage: Storage::default(),
            base_known: true,
            deduced_from: None,
            members: Vec::new(),
            stands_for: None,
            overloads: None,
            hides: None,
            parameters: Vec::new(),
            least_arguments: 0,
            variadic: false,
        }
    }

    pub(crate) fn is_type(&self) -> bool {
        matches!(
            self.kind,
            DefinitionKind::Typedef | DefinitionKind::Record | DefinitionKind::Enumeration
        )
    }
}
