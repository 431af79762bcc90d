//! What lists in braces initialise: `{.x = 1}`.

use super::types::{Type, TypeKind};
use super::{DefinitionId, DefinitionKind, Sema};
use crate::syntax::{Field, Kind, NodeId, is_name};

impl Sema<'_> {
    /// The field that a name behind the dot of a designator is.
    pub(super) fn designated(&self, name: NodeId) -> Option<DefinitionId> {
        let tree = self.tree;
        let designator = tree.parent(name)?;
        let pair = tree.parent(designator)?;
        if tree.kind(name) != Kind::FieldIdentifier
            || tree.field(designator) != Field::Designator
            || tree.kind(pair) != Kind::InitializerPair
        {
            return None;
        }
        let mut ty = self.initialized_by(tree.parent(pair)?)?;
        for one in tree.children(pair) {
            if one == designator {
                return self.field_of(ty, one);
            }
            ty = self.behind(ty, one)?;
        }
        None
    }

    /// The field of a type that a designator names.
    fn field_of(&self, ty: Type, designator: NodeId) -> Option<DefinitionId> {
        let tree = self.tree;
        let mut names = tree.children(designator);
        let name = names.find(|&c| tree.kind(c) == Kind::FieldIdentifier)?;
        let TypeKind::Record(record) = self.kind(ty) else {
            return None;
        };
        let words = tree.text(name, self.text);
        self.names().member(record, words, self.text)
    }

    /// The type of what a designator leads to in a type: a field or an element.
    fn behind(&self, ty: Type, designator: NodeId) -> Option<Type> {
        match self.kind(ty) {
            TypeKind::Array(of) => Some(of),
            _ => Some(self.defined(self.field_of(ty, designator)?).ty),
        }
    }

    /// The type of what a list in braces initialises; `None` where that is not known.
    fn initialized_by(&self, list: NodeId) -> Option<Type> {
        let tree = self.tree;
        if tree.kind(list) != Kind::InitializerList {
            return None;
        }
        let around = tree.parent(list)?;
        match tree.kind(around) {
            Kind::InitializerList => self.element_of(self.initialized_by(around)?, around, list),
            Kind::InitializerPair => {
                let mut ty = self.initialized_by(tree.parent(around)?)?;
                for one in tree.children(around) {
                    if tree.field(one) == Field::Designator {
                        ty = self.behind(ty, one)?;
                    }
                }
                Some(ty)
            }
            Kind::CompoundLiteral => {
                let ty = self.described(tree.child(around, Field::Type)?);
                Some(ty)
            }
            Kind::InitDeclarator | Kind::FieldDeclaration | Kind::ParameterDeclaration => {
                self.type_declared_by(tree.child(around, Field::Declarator)?)
            }
            Kind::AssignmentExpression => Some(self.type_of(tree.child(around, Field::Left)?)),
            Kind::ReturnStatement => self.returned(around),
            Kind::ArgumentList => {
                let function = self.callee(tree.parent(around)?)?;
                let position = tree.children(around).position(|c| c == list)?;
                let ty = self.defined(function).parameters.get(position).copied()?;
                Some(self.types.borrow().referred(ty))
            }
            _ => None,
        }
    }

    /// The type of the name that a declarator declares.
    fn type_declared_by(&self, declarator: NodeId) -> Option<Type> {
        let tree = self.tree;
        let mut names = tree
            .descendants(declarator)
            .filter(|&n| is_name(tree.kind(n)) || tree.kind(n) == Kind::QualifiedIdentifier);
        let declared = self.defined(self.definition(names.next()?)?);
        let own = matches!(
            declared.kind,
            DefinitionKind::Variable | DefinitionKind::Field
        );
        own.then(|| self.types.borrow().referred(declared.ty))
    }

    /// The type of what the function around a statement returns.
    fn returned(&self, statement: NodeId) -> Option<Type> {
        let tree = self.tree;
        let mut around = std::iter::successors(tree.parent(statement), |n| tree.parent(*n));
        let function = around.find(|&n| {
            matches!(
                tree.kind(n),
                Kind::FunctionDefinition | Kind::LambdaExpression
            )
        })?;
        let declarator = tree.child(function, Field::Declarator)?;
        let mut names = tree
            .descendants(declarator)
            .filter(|&n| is_name(tree.kind(n)) || tree.kind(n) == Kind::QualifiedIdentifier);
        let named = self.defined(self.definition(names.next()?)?);
        match self.kind(named.ty) {
            // Of another function of the name, it may be another type.
            TypeKind::Function(of) if named.overloads.is_none() => Some(of),
            _ => None,
        }
    }

    /// The type of an inner list that stands in one without saying what it is for: that of an array's element, or of the
    /// field whose turn it is, where it can be told which one that is.
    fn element_of(&self, ty: Type, list: NodeId, inner: NodeId) -> Option<Type> {
        let tree = self.tree;
        let record = match self.kind(ty) {
            TypeKind::Array(of) => return Some(of),
            TypeKind::Record(record) => record,
            _ => return None,
        };
        // What a base has comes first, in a list of its own.
        let specifier = self.uses(record).first().and_then(|n| tree.parent(*n));
        if specifier.is_none_or(|s| tree.child_of_kind(s, Kind::BaseClause).is_some()) {
            return None;
        }
        let mut fields = self.fields(record);
        for before in tree.children(list).take_while(|&c| c != inner) {
            let field = fields.next()?;
            let whole = match self.kind(field.ty) {
                TypeKind::Record(_) | TypeKind::Array(_) | TypeKind::Unknown => {
                    // Without braces, it may take several values.
                    tree.kind(before) == Kind::InitializerList
                }
                _ => true,
            };
            if !whole || tree.kind(before) == Kind::InitializerPair {
                return None;
            }
        }
        Some(fields.next()?.ty)
    }
}
