use super::DefinitionId;
use crate::expr::Scalar;
use crate::module::VectorType;
use foldhash::{HashMap, HashMapExt};

/// A type, as a number that stands for it: equal types are equal numbers. What `const` and its like say of a variable is
/// the definition's; what they say of the memory behind a pointer is no part of it either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Type(u32);

/// What a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TypeKind {
    /// Nobody here can tell.
    Unknown,
    Void,
    Scalar(Scalar),
    Vector(VectorType),
    /// A structure, class or union.
    Record(DefinitionId),
    Enumeration(DefinitionId),
    Pointer(Type),
    Reference(Type),
    /// An array of whatever extent.
    Array(Type),
    /// A function with that result.
    Function(Type),
}

/// All types of a program, each once.
pub(super) struct Types {
    kinds: Vec<TypeKind>,
    known: HashMap<TypeKind, Type>,
}

impl Types {
    pub(super) const UNKNOWN: Type = Type(0);

    pub(super) fn new() -> Self {
        let mut this = Self {
            kinds: Vec::new(),
            known: HashMap::new(),
        };
        this.of(TypeKind::Unknown);
        this
    }

    /// The type of that kind.
    pub(super) fn of(&mut self, kind: TypeKind) -> Type {
        let next = Type(self.kinds.len() as u32);
        let ty = *self.known.entry(kind).or_insert(next);
        if ty == next {
            self.kinds.push(kind);
        }
        ty
    }

    pub(super) fn kind(&self, ty: Type) -> TypeKind {
        let kind = self.kinds.get(ty.0 as usize);
        kind.copied().unwrap_or(TypeKind::Unknown)
    }

    /// What an expression of a variable of that type is: references are what they refer to.
    pub(super) fn referred(&self, ty: Type) -> Type {
        match self.kind(ty) {
            TypeKind::Reference(to) => to,
            _ => ty,
        }
    }

    /// The type of a value that is passed or kept: an array is a pointer to its first element.
    pub(super) fn decayed(&mut self, ty: Type) -> Type {
        match self.kind(ty) {
            TypeKind::Reference(to) => self.decayed(to),
            TypeKind::Array(of) => self.of(TypeKind::Pointer(of)),
            _ => ty,
        }
    }

    /// What a pointer points to, or an array has.
    pub(super) fn element(&self, ty: Type) -> Type {
        match self.kind(ty) {
            TypeKind::Pointer(of) | TypeKind::Array(of) => of,
            _ => Self::UNKNOWN,
        }
    }
}
