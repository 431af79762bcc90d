use super::body::{Body, Meaning, ReduceUse};
use crate::diagnostics::codes;
use crate::module::{Base, Conversion, ParameterKind, Type, What};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

impl Body<'_, '_> {
    pub(super) fn word(&self, node: NodeId) -> &str {
        self.context.tree.text(node, self.context.text)
    }

    pub(super) fn span(&self, node: NodeId) -> Span {
        self.context.tree.span(node)
    }

    pub(super) fn part(&self, node: NodeId, field: Field) -> Option<NodeId> {
        self.context.tree.child(node, field)
    }

    /// The operator of an expression, as one of the language's own.
    pub(super) fn operator(&self, node: NodeId) -> &'static str {
        const ALL: &[&str] = &[
            "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^",
            "&&", "||", "!", "~", "++", "--", "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=",
            "&=", "|=", "^=",
        ];
        let text = self
            .part(node, Field::Operator)
            .map_or("", |o| self.word(o));
        ALL.iter().find(|o| **o == text).copied().unwrap_or("")
    }

    /// The type of an expression; `None` if it has none, which has been reported.
    pub(super) fn expression(&mut self, node: NodeId) -> Option<Type> {
        let tree = self.context.tree;
        match tree.kind(node) {
            Kind::ParenthesizedExpression => {
                let inner = tree.children(node).next()?;
                self.expression(inner)
            }
            Kind::NumberLiteral => Some(literal(self.word(node))),
            Kind::CharLiteral => Some(Type::scalar(Base::Char)),
            Kind::True | Kind::False => Some(Type::scalar(Base::Bool)),
            Kind::StringLiteral | Kind::ConcatenatedString => {
                self.context
                    .error(&codes::BROOK_STRING, tree.span(node), &[]);
                None
            }
            Kind::Identifier => self.name(node),
            Kind::BinaryExpression => self.binary(node),
            Kind::UnaryExpression => self.unary(node),
            Kind::UpdateExpression => self.update(node),
            Kind::AssignmentExpression => self.assignment(node),
            Kind::ConditionalExpression => self.conditional(node),
            Kind::CastExpression => self.cast(node),
            Kind::CallExpression => self.call(node),
            Kind::SubscriptExpression => self.gather(node),
            Kind::FieldExpression => self.swizzle(node),
            Kind::PointerExpression => {
                let code = match self.operator(node) {
                    "&" => &codes::BROOK_ADDRESS,
                    _ => &codes::BROOK_DEREFERENCE,
                };
                self.context.error(code, tree.span(node), &[]);
                None
            }
            Kind::SizeofExpression => {
                self.context
                    .error(&codes::BROOK_SIZEOF, tree.span(node), &[]);
                None
            }
            Kind::CommaExpression => {
                let mut last = None;
                for part in tree.children(node) {
                    last = self.expression(part);
                }
                last
            }
            Kind::Error | Kind::Missing => None,
            _ => {
                self.context
                    .error(&codes::BROOK_EXPRESSION, tree.span(node), &[]);
                None
            }
        }
    }

    fn name(&mut self, node: NodeId) -> Option<Type> {
        let name = self.word(node).to_string();
        let span = self.span(node);
        let meaning = self.lookup(&name).cloned();
        self.unit.push(span, What::Name);
        let parameter = match meaning {
            Some(Meaning::Local(ty, _)) => return Some(ty),
            Some(Meaning::Parameter(parameter)) => parameter,
            None => {
                self.context.error(&codes::BROOK_UNDEFINED, span, &[&name]);
                return None;
            }
        };
        match parameter.kind {
            ParameterKind::Gather(_) | ParameterKind::Scatter(_) => {
                self.context
                    .error(&codes::BROOK_ARRAY_VALUE, span, &[&name]);
                return None;
            }
            ParameterKind::StreamOut { .. } | ParameterKind::Out => {
                self.unit.push(span, What::OutputName);
            }
            ParameterKind::Reduce => {
                self.unit.push(span, What::OutputName);
                self.reduce = ReduceUse::Otherwise;
            }
            _ => {}
        }
        Some(parameter.ty)
    }

    fn binary(&mut self, node: NodeId) -> Option<Type> {
        let (left, right) = (
            self.part(node, Field::Left)?,
            self.part(node, Field::Right)?,
        );
        let operator = self.operator(node);
        let (a, b) = (self.expression(left), self.expression(right));
        let (a, b) = (a?, b?);
        self.combine(node, operator, (left, a), (right, b), false)
    }

    /// The type of `left OP right`, and the construct it needs.
    fn combine(
        &mut self,
        node: NodeId,
        operator: &'static str,
        (left, a): (NodeId, Type),
        (right, b): (NodeId, Type),
        assigns: bool,
    ) -> Option<Type> {
        let span = self.span(node);
        let integers_only = matches!(operator, "%" | "&" | "|" | "^" | "<<" | ">>" | "&&" | "||");
        if integers_only {
            for (operand, ty, code) in [
                (left, a, &codes::BROOK_LEFT_INTEGER),
                (right, b, &codes::BROOK_RIGHT_INTEGER),
            ] {
                // The results of comparisons have the operands' type, so `&&` takes floats too.
                if !ty.base.is_integer() && !matches!(operator, "&&" | "||") {
                    let at = self.span(operand);
                    self.context.error(code, at, &[]);
                    return None;
                }
            }
        }
        if a != b {
            self.context.error(&codes::BROOK_OPERANDS, span, &[&a, &b]);
            return None;
        }
        let relational = matches!(
            operator,
            "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||"
        );
        let divides = matches!(operator, "/" | "%") && a.base.is_integer();
        let shifts = matches!(operator, "<<" | ">>");
        let wraps = a.base.is_small() && !relational;
        if divides || shifts || wraps || (relational && a.is_vector()) {
            self.unit.push(
                span,
                What::Operator {
                    operator,
                    left: self.span(left),
                    right: self.span(right),
                    operand: a,
                    assigns,
                },
            );
        }
        Some(a)
    }

    fn unary(&mut self, node: NodeId) -> Option<Type> {
        let argument = self.part(node, Field::Argument)?;
        let ty = self.expression(argument)?;
        let operator = self.operator(node);
        let span = self.span(node);
        if operator == "~" && !ty.base.is_integer() {
            self.context.error(&codes::BROOK_OPERAND_INTEGER, span, &[]);
            return None;
        }
        let wraps = ty.base.is_small() && operator != "!";
        if wraps || (operator == "!" && ty.is_vector()) {
            let at = self.span(argument);
            self.unit.push(
                span,
                What::Operator {
                    operator,
                    left: Span::at(at.start),
                    right: at,
                    operand: ty,
                    assigns: false,
                },
            );
        }
        Some(ty)
    }

    fn update(&mut self, node: NodeId) -> Option<Type> {
        let argument = self.part(node, Field::Argument)?;
        let ty = self.target(argument)?;
        self.expression(argument)?;
        Some(ty)
    }

    fn conditional(&mut self, node: NodeId) -> Option<Type> {
        let condition = self.part(node, Field::Condition)?;
        self.scalar_condition(condition);
        let (yes, no) = (
            self.part(node, Field::Consequence)?,
            self.part(node, Field::Alternative)?,
        );
        let (a, b) = (self.expression(yes), self.expression(no));
        let (a, b) = (a?, b?);
        if a != b {
            let span = self.span(node);
            self.context
                .error(&codes::BROOK_CONDITIONAL_TYPES, span, &[&a, &b]);
            return None;
        }
        Some(a)
    }

    fn cast(&mut self, node: NodeId) -> Option<Type> {
        let descriptor = self.part(node, Field::Type)?;
        let value = self.part(node, Field::Value)?;
        let words = self.word(descriptor).to_string();
        let Some(to) = Type::from_words(&words) else {
            let span = self.span(descriptor);
            self.context.error(&codes::BROOK_TYPE, span, &[&words]);
            return None;
        };
        let from = self.expression(value)?;
        let span = self.span(node);
        if from.width != to.width {
            self.context.error(&codes::BROOK_CAST_WIDTH, span, &[]);
            return None;
        }
        let at = self.span(value);
        self.unit.push(
            span,
            What::Cast {
                value: at,
                conversion: Conversion { from, to },
            },
        );
        Some(to)
    }

    fn assignment(&mut self, node: NodeId) -> Option<Type> {
        let (left, right) = (
            self.part(node, Field::Left)?,
            self.part(node, Field::Right)?,
        );
        let operator = self.operator(node);
        let plain = operator.strip_suffix('=').unwrap_or("");
        let tree = self.context.tree;
        let left = tree.unparenthesized(left);
        if tree.kind(left) == Kind::SubscriptExpression {
            return self.scatter(node, left, plain, right);
        }
        if tree.kind(left) == Kind::FieldExpression
            && let Some(ty) = self.swizzle_assignment(node, left, plain, right)
        {
            return Some(ty);
        }
        let wanted = self.target(left);
        let before = self.reduce;
        let direct = tree.kind(left) == Kind::Identifier && self.is_reduction(left);
        self.expression(left);
        if direct {
            // This mention of the variable is the assignment itself.
            let combines = matches!(plain, "+" | "*" | "|" | "^" | "&");
            self.reduce = match before {
                ReduceUse::Unused if combines => ReduceUse::Operator(plain),
                ReduceUse::Operator(other) if other == plain => before,
                _ => ReduceUse::Otherwise,
            };
        }
        let value = self.expression(right);
        let (wanted, value) = (wanted?, value?);
        if plain.is_empty() {
            self.expect(right, value, wanted);
        } else {
            self.combine(node, plain, (left, wanted), (right, value), true)?;
        }
        Some(wanted)
    }

    fn is_reduction(&self, name: NodeId) -> bool {
        let meaning = self.lookup(self.word(name));
        matches!(meaning, Some(Meaning::Parameter(p)) if p.kind == ParameterKind::Reduce)
    }

    /// The type of something that is assigned to; reports what cannot be.
    pub(super) fn target(&mut self, node: NodeId) -> Option<Type> {
        let tree = self.context.tree;
        let node = tree.unparenthesized(node);
        let span = tree.span(node);
        match tree.kind(node) {
            Kind::Identifier => match self.lookup(self.word(node)).cloned() {
                Some(Meaning::Local(ty, false)) => Some(ty),
                Some(Meaning::Local(_, true)) => {
                    self.context.error(&codes::BROOK_CONSTANT_TARGET, span, &[]);
                    None
                }
                Some(Meaning::Parameter(p)) => match p.kind {
                    ParameterKind::StreamIn => {
                        self.context
                            .error(&codes::BROOK_READ_ONLY_STREAM, span, &[]);
                        None
                    }
                    ParameterKind::Value => {
                        self.context.error(&codes::BROOK_READ_ONLY_VALUE, span, &[]);
                        None
                    }
                    ParameterKind::Gather(_) => {
                        self.context
                            .error(&codes::BROOK_READ_ONLY_GATHER, span, &[]);
                        None
                    }
                    _ => Some(p.ty),
                },
                None => None,
            },
            Kind::FieldExpression => {
                let base = self.part(node, Field::Argument)?;
                let ty = self.target(base)?;
                Some(Type::scalar(ty.base))
            }
            Kind::SubscriptExpression => {
                let code = &codes::BROOK_SCATTER_FORM;
                self.context.error(code, span, &[]);
                None
            }
            _ => {
                self.context.error(&codes::BROOK_LVALUE, span, &[]);
                None
            }
        }
    }
}

/// The type of a number: C's, but for suffixes that need 64 bits.
fn literal(text: &str) -> Type {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let float = lower.contains('.') || (!hex && lower.contains('e')) || lower.contains('p');
    let base = match float || (!hex && lower.ends_with('f')) {
        true if lower.ends_with('f') => Base::Float,
        true => Base::Double,
        false if lower.contains('u') => Base::UInt,
        false => Base::Int,
    };
    Type::scalar(base)
}
