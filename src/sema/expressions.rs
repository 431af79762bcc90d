//! The types of expressions: what they are before anybody converts them, so an array is an array.

use super::types::{Type, TypeKind, Types};
use super::{DefinitionId, DefinitionKind, Sema};
use crate::expr::{self, Expr, Scalar};
use crate::syntax::{Field, Kind, NodeId};

impl Sema<'_> {
    /// The type of an expression.
    pub(crate) fn type_of(&self, node: NodeId) -> Type {
        if let Some(known) = self.typed.borrow().get(&node) {
            return *known;
        }
        // What is made of itself has no type.
        self.typed.borrow_mut().insert(node, Types::UNKNOWN);
        let ty = self.compute(node).unwrap_or(Types::UNKNOWN);
        self.typed.borrow_mut().insert(node, ty);
        ty
    }

    /// The type that a declaration begins with, or that a descriptor of a type names.
    pub(crate) fn described(&self, node: NodeId) -> Type {
        let known = self.names().described.get(&node);
        known.copied().unwrap_or(Types::UNKNOWN)
    }

    pub(super) fn of(&self, kind: TypeKind) -> Type {
        self.types.borrow_mut().of(kind)
    }

    fn number(&self, scalar: Scalar) -> Option<Type> {
        Some(self.of(TypeKind::Scalar(scalar)))
    }

    /// The type of a value that is passed on.
    pub(super) fn value_of(&self, node: NodeId) -> Type {
        let ty = self.type_of(node);
        self.types.borrow_mut().decayed(ty)
    }

    pub(super) fn element(&self, ty: Type) -> Option<Type> {
        let element = self.types.borrow().element(ty);
        (element != Types::UNKNOWN).then_some(element)
    }

    /// The type of what a name means, as an expression.
    pub(crate) fn type_of_definition(&self, id: DefinitionId) -> Type {
        let definition = self.defined(id);
        if definition.is_type() || definition.kind == DefinitionKind::Namespace {
            return Types::UNKNOWN;
        }
        match definition.deduced_from {
            Some(value) => self.value_of(value),
            None => self.types.borrow().referred(definition.ty),
        }
    }

    fn compute(&self, node: NodeId) -> Option<Type> {
        let tree = self.tree;
        let child = |field| tree.child(node, field);
        let typed = |field| Some(self.type_of(child(field)?));
        match tree.kind(node) {
            Kind::NumberLiteral | Kind::CharLiteral | Kind::True | Kind::False => {
                let words = tree.text(node, self.text);
                // The parser takes a sign into the number.
                match expr::parse(words.trim_start_matches(['-', '+'])).ok()? {
                    Expr::Literal(value) => self.number(value.scalar()),
                    _ => None,
                }
            }
            Kind::Identifier | Kind::QualifiedIdentifier => {
                Some(self.type_of_definition(self.definition(node)?))
            }
            Kind::This => {
                let record = self.of(TypeKind::Record(self.definition(node)?));
                Some(self.of(TypeKind::Pointer(record)))
            }
            Kind::ParenthesizedExpression | Kind::ConditionClause => {
                Some(self.type_of(tree.children(node).last()?))
            }
            Kind::CommaExpression => typed(Field::Right),
            Kind::FieldExpression => self.field(node),
            Kind::SubscriptExpression => self.element(self.value_of(child(Field::Argument)?)),
            Kind::PointerExpression => {
                let argument = child(Field::Argument)?;
                match tree.text(child(Field::Operator)?, self.text) {
                    "*" => self.element(self.value_of(argument)),
                    _ => Some(self.of(TypeKind::Pointer(self.type_of(argument)))),
                }
            }
            Kind::UnaryExpression => {
                let ty = self.type_of(child(Field::Argument)?);
                let not = tree.text(child(Field::Operator)?, self.text) == "!";
                match self.kind(ty) {
                    TypeKind::Scalar(_) | TypeKind::Pointer(_) if not => self.number(Scalar::Bool),
                    TypeKind::Scalar(scalar) => self.number(scalar.promoted()),
                    TypeKind::Vector(_) if !not => Some(ty),
                    _ => None,
                }
            }
            Kind::UpdateExpression => typed(Field::Argument),
            Kind::AssignmentExpression => typed(Field::Left),
            Kind::BinaryExpression => self.binary(node),
            Kind::ConditionalExpression => {
                let then = self.value_of(child(Field::Consequence)?);
                let other = self.value_of(child(Field::Alternative)?);
                match (self.kind(then), self.kind(other)) {
                    _ if then == other => Some(then),
                    (TypeKind::Scalar(a), TypeKind::Scalar(b)) => self.number(a.common(b)),
                    // `c ? p : 0`
                    (TypeKind::Pointer(_), TypeKind::Scalar(_)) => Some(then),
                    (TypeKind::Scalar(_), TypeKind::Pointer(_)) => Some(other),
                    _ => None,
                }
            }
            Kind::CastExpression | Kind::CompoundLiteral => {
                let ty = self.described(child(Field::Type)?);
                Some(self.types.borrow().referred(ty))
            }
            Kind::SizeofExpression => self.number(Scalar::ULong),
            Kind::CallExpression => self.call(node),
            _ => None,
        }
    }

    fn field(&self, node: NodeId) -> Option<Type> {
        let tree = self.tree;
        let name = tree.text(tree.child(node, Field::FieldName)?, self.text);
        let object = self.object(node)?;
        match self.kind(object) {
            TypeKind::Record(record) => {
                let member = self.names().member(record, name, self.text)?;
                Some(self.type_of_definition(member))
            }
            TypeKind::Vector(vector) => vector
                .component(name)
                .and_then(|_| self.number(vector.scalar)),
            _ => None,
        }
    }

    /// The field that `a.b` or `a->b` names; `None` where it is not known what `a` is, or what that has.
    pub(crate) fn field_named(&self, expression: NodeId) -> Option<DefinitionId> {
        let name = self.tree.child(expression, Field::FieldName)?;
        let TypeKind::Record(record) = self.kind(self.object(expression)?) else {
            return None;
        };
        self.names()
            .member(record, self.tree.text(name, self.text), self.text)
    }

    /// The type of what a field belongs to.
    pub(crate) fn object(&self, field: NodeId) -> Option<Type> {
        let of = self.value_of(self.tree.child(field, Field::Argument)?);
        Some(match self.kind(of) {
            TypeKind::Pointer(to) => to,
            _ => of,
        })
    }

    fn binary(&self, node: NodeId) -> Option<Type> {
        let tree = self.tree;
        let operator = tree.text(tree.child(node, Field::Operator)?, self.text);
        let typed = |field| Some(self.value_of(tree.child(node, field)?));
        let (left, right) = (typed(Field::Left)?, typed(Field::Right)?);
        let plain = |kind: TypeKind| matches!(kind, TypeKind::Scalar(_) | TypeKind::Pointer(_));
        let (a, b) = (self.kind(left), self.kind(right));
        match operator {
            "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">=" => {
                return (plain(a) && plain(b)).then(|| self.number(Scalar::Bool))?;
            }
            _ => {}
        }
        match (a, b) {
            (TypeKind::Pointer(_), TypeKind::Pointer(_)) => self.number(Scalar::Long),
            (TypeKind::Pointer(_), _) if matches!(operator, "+" | "-") => Some(left),
            (_, TypeKind::Pointer(_)) if operator == "+" => Some(right),
            (TypeKind::Vector(_), TypeKind::Vector(_)) if a == b => Some(left),
            (TypeKind::Vector(_), TypeKind::Scalar(_)) => Some(left),
            (TypeKind::Scalar(_), TypeKind::Vector(_)) => Some(right),
            (TypeKind::Scalar(a), TypeKind::Scalar(b)) => match operator {
                "<<" | ">>" => self.number(a.promoted()),
                _ => self.number(a.common(b)),
            },
            _ => None,
        }
    }
}
