use super::Checker;
use super::records;
use super::symbols::Role;
use super::types::{INT, Ty, literal};
use super::values::{Place, Value, array_operand};
use crate::diagnostics::{Code, codes};
use crate::module::{Base, Type};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};
use std::fmt::Display;

impl Checker<'_, '_> {
    pub(super) fn show(&self, ty: Ty) -> String {
        records::show(&self.records, ty)
    }

    /// What is wrong at every level, since it cannot be translated.
    pub(super) fn refuse(&mut self, code: &'static Code, span: Span, arguments: &[&dyn Display]) {
        let group = code.classic.map_or("", |c| c.group);
        self.refuse_in(group, code, span, arguments);
    }

    pub(super) fn refuse_in(
        &mut self,
        group: &str,
        code: &'static Code,
        span: Span,
        arguments: &[&dyn Display],
    ) {
        let mut diagnostic =
            crate::diagnostics::Diagnostic::at(code, self.context.provenance, span, arguments);
        diagnostic.severity = crate::diagnostics::Severity::Error;
        diagnostic.follows = self.following;
        if let Some(classic) = code.classic {
            diagnostic.classic = classic.tail(group, arguments);
        }
        self.context.sink.push(diagnostic);
    }

    /// Any expression. Where something is wrong the check goes on with what AMD's compiler took for its
    /// type, mostly `int`.
    pub(super) fn expression(&mut self, node: NodeId) -> Value {
        let value = self.worth(node);
        self.typed(node, value.ty);
        value
    }

    fn worth(&mut self, node: NodeId) -> Value {
        let tree = self.context.tree;
        let span = tree.span(node);
        match tree.kind(node) {
            Kind::ParenthesizedExpression => match tree.children(node).next() {
                Some(inner) => self.expression(inner),
                None => Value::of(INT),
            },
            Kind::NumberLiteral => Value::of(Ty::Number(self.number(self.word(node)))),
            Kind::CharLiteral => Value::of(Ty::Number(Type::scalar(Base::Char))),
            Kind::True | Kind::False => Value::of(Ty::Number(Type::scalar(Base::Bool))),
            Kind::StringLiteral | Kind::ConcatenatedString => {
                self.report(&codes::BROOK_STRING, span, &[]);
                Value::guess(Ty::Number(Type::scalar(Base::Char)))
            }
            Kind::Identifier => self.name(node),
            Kind::BinaryExpression => self.binary(node),
            Kind::CommaExpression => self.comma(node),
            Kind::UnaryExpression => self.unary(node),
            Kind::UpdateExpression => self.update(node),
            Kind::AssignmentExpression => self.assignment(node),
            Kind::ConditionalExpression => self.conditional(node),
            Kind::CastExpression => self.cast(node),
            Kind::CallExpression => self.call(node),
            Kind::SubscriptExpression => self.subscript(node),
            Kind::FieldExpression => self.field(node),
            Kind::PointerExpression => {
                if let Some(argument) = tree.child(node, Field::Argument) {
                    self.expression(argument);
                }
                let code = match self.operator_of(node) {
                    "&" => &codes::BROOK_ADDRESS,
                    _ => &codes::BROOK_DEREFERENCE,
                };
                self.report(code, span, &[]);
                Value::undefined()
            }
            Kind::SizeofExpression => {
                self.report(&codes::BROOK_SIZEOF, span, &[]);
                Value::undefined()
            }
            Kind::Error | Kind::Missing => Value::guess(INT),
            _ => {
                self.report(&codes::BROOK_EXPRESSION, span, &[]);
                Value::guess(INT)
            }
        }
    }

    /// The type of a number as it is written. BrookGPU knows `float` only.
    fn number(&self, text: &str) -> Type {
        let ty = literal(text);
        let suffix = text.ends_with(['u', 'U', 'l', 'L']);
        match self.checking.brookgpu && !suffix {
            true => Type::scalar(Base::Float),
            false => ty,
        }
    }

    fn name(&mut self, node: NodeId) -> Value {
        let Some(symbol) = self.symbol_of(node).cloned() else {
            self.undefined(node);
            return Value::undefined();
        };
        let undefined = symbol.role == Role::Refused;
        let array = symbol.role.is_array().then_some(symbol.role);
        Value {
            ty: symbol.ty,
            array,
            undefined,
            guessed: undefined,
        }
    }

    fn unary(&mut self, node: NodeId) -> Value {
        let Some(argument) = self.context.tree.child(node, Field::Argument) else {
            return Value::of(INT);
        };
        let value = self.expression(argument);
        let span = self.span(node);
        if value.array.is_some() {
            self.report(&codes::BROOK_ARRAY_UNARY, span, &[]);
        } else if value.ty.arithmetic().is_none() {
            self.report(&codes::BROOK_OPERAND_ARITHMETIC, span, &[]);
        } else if self.operator_of(node) == "~" && !value.ty.is_integer() {
            self.following(value.guessed, |this| {
                this.report(&codes::BROOK_OPERAND_INTEGER, span, &[]);
            });
        }
        Value::of(value.ty).guessed_if(value.guessed)
    }

    fn conditional(&mut self, node: NodeId) -> Value {
        let tree = self.context.tree;
        let part = |field| tree.child(node, field);
        let (Some(condition), Some(yes), Some(no)) = (
            part(Field::Condition),
            part(Field::Consequence),
            part(Field::Alternative),
        ) else {
            return Value::of(INT);
        };
        let (a, b) = (self.expression(yes), self.expression(no));
        let value = self.expression(condition);
        let picks = value.ty.arithmetic();
        let picks = picks.filter(|t| self.checking.brookgpu && t.is_vector());
        if picks.is_none() {
            self.scalar(Some((condition, value)));
        }
        let span = tree.span(node);
        let group = "Problem in Trinary expression";
        let (left, right) = (tree.span(yes), tree.span(no));
        if let Some(code) = array_operand(&a, &b) {
            self.report_in(group, code, span, &[]);
            return Value::of(a.ty);
        }
        let (Some(x), Some(y)) = (a.ty.arithmetic(), b.ty.arithmetic()) else {
            // Structs of one kind are as good as numbers here.
            if a.ty != b.ty || !matches!(a.ty, Ty::Record(_)) {
                if a.ty.arithmetic().is_none() {
                    self.report_in(group, &codes::BROOK_LEFT_ARITHMETIC, left, &[]);
                }
                if b.ty.arithmetic().is_none() {
                    self.report_in(group, &codes::BROOK_RIGHT_ARITHMETIC, right, &[]);
                }
            }
            return Value::of(a.ty);
        };
        let guessed = a.guessed || b.guessed;
        if let Some(by) = picks {
            // Component by component; scalars fill.
            let both = self.meet(x, y);
            let all = self.meet(
                Type {
                    base: both.base,
                    ..by
                },
                both,
            );
            self.converts(
                condition,
                Ty::Number(by),
                Type {
                    width: all.width,
                    ..by
                },
            );
            self.converts(yes, a.ty, all);
            self.converts(no, b.ty, all);
            return Value::of(Ty::Number(all)).guessed_if(guessed);
        }
        if x == y {
            return Value::of(a.ty).guessed_if(guessed);
        }
        let both = self.meet(x, y);
        self.following(guessed, |this| {
            if !this.checking.relaxed {
                this.report(&codes::BROOK_CONDITIONAL_TYPES, span, &[]);
                // There is no type that would be right.
                return Value::guess(a.ty);
            }
            this.convert(Place::Trinary, yes, a.ty, Ty::Number(both));
            this.convert(Place::Trinary, no, b.ty, Ty::Number(both));
            Value::of(Ty::Number(both)).guessed_if(guessed)
        })
    }

    fn cast(&mut self, node: NodeId) -> Value {
        let tree = self.context.tree;
        let (Some(descriptor), Some(operand)) = (
            tree.child(node, Field::Type),
            tree.child(node, Field::Value),
        ) else {
            return Value::of(INT);
        };
        self.cast_to(node, descriptor, operand)
    }

    /// `(TYPE) operand`, where `descriptor` holds the type.
    pub(super) fn cast_to(&mut self, node: NodeId, descriptor: NodeId, operand: NodeId) -> Value {
        let tree = self.context.tree;
        let value = self.expression(operand);
        let (span, words) = (tree.span(node), self.word(descriptor));
        if value.array.is_some() {
            self.report(&codes::BROOK_ARRAY_CAST, span, &[]);
        }
        let at = tree.span(descriptor);
        let number = match records::find(&self.records, words) {
            Some(Ty::Number(ty)) if ty.base != Base::Void => Some(ty),
            _ => None,
        };
        let Some(to) = number else {
            self.unknown_type(at, words);
            return Value::guess(INT);
        };
        if to.base == Base::Double && to.width > 2 {
            self.report(&codes::BROOK_DOUBLE_WIDTH, at, &[]);
        }
        match value.ty.arithmetic() {
            None => self.report(&codes::BROOK_OPERAND_ARITHMETIC, tree.span(operand), &[]),
            Some(from) if from.width != to.width => {
                let code = match self.checking.relaxed {
                    true => &codes::BROOK_CAST_WIDTH_RELAXED,
                    false => &codes::BROOK_CAST_WIDTH,
                };
                self.following(value.guessed, |this| this.report(code, span, &[]));
            }
            Some(_) => {}
        }
        Value {
            undefined: value.undefined,
            ..Value::of(Ty::Number(to))
        }
    }
}
