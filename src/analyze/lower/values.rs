//! Values of expressions.

use super::{Lower, Lowered};
use crate::body::{
    BinaryOperator, ExpressionId, ExpressionKind, PlaceId, Type, TypeKind, Types, UnaryOperator,
};
use crate::expr::{self, Expr, Scalar, Value};
use crate::sema::DefinitionKind;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

impl Lower<'_, '_> {
    /// The part of a node in that role.
    pub(super) fn part(&self, node: NodeId, field: Field) -> Lowered<NodeId> {
        match self.unit.tree.child(node, field) {
            Some(child) => Ok(child),
            None => self.unnamed(node, "an expression of this form"),
        }
    }

    /// An expression's value, of its own type: arrays are pointers to their first elements.
    pub(super) fn value(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let tree = self.unit.tree;
        let span = self.span(node);
        match tree.kind(node) {
            Kind::NumberLiteral | Kind::CharLiteral | Kind::True | Kind::False => self.number(node),
            Kind::Null => {
                let void = self.unit.program.types.pointer(Types::VOID);
                Ok(self.push(ExpressionKind::Null, void, span))
            }
            Kind::ParenthesizedExpression | Kind::ConditionClause => {
                let mut children = tree.children(node);
                match (children.next(), children.next()) {
                    (Some(only), None) if tree.kind(only) != Kind::Declaration => self.value(only),
                    _ => self.opaque(node, "a declaration in a condition"),
                }
            }
            Kind::Identifier | Kind::QualifiedIdentifier => {
                let constant = self.unit.sema.definition(node).and_then(|id| {
                    let defined = self.unit.sema.defined(id);
                    let enumerator = defined.kind == DefinitionKind::Enumerator;
                    let number = self.unit.bound_number(id);
                    (enumerator || number.is_some())
                        .then(|| self.unit.constant_of(id, usize::MAX))?
                });
                match constant {
                    Some(value) => Ok(self.literal(value, span)),
                    None if self.unit.sema.definition(node).is_none() => self.library_name(node),
                    None => self.load(node),
                }
            }
            Kind::This => match self.this {
                Some(this) => {
                    let place = self.whole(this, span);
                    self.read(place)
                }
                None => self.opaque(node, "'this'"),
            },
            Kind::SubscriptExpression | Kind::FieldExpression => self.load(node),
            Kind::PointerExpression => {
                let operator = self.part(node, Field::Operator)?;
                match self.text(operator) {
                    "&" => {
                        let place = self.place(self.part(node, Field::Argument)?)?;
                        Ok(self.address_of(place, span))
                    }
                    _ => self.load(node),
                }
            }
            Kind::UnaryExpression => self.unary(node),
            Kind::UpdateExpression => self.update(node),
            Kind::AssignmentExpression => self.assignment(node),
            Kind::BinaryExpression => self.binary(node),
            Kind::ConditionalExpression => self.conditional(node),
            Kind::CommaExpression => {
                let a = self.value(self.part(node, Field::Left)?)?;
                let b = self.value(self.part(node, Field::Right)?)?;
                let ty = self.ty(b);
                Ok(self.push(ExpressionKind::Comma(a, b), ty, span))
            }
            Kind::CastExpression => {
                let ty = self.described(self.part(node, Field::Type)?)?;
                let value = self.value(self.part(node, Field::Value)?)?;
                self.convert(value, ty)
            }
            Kind::SizeofExpression => {
                let ty = match tree.child(node, Field::Type) {
                    Some(ty) => self.described(ty)?,
                    None => self.type_of_operand(node)?,
                };
                let size = self.unit.program.types.size(ty);
                let size = i64::try_from(size).unwrap_or(i64::MAX);
                Ok(self.literal(Value::Int(Scalar::ULong, size), span))
            }
            Kind::CallExpression => self.call(node),
            Kind::CompoundLiteral => {
                let ty = self.described(self.part(node, Field::Type)?)?;
                let list = self.part(node, Field::Value)?;
                self.list_value(list, ty)
            }
            Kind::LambdaExpression => self.lambda(node),
            Kind::StringLiteral | Kind::RawStringLiteral | Kind::ConcatenatedString => {
                self.load(node)
            }
            Kind::NewExpression | Kind::DeleteExpression => self.opaque(node, "memory of the heap"),
            Kind::InitializerList => self.opaque(node, "a list without a type"),
            _ => self.unnamed(node, "an expression of this form"),
        }
    }

    /// What `sizeof` is asked of; nothing of it is computed.
    fn type_of_operand(&mut self, node: NodeId) -> Lowered<Type> {
        let tree = self.unit.tree;
        let operand = self.part(node, Field::Value)?;
        let operand = tree.unparenthesized(operand);
        // A type's name in brackets reads as an expression.
        if let Some(id) = self.unit.sema.definition(operand)
            && self.unit.sema.defined(id).is_type()
        {
            return self.described(operand);
        }
        if tree.kind(operand) == Kind::Identifier
            && self.unit.sema.definition(operand).is_none()
            && let Some(ty) = self.type_of_name(self.text(operand))
        {
            return Ok(ty);
        }
        let (expressions, places) = (self.body.expressions.len(), self.body.places.len());
        let found = match self.place(operand) {
            Ok(place) => Ok(self.body.place(place).ty),
            Err(_) => self.value(operand).map(|v| self.ty(v)),
        };
        self.body.expressions.truncate(expressions);
        self.body.places.truncate(places);
        found
    }

    /// The type that a descriptor names.
    pub(super) fn described(&mut self, node: NodeId) -> Lowered<Type> {
        match self.unit.descriptor(node) {
            Some(ty) => Ok(ty),
            None => self.unnamed(node, "this type"),
        }
    }

    fn number(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let (tree, words, span) = (self.unit.tree, self.text(node), self.span(node));
        let digits = |c: char| c.is_ascii_alphanumeric() || c == '.';
        let found = match tree.kind(node) {
            Kind::NumberLiteral if words.chars().all(digits) => expr::number(words).ok(),
            // The parser takes a sign into the number.
            _ => { expr::parse(words).ok() }.and_then(|e| match e {
                Expr::Literal(value) => Some(value),
                e => expr::evaluate(&e, &|_| None).ok(),
            }),
        };
        match found {
            Some(value) => Ok(self.literal(value, span)),
            None => self.unnamed(node, "a number of this form"),
        }
    }

    /// What is read from a place that an expression names.
    fn load(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        if let Some(value) = self.part_of_value(node)? {
            return Ok(value);
        }
        let place = self.place(node)?;
        Ok(self.read_place(place))
    }

    /// What is read from a place; of an array its address.
    pub(super) fn read_place(&mut self, place: PlaceId) -> ExpressionId {
        let (ty, span) = (self.body.place(place).ty, self.body.place(place).span);
        match self.kind(ty) {
            TypeKind::Array(..) => self.address_of(place, span),
            _ => self.push(ExpressionKind::Load(place), ty, span),
        }
    }

    pub(super) fn read(&mut self, place: crate::body::Place) -> Lowered<ExpressionId> {
        let place = self.push_place(place);
        Ok(self.read_place(place))
    }

    /// The address of a place; that of an array is that of its first element.
    pub(super) fn address_of(&mut self, place: PlaceId, span: Span) -> ExpressionId {
        let ty = self.body.place(place).ty;
        let to = match self.kind(ty) {
            TypeKind::Array(of, _) => of,
            _ => ty,
        };
        let ty = self.unit.program.types.pointer(to);
        self.push(ExpressionKind::AddressOf(place), ty, span)
    }

    /// A field or a component of what is no memory: `f(x).y`.
    fn part_of_value(&mut self, node: NodeId) -> Lowered<Option<ExpressionId>> {
        let tree = self.unit.tree;
        if tree.kind(node) != Kind::FieldExpression {
            return Ok(None);
        }
        let object = self.part(node, Field::Argument)?;
        let inner = tree.unparenthesized(object);
        let value = matches!(
            tree.kind(inner),
            Kind::CallExpression
                | Kind::BinaryExpression
                | Kind::CompoundLiteral
                | Kind::CastExpression
                | Kind::UnaryExpression
        );
        if !value || self.dimensions_of(inner).is_some() || self.returns_reference(inner) {
            return Ok(None);
        }
        let object = self.value(object)?;
        let name = self.text(self.part(node, Field::FieldName)?);
        let span = self.span(node);
        match self.kind(self.ty(object)) {
            TypeKind::Vector(vector) => match vector.component(name) {
                Some(index) => {
                    let ty = self.scalar_type(vector.scalar);
                    let kind = ExpressionKind::Component(object, index as u32);
                    Ok(Some(self.push(kind, ty, span)))
                }
                None => self.unnamed(node, "several components of a vector"),
            },
            TypeKind::Record(record) => {
                let fields = &self.unit.program.types.record(record).fields;
                let found = fields.iter().position(|f| f.name == name);
                match found.map(|index| (index, fields[index].ty)) {
                    Some((_, ty)) if matches!(self.kind(ty), TypeKind::Array(..)) => {
                        self.unnamed(node, "an array in a value")
                    }
                    Some((index, ty)) => {
                        let kind = ExpressionKind::FieldOf(object, index as u32);
                        Ok(Some(self.push(kind, ty, span)))
                    }
                    None => self.unnamed(node, "a member of this kind"),
                }
            }
            // `f(x)->y`
            _ => Ok(None),
        }
    }

    fn unary(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let operator = self.text(self.part(node, Field::Operator)?);
        let argument = self.part(node, Field::Argument)?;
        let value = self.value(argument)?;
        self.signed(operator, value, node)
    }

    /// `OP value`.
    pub(super) fn signed(
        &mut self,
        operator: &str,
        value: ExpressionId,
        node: NodeId,
    ) -> Lowered<ExpressionId> {
        let span = self.span(node);
        if operator == "!" || operator == "not" {
            let value = self.truth(value)?;
            let ty = self.ty(value);
            let kind = ExpressionKind::Unary(UnaryOperator::Not, value);
            return Ok(self.push(kind, ty, span));
        }
        let value = match self.kind(self.ty(value)) {
            TypeKind::Scalar(scalar) => self.as_scalar(value, scalar.promoted())?,
            TypeKind::Vector(_) => value,
            _ => return self.unnamed(node, "an operator of this type"),
        };
        let ty = self.ty(value);
        let operator = match operator {
            "+" => return Ok(value),
            "-" => UnaryOperator::Negate,
            "~" | "compl" => UnaryOperator::Complement,
            _ => return self.unnamed(node, "this operator"),
        };
        Ok(self.push(ExpressionKind::Unary(operator, value), ty, span))
    }

    fn conditional(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let condition = self.value(self.part(node, Field::Condition)?)?;
        let condition = self.truth(condition)?;
        let a = self.value(self.part(node, Field::Consequence)?)?;
        let b = self.value(self.part(node, Field::Alternative)?)?;
        let (a, b) = match self.ty(a) == self.ty(b) {
            true => (a, b),
            false => self.common(a, b, span)?,
        };
        let ty = self.ty(a);
        Ok(self.push(ExpressionKind::Conditional(condition, a, b), ty, span))
    }
}

impl Lower<'_, '_> {
    pub(super) fn binary(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let words = self.text(self.part(node, Field::Operator)?);
        let left = self.part(node, Field::Left)?;
        let right = self.part(node, Field::Right)?;
        let a = self.value(left)?;
        let b = self.value(right)?;
        match words {
            "&&" | "and" | "||" | "or" => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                let kind = match words {
                    "&&" | "and" => ExpressionKind::And(a, b),
                    _ => ExpressionKind::Or(a, b),
                };
                let ty = self.ty(a);
                return Ok(self.push(kind, ty, span));
            }
            _ => {}
        }
        let words = match words {
            "bitand" => "&",
            "bitor" => "|",
            "xor" => "^",
            "not_eq" => "!=",
            other => other,
        };
        match BinaryOperator::from_text(words) {
            Some(operator) => self.operate(operator, a, b, span),
            None => self.unnamed(node, "this operator"),
        }
    }
}
