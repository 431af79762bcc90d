use super::Checker;
use super::types::{INT, Ty, literal, loses, rank, same_but_for_sign};
use super::values::{Place, Value, array_operand};
use crate::diagnostics::{Code, codes};
use crate::module::{Base, Type};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};
use std::cmp::Ordering;

impl Checker<'_, '_> {
    pub(super) fn binary(&mut self, node: NodeId) -> Value {
        let tree = self.context.tree;
        let (Some(left), Some(right)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return Value::of(INT);
        };
        let operator = self.operator_of(node).to_string();
        let integers = is_for_integers(&operator);
        let (a, b) = (self.operand(left, integers), self.operand(right, integers));
        let guessed = a.guessed || b.guessed;
        let errors = self.context.sink.errors();
        let ty = self.following(guessed, |this| {
            this.combine(&operator, tree.span(node), (left, a), (right, b))
        });
        // What two operands that do not fit are worth is anybody's guess.
        Value::of(ty).guessed_if(guessed || self.context.sink.errors() > errors)
    }

    /// An operand; where only integers will do, BrookGPU's integers as they are written are such.
    pub(super) fn operand(&mut self, node: NodeId, integer: bool) -> Value {
        match integer && self.kind(node) == Kind::NumberLiteral {
            true => {
                let ty = Ty::Number(literal(self.word(node)));
                Value::of(self.typed(node, ty))
            }
            false => self.expression(node),
        }
    }

    /// `a, b, c`: to AMD's compiler an operator like any other, from left to right.
    pub(super) fn comma(&mut self, node: NodeId) -> Value {
        let mut parts = Vec::new();
        let mut open = vec![node];
        while let Some(next) = open.pop() {
            if self.kind(next) == Kind::CommaExpression {
                let children: Vec<NodeId> = self.context.tree.children(next).collect();
                open.extend(children.into_iter().rev());
            } else {
                parts.push(next);
            }
        }
        let first = self.span(node);
        let mut whole: Option<(NodeId, Value)> = None;
        let mut last = Value::of(INT);
        for part in parts {
            last = self.expression(part);
            whole = match whole {
                None => Some((part, last.clone())),
                Some((before, value)) => {
                    let numbers = value.ty.arithmetic().is_some() && last.ty.arithmetic().is_some();
                    let ty = match numbers && value.array.is_none() && last.array.is_none() {
                        true => {
                            let span = Span::new(first.start, self.span(part).end);
                            let guessed = value.guessed || last.guessed;
                            self.following(guessed, |this| this.operands(span, value.ty, last.ty))
                        }
                        false => last.ty,
                    };
                    Some((before, Value::of(ty)))
                }
            };
        }
        // What the expression is worth is C's: the last part.
        last
    }

    /// Two operands of a comma, of which neither is converted in the end.
    fn operands(&mut self, span: Span, a: Ty, b: Ty) -> Ty {
        let (Some(a), Some(b)) = (a.arithmetic(), b.arithmetic()) else {
            return INT;
        };
        self.mixed(span, a, b);
        Ty::Number(self.meet(a, b))
    }

    /// The type of `left OP right`; reports what does not fit.
    fn combine(
        &mut self,
        operator: &str,
        span: Span,
        (left, a): (NodeId, Value),
        (right, b): (NodeId, Value),
    ) -> Ty {
        let relational = matches!(operator, "<" | ">" | "<=" | ">=" | "==" | "!=");
        let logical = matches!(operator, "&&" | "||");
        let shifts = matches!(operator, "<<" | ">>");
        let integers = is_for_integers(operator);
        if let Some(code) = array_operand(&a, &b) {
            let group = if relational {
                ""
            } else {
                code.classic.map_or("", |c| c.group)
            };
            self.report_in(group, code, span, &[]);
            return a.ty;
        }
        let (at, bt) = (self.span(left), self.span(right));
        let (Some(x), Some(y)) = (a.ty.arithmetic(), b.ty.arithmetic()) else {
            if a.ty.arithmetic().is_none() {
                self.report(&codes::BROOK_LEFT_ARITHMETIC, at, &[]);
            }
            if b.ty.arithmetic().is_none() {
                self.report(&codes::BROOK_RIGHT_ARITHMETIC, bt, &[]);
            }
            return a.ty.arithmetic().map_or(b.ty, Ty::Number);
        };
        let both = self.meet(x, y);
        if integers {
            let (x_fits, y_fits) = (x.base.is_integer(), y.base.is_integer());
            if !x_fits {
                self.report(&codes::BROOK_LEFT_INTEGER, at, &[]);
            }
            if !y_fits {
                self.report(&codes::BROOK_RIGHT_INTEGER, bt, &[]);
            }
            if !x_fits || !y_fits {
                return Ty::Number(both);
            }
        }
        // A shift takes its sign from the left operand, whatever type the two meet in.
        let shifted = if shifts && same_but_for_sign(x, both) {
            x
        } else {
            both
        };
        self.converts(left, a.ty, shifted);
        self.converts(right, b.ty, shifted);
        let truth = (x.base == Base::Bool || y.base == Base::Bool) && x.width == y.width;
        if truth && (logical || relational) {
            return Ty::Number(Type::scalar(Base::Bool));
        }
        if relational {
            self.compared(span, (left, x), (right, y), both);
        } else if shifts {
            match x.width.cmp(&y.width) {
                Ordering::Less => self.report(&codes::BROOK_SHIFT_LONG, span, &[]),
                Ordering::Greater => self.report(&codes::BROOK_SHIFT_SHORT, span, &[]),
                Ordering::Equal => {}
            }
        } else if integers {
            self.implicit(span, x, y);
        } else {
            self.mixed(span, x, y);
        }
        Ty::Number(shifted)
    }

    /// Operands that have to have one type, or meet in one.
    fn mixed(&mut self, span: Span, a: Type, b: Type) {
        if a == b {
            return;
        }
        if !self.checking.relaxed {
            self.report(&codes::BROOK_OPERANDS, span, &[]);
            return;
        }
        self.implicit(span, a, b);
    }

    /// Which operand is converted to the other one's type, and what that costs.
    fn implicit(&mut self, span: Span, a: Type, b: Type) {
        let lossy = match rank(a.base).cmp(&rank(b.base)) {
            Ordering::Less => loses(a.base, b.base),
            Ordering::Greater => loses(b.base, a.base),
            Ordering::Equal => false,
        };
        let pick = |plain: &'static Code, with_loss: &'static Code| match lossy {
            true => with_loss,
            false => plain,
        };
        let widths = a.width.cmp(&b.width);
        let code = match (rank(a.base).cmp(&rank(b.base)), widths) {
            (Ordering::Equal, Ordering::Equal) => return,
            (Ordering::Equal, Ordering::Less) => &codes::BROOK_RIGHT_TO_LEFT_OTHER,
            (Ordering::Equal, Ordering::Greater) => &codes::BROOK_LEFT_TO_RIGHT_OTHER,
            (Ordering::Less, Ordering::Equal) => pick(
                &codes::BROOK_LEFT_TO_RIGHT,
                &codes::BROOK_LEFT_TO_RIGHT_LOSSY,
            ),
            (Ordering::Less, Ordering::Less) => pick(
                &codes::BROOK_LEFT_TO_RIGHT_SHORT,
                &codes::BROOK_LEFT_TO_RIGHT_SHORT_LOSSY,
            ),
            (Ordering::Less, Ordering::Greater) => pick(
                &codes::BROOK_LEFT_TO_RIGHT_UNUSED,
                &codes::BROOK_LEFT_TO_RIGHT_UNUSED_LOSSY,
            ),
            (Ordering::Greater, Ordering::Equal) => pick(
                &codes::BROOK_RIGHT_TO_LEFT,
                &codes::BROOK_RIGHT_TO_LEFT_LOSSY,
            ),
            (Ordering::Greater, Ordering::Greater) => pick(
                &codes::BROOK_RIGHT_TO_LEFT_SHORT,
                &codes::BROOK_RIGHT_TO_LEFT_SHORT_LOSSY,
            ),
            (Ordering::Greater, Ordering::Less) => pick(
                &codes::BROOK_RIGHT_TO_LEFT_UNUSED,
                &codes::BROOK_RIGHT_TO_LEFT_UNUSED_LOSSY,
            ),
        };
        self.report(code, span, &[]);
    }

    /// Comparisons ask for one base type only; the lower-ranked operand is the one that is converted.
    fn compared(
        &mut self,
        span: Span,
        (left, a): (NodeId, Type),
        (right, b): (NodeId, Type),
        both: Type,
    ) {
        if a.base == b.base {
            return;
        }
        let (from, node) = match rank(a.base) < rank(b.base) {
            true => (a, left),
            false => (b, right),
        };
        if !self.checking.relaxed {
            let group = Place::Relational.group();
            self.report_in(group, &codes::BROOK_MISMATCH, span, &[&from, &both]);
        } else if loses(from.base, both.base) {
            self.convert(Place::Relational, node, Ty::Number(from), Ty::Number(both));
        }
    }
}

/// Whether an operator, without the `=` of an assignment, takes integers only.
pub(super) fn is_for_integers(operator: &str) -> bool {
    matches!(operator, "%" | "&" | "|" | "^" | "<<" | ">>")
}
