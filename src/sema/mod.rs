//! What names and expressions of C and C++ mean.
//!
//! Whoever decides something about a program asks here, and not the text: which declaration a name is a use of, of what
//! type an expression is. C++ that only a compiler of C++ could tell (what depends on a template's parameters, what a
//! header declares that is not there) is [`TypeKind::Unknown`], and whoever meets that leaves alone what it stands in.
//!
//! - `types.rs`: types, each held once.
//! - `definitions.rs`: what names are declared as; `qualifiers.rs`: `const` and its like, and where variables are put.
//! - `declared_types.rs`: the types that declarations give to names.
//! - `scopes/`, `meanings.rs`: from each use of a name to its declaration.
//! - `expressions.rs`: the types of expressions; `calls.rs`: of calls; `designators.rs`: of lists in braces.
//! - `library.rs`: functions that no program declares.
//! - `lasting.rs`: who may know where a function's static variables are.
//!
//! Names are looked up when somebody first asks, in one pass over the tree; expressions are typed when they are asked for,
//! once each.

mod calls;
#[cfg(test)]
mod compiler_tests;
mod declared_types;
mod definitions;
mod designators;
mod expressions;
mod lasting;
mod library;
mod meanings;
mod qualifiers;
mod scopes;
#[cfg(test)]
mod tests;
mod types;

pub(crate) use definitions::{Definition, DefinitionId, DefinitionKind};
pub(crate) use library::{REAL_FUNCTIONS, computed_in, result as library_result};
pub(crate) use qualifiers::{Place, Qualified, is_restrict};
pub(crate) use types::{Type, TypeKind};

use crate::expr::Scalar;
use crate::module::VectorType;
use crate::source::Span;
use crate::syntax::{Kind, NodeId, Tree};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use scopes::Names;
use std::cell::{OnceCell, RefCell};
use types::Types;

/// The meaning of one tree.
pub(crate) struct Sema<'t> {
    tree: &'t Tree,
    text: &'t str,
    types: RefCell<Types>,
    /// What is declared there, another compiler may see otherwise or not at all.
    uncertain: Vec<Span>,
    names: OnceCell<Names>,
    uses: OnceCell<Vec<Vec<NodeId>>>,
    /// Types of expressions that somebody has asked for, by node.
    typed: RefCell<HashMap<NodeId, Type>>,
}

impl<'t> Sema<'t> {
    /// Nothing is read yet. Types that are declared in conditionals which are left to the vendor's compiler are not known:
    /// `uncertain`.
    pub(crate) fn new(tree: &'t Tree, text: &'t str, uncertain: Vec<Span>) -> Self {
        Self {
            uncertain,
            tree,
            text,
            types: RefCell::new(Types::new()),
            names: OnceCell::new(),
            uses: OnceCell::new(),
            typed: RefCell::new(HashMap::new()),
        }
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let types = &mut self.types.borrow_mut();
            scopes::resolve((self.tree, self.text), &self.uncertain, types)
        })
    }

    /// What the name at a node is a use or the declaration of.
    pub(crate) fn definition(&self, name: NodeId) -> Option<DefinitionId> {
        self.names().of(name)
    }

    /// What a name means that stands by itself, in a path, in front of `::`, behind `.`, or where a list says what it
    /// initialises: the smallest piece of the text that means something.
    pub(crate) fn meaning(&self, name: NodeId) -> Option<DefinitionId> {
        let whole = self.definition(name);
        let part = whole.or_else(|| self.names().part(name));
        part.or_else(|| self.designated(name))
    }

    /// All nodes that are names of a definition, its own included, in order; of a path it is the whole path.
    pub(crate) fn uses(&self, id: DefinitionId) -> &[NodeId] {
        let all = self.uses.get_or_init(|| self.names().all_uses());
        all.get(id.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// How many arguments a function takes, at least and at most; `None` for what is no function that is known.
    pub(crate) fn takes(&self, id: DefinitionId) -> Option<(usize, Option<usize>)> {
        let function = self.defined(id);
        let known = function.kind == DefinitionKind::Function;
        let most = (!function.variadic).then_some(function.parameters.len());
        known.then_some((function.least_arguments, most))
    }

    /// All definitions, in the order of the text.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = DefinitionId> {
        let count = self.names().definitions().count();
        (0..count as u32).map(DefinitionId)
    }

    /// The names that mean several types, each somewhere else.
    pub(crate) fn names_of_several_types(&self) -> HashSet<&'t str> {
        let mut first: HashMap<&str, Type> = HashMap::new();
        let mut several = HashSet::new();
        let types = self.names().definitions();
        for definition in types.filter(|d| d.is_type() && !d.name.is_empty()) {
            let name = definition.name.of(self.text);
            let before = first.insert(name, definition.ty);
            // What is not known may be the same or not.
            if before.is_some_and(|ty| ty != definition.ty || ty == Types::UNKNOWN) {
                several.insert(name);
            }
        }
        several
    }

    /// What is known of a definition.
    pub(crate) fn defined(&self, id: DefinitionId) -> &Definition {
        self.names().definition(id)
    }

    /// Where a definition's name stands.
    pub(crate) fn declared_at(&self, id: DefinitionId) -> Span {
        self.defined(id).name
    }

    /// What is said of a variable and of what it points to; `None` where that depends on what is not known.
    pub(crate) fn qualified(&self, id: DefinitionId) -> Option<Qualified> {
        let definition = self.defined(id);
        let known = definition.deduced_from.is_none() && definition.base_known;
        known.then_some(definition.qualified)
    }

    /// A definition's name; that of a structure without one is a typedef's, if it has one.
    pub(crate) fn name(&self, id: DefinitionId) -> &'t str {
        self.defined(id).name.of(self.text)
    }

    /// Where a definition's name stands; empty for what has none.
    pub(crate) fn name_span(&self, id: DefinitionId) -> Span {
        self.defined(id).name
    }

    /// Another function of the name of one, declared before it in the same scope.
    pub(crate) fn overload_before(&self, id: DefinitionId) -> Option<DefinitionId> {
        self.defined(id).overloads
    }

    /// What a definition's name meant until it was declared, in the same scope or in one around.
    pub(crate) fn hidden_by(&self, id: DefinitionId) -> Option<DefinitionId> {
        self.defined(id).hides
    }

    /// The smallest piece of the tree in which a definition is known: a block, a statement with a head, a function, or all of it.
    pub(crate) fn scope_of(&self, id: DefinitionId) -> Option<NodeId> {
        let declared = self.uses(id).first().copied()?;
        let mut around =
            std::iter::successors(self.tree.parent(declared), |n| self.tree.parent(*n));
        around.find(|n| scopes::is_scope(self.tree.kind(*n)) || self.tree.parent(*n).is_none())
    }

    /// What a function's parameters are.
    pub(crate) fn parameters(&self, id: DefinitionId) -> Vec<TypeKind> {
        let all = self.defined(id).parameters.iter();
        all.map(|ty| self.kind(*ty)).collect()
    }

    /// Whether a definition is one of a function's own.
    pub(crate) fn is_local(&self, id: DefinitionId) -> bool {
        let first = self.uses(id).first().copied();
        let mut around = std::iter::successors(first, |n| self.tree.parent(*n));
        around.any(|n| {
            let kind = self.tree.kind(n);
            matches!(kind, Kind::FunctionDefinition | Kind::LambdaExpression)
        })
    }

    /// What a type is.
    pub(crate) fn kind(&self, ty: Type) -> TypeKind {
        self.types.borrow().kind(ty)
    }

    /// The scalar that an expression is; `None` where it is none, or where that is not known.
    pub(crate) fn scalar(&self, node: NodeId) -> Option<Scalar> {
        match self.kind(self.type_of(node)) {
            TypeKind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The scalar that a declaration begins with.
    pub(crate) fn described_scalar(&self, declaration: NodeId) -> Option<Scalar> {
        match self.kind(self.described(declaration)) {
            TypeKind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The vector that an expression is.
    pub(crate) fn vector(&self, node: NodeId) -> Option<VectorType> {
        match self.kind(self.type_of(node)) {
            TypeKind::Vector(vector) => Some(vector),
            _ => None,
        }
    }

    /// Whether an expression is a pointer or an array; `None` where that is not known.
    pub(crate) fn is_pointer(&self, node: NodeId) -> Option<bool> {
        match self.kind(self.type_of(node)) {
            TypeKind::Unknown => None,
            TypeKind::Pointer(_) | TypeKind::Array(_) => Some(true),
            _ => Some(false),
        }
    }

    /// The fields of a structure, and of those in it, that are pointers to what may be changed.
    pub(crate) fn pointers_in(&self, ty: Type) -> Vec<DefinitionId> {
        let mut found = Vec::new();
        let mut left = vec![ty];
        // No compiler takes one that holds itself, but nobody has asked it yet.
        let mut seen = HashSet::new();
        while let Some(ty) = left.pop() {
            let TypeKind::Record(record) = self.kind(ty) else {
                continue;
            };
            if !seen.insert(ty) {
                continue;
            }
            for &member in &self.defined(record).members {
                let field = self.defined(member);
                match self.kind(field.ty) {
                    TypeKind::Pointer(_) if !field.qualified.pointed.constant => {
                        found.push(member);
                    }
                    TypeKind::Record(_) => left.push(field.ty),
                    _ => {}
                }
            }
        }
        found
    }

    /// What a structure or namespace declares.
    pub(crate) fn members(&self, record: DefinitionId) -> impl Iterator<Item = DefinitionId> {
        let named = self.defined(record);
        let of = named.stands_for.map_or(named, |of| self.defined(of));
        of.members.iter().copied()
    }

    /// What lies in a structure, in order.
    pub(crate) fn fields_of(&self, record: DefinitionId) -> Vec<DefinitionId> {
        let lies = |id: &DefinitionId| {
            let member = self.defined(*id);
            member.kind == DefinitionKind::Field && !member.storage.lasting
        };
        let members = self.defined(record).members.iter().copied();
        members.filter(lies).collect()
    }

    /// The same, as what is known of each.
    pub(crate) fn fields(&self, record: DefinitionId) -> impl Iterator<Item = &Definition> {
        let all = self.fields_of(record).into_iter();
        all.map(|id| self.defined(id))
    }

    /// Whether a type, its elements, its fields, or what is in those are so.
    pub(crate) fn any_part(&self, ty: Type, is: impl Fn(TypeKind) -> bool) -> bool {
        let (mut left, mut seen) = (vec![ty], HashSet::new());
        while let Some(ty) = left.pop() {
            match self.kind(ty) {
                kind if is(kind) => return true,
                TypeKind::Array(of) => left.push(of),
                // No compiler takes one that holds itself, but nobody has asked it yet.
                TypeKind::Record(record) if seen.insert(record) => {
                    left.extend(self.fields(record).map(|f| f.ty));
                }
                _ => {}
            }
        }
        false
    }

    /// Whether a structure has neither constants nor references among its fields, and those of what is in it.
    pub(crate) fn is_assignable(&self, ty: Type) -> bool {
        let mut left = vec![ty];
        let mut seen = HashSet::new();
        while let Some(ty) = left.pop() {
            match self.kind(ty) {
                TypeKind::Array(of) => left.push(of),
                TypeKind::Record(record) if seen.insert(ty) => {
                    for field in self.fields(record) {
                        let reference = matches!(self.kind(field.ty), TypeKind::Reference(_));
                        if field.qualified.own.constant || reference {
                            return false;
                        }
                        left.push(field.ty);
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// The structure, class or union that an expression is as a whole.
    pub(crate) fn record(&self, node: NodeId) -> Option<DefinitionId> {
        match self.kind(self.type_of(node)) {
            TypeKind::Record(record) => Some(record),
            _ => None,
        }
    }
}
