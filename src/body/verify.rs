//! Whether a tree keeps what its types promise.

use super::{
    BinaryOperator, Body, Builtin, ExpressionId, ExpressionKind, Place, PlaceId, Program, Root,
    StatementId, StatementKind, Step, Type, TypeKind, Types, UnaryOperator, VariableId,
};
use crate::expr::Scalar;
use crate::source::Span;

/// What is wrong with a tree, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// The body's name.
    pub(crate) body: String,
    /// Where in the text.
    pub(crate) span: Span,
    /// What is wrong.
    pub(crate) what: &'static str,
}

impl Program {
    /// Checks all bodies.
    ///
    /// # Errors
    /// As [`Self::verify_body`].
    #[cfg(test)]
    pub(crate) fn verify(&self) -> Result<(), Broken> {
        let mut all = self.bodies.iter().chain([&self.initial]);
        all.try_for_each(|body| self.verify_body(body))
    }

    /// Checks a body: each number names something, and types are those that the tree's documentation asks for.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub(crate) fn verify_body(&self, body: &Body) -> Result<(), Broken> {
        let check = Check {
            program: self,
            body,
        };
        check.all().map_err(|(span, what)| Broken {
            body: body.name.clone(),
            span,
            what,
        })
    }
}

type Checked = Result<(), (Span, &'static str)>;

struct Check<'a> {
    program: &'a Program,
    body: &'a Body,
}

impl Check<'_> {
    fn all(&self) -> Checked {
        for expression in &self.body.expressions {
            let span = expression.span;
            let fine = self.expression(&expression.kind, expression.ty);
            fine.ok_or((span, "an expression's types"))?;
        }
        for place in &self.body.places {
            let fine = self.place(place);
            fine.ok_or((place.span, "a place's types"))?;
        }
        for statement in &self.body.statements {
            let fine = self.statement(&statement.kind);
            fine.ok_or((statement.span, "a statement's types"))?;
        }
        let known = self.body.root.iter().all(|s| self.is_statement(*s));
        known
            .then_some(())
            .ok_or((self.body.span, "a statement's number"))
    }

    fn kind(&self, ty: Type) -> TypeKind {
        self.program.types.kind(ty)
    }

    fn ty(&self, id: ExpressionId) -> Option<Type> {
        Some(self.body.expressions.get(id.0 as usize)?.ty)
    }

    fn scalar(&self, id: ExpressionId) -> Option<Scalar> {
        self.program.types.as_scalar(self.ty(id)?)
    }

    fn is(&self, id: ExpressionId, scalar: Scalar) -> bool {
        self.scalar(id) == Some(scalar)
    }

    fn place_type(&self, id: PlaceId) -> Option<Type> {
        Some(self.body.places.get(id.0 as usize)?.ty)
    }

    fn is_variable(&self, id: VariableId) -> bool {
        match id {
            VariableId::Local(index) => (index as usize) < self.body.variables.len(),
            VariableId::Global(index) => (index as usize) < self.program.globals.len(),
        }
    }

    fn is_statement(&self, id: StatementId) -> bool {
        (id.0 as usize) < self.body.statements.len()
    }

    fn holds(condition: bool) -> Option<()> {
        condition.then_some(())
    }

    fn expression(&self, kind: &ExpressionKind, ty: Type) -> Option<()> {
        let of = |id: ExpressionId| self.ty(id);
        let array = matches!(self.kind(ty), TypeKind::Array(..));
        Self::holds(!array)?;
        match kind {
            ExpressionKind::Literal(value) => {
                Self::holds(self.kind(ty) == TypeKind::Scalar(value.scalar()))
            }
            ExpressionKind::Null => Self::holds(matches!(self.kind(ty), TypeKind::Pointer(_))),
            ExpressionKind::Load(place) => Self::holds(self.place_type(*place)? == ty),
            ExpressionKind::AddressOf(place) => {
                let whole = self.place_type(*place)?;
                let to = self.program.types.element(ty)?;
                let element = matches!(self.kind(whole), TypeKind::Array(of, _) if of == to);
                Self::holds(to == whole || element)
            }
            ExpressionKind::Unary(operator, a) => {
                let bool_only = *operator != UnaryOperator::Not || self.is(*a, Scalar::Bool);
                Self::holds(of(*a)? == ty && bool_only)
            }
            ExpressionKind::Binary(operator, a, b) => {
                let (x, y) = (of(*a)?, of(*b)?);
                let shifts = matches!(
                    operator,
                    BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight
                );
                Self::holds(x == y || (shifts && self.scalar(*b).is_some()))?;
                match operator.compares() {
                    true => Self::holds(self.kind(ty) == TypeKind::Scalar(Scalar::Bool)),
                    false => Self::holds(x == ty),
                }
            }
            ExpressionKind::Offset(pointer, by) => {
                let pointer = of(*pointer)?;
                let is_pointer = matches!(self.kind(pointer), TypeKind::Pointer(_));
                Self::holds(pointer == ty && is_pointer && self.is(*by, Scalar::Long))
            }
            ExpressionKind::Difference(a, b) => {
                let same = of(*a)? == of(*b)?;
                let long = self.kind(ty) == TypeKind::Scalar(Scalar::Long);
                Self::holds(same && long && matches!(self.kind(of(*a)?), TypeKind::Pointer(_)))
            }
            ExpressionKind::And(a, b) | ExpressionKind::Or(a, b) => Self::holds(
                self.is(*a, Scalar::Bool)
                    && self.is(*b, Scalar::Bool)
                    && self.kind(ty) == TypeKind::Scalar(Scalar::Bool),
            ),
            ExpressionKind::Conditional(c, a, b) => {
                Self::holds(self.is(*c, Scalar::Bool) && of(*a)? == ty && of(*b)? == ty)
            }
            ExpressionKind::Convert(value) => self.conversion(of(*value)?, ty),
            ExpressionKind::Assign { place, value } => {
                Self::holds(self.place_type(*place)? == ty && of(*value)? == ty)
            }
            ExpressionKind::Update {
                place,
                operator,
                value,
                computed,
                ..
            } => {
                Self::holds(self.place_type(*place)? == ty)?;
                if let TypeKind::Pointer(_) = self.kind(ty) {
                    return Self::holds(self.is(*value, Scalar::Long));
                }
                let shifts = matches!(
                    operator,
                    BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight
                );
                Self::holds(shifts || of(*value)? == *computed)
            }
            ExpressionKind::Comma(_, b) => Self::holds(of(*b)? == ty),
            ExpressionKind::Call(body, arguments) => {
                let called = self.program.bodies.get(body.0 as usize)?;
                let parameters = called.variables.iter().take(called.parameters as usize);
                Self::holds(arguments.len() == called.parameters as usize)?;
                for (parameter, argument) in parameters.zip(arguments) {
                    Self::holds(of(*argument)? == parameter.ty)?;
                }
                Self::holds(called.result == ty)
            }
            ExpressionKind::Builtin(Builtin::Copying, arguments) => {
                let pointer = |a: &ExpressionId| Some(self.program.types.element(of(*a)?));
                let pointers = arguments.iter().take(2).filter_map(pointer);
                Self::holds(arguments.len() == 3 && pointers.flatten().count() == 2)?;
                Self::holds(self.scalar(arguments[2]).is_some())
            }
            ExpressionKind::Builtin(_, arguments) | ExpressionKind::Collective(_, arguments) => {
                let numbers = arguments.iter().all(|a| self.scalar(*a).is_some());
                Self::holds(numbers && self.program.types.as_scalar(ty).is_some())
            }
            ExpressionKind::Construct(parts) => {
                let types: Vec<Type> = match self.kind(ty) {
                    TypeKind::Vector(vector) => {
                        let all = |p: &ExpressionId| self.is(*p, vector.scalar);
                        let count = parts.len() == usize::from(vector.width);
                        return Self::holds(count && parts.iter().all(all));
                    }
                    TypeKind::Record(record) => {
                        let fields = &self.program.types.record(record).fields;
                        fields.iter().map(|f| f.ty).collect()
                    }
                    _ => return None,
                };
                Self::holds(parts.len() <= types.len())?;
                let mut pairs = parts.iter().zip(types);
                Self::holds(pairs.all(|(p, t)| of(*p) == Some(t)))
            }
            ExpressionKind::Component(value, index) => match self.kind(of(*value)?) {
                TypeKind::Vector(vector) => Self::holds(
                    *index < u32::from(vector.width)
                        && self.kind(ty) == TypeKind::Scalar(vector.scalar),
                ),
                _ => None,
            },
            ExpressionKind::FieldOf(value, index) => match self.kind(of(*value)?) {
                TypeKind::Record(record) => {
                    let fields = &self.program.types.record(record).fields;
                    Self::holds(fields.get(*index as usize)?.ty == ty)
                }
                _ => None,
            },
        }
    }

    fn conversion(&self, from: Type, to: Type) -> Option<()> {
        let fine = match (self.kind(from), self.kind(to)) {
            (_, TypeKind::Void) => true,
            (TypeKind::Scalar(_), TypeKind::Scalar(_)) => true,
            (TypeKind::Pointer(_), TypeKind::Pointer(_) | TypeKind::Scalar(Scalar::Bool)) => true,
            (TypeKind::Scalar(a), TypeKind::Vector(b)) => a == b.scalar,
            (TypeKind::Vector(a), TypeKind::Vector(b)) => a.width == b.width,
            _ => false,
        };
        Self::holds(fine)
    }

    fn place(&self, place: &Place) -> Option<()> {
        let mut ty = match place.root {
            Root::Variable(id) => {
                Self::holds(self.is_variable(id))?;
                self.program.variable(self.body, id).ty
            }
            Root::Pointer(pointer) => match self.kind(self.ty(pointer)?) {
                TypeKind::Pointer(to) => to,
                _ => return None,
            },
        };
        for step in &place.path {
            ty = match (*step, self.kind(ty)) {
                (Step::Field(index), TypeKind::Record(record)) => {
                    let record = self.program.types.record(record);
                    record.fields.get(index as usize)?.ty
                }
                (Step::Component(index), TypeKind::Vector(vector)) => {
                    Self::holds(index < u32::from(vector.width))?;
                    return Self::holds(
                        self.kind(place.ty) == TypeKind::Scalar(vector.scalar)
                            && place.path.last() == Some(step),
                    );
                }
                (Step::Index(index), TypeKind::Array(of, _)) => {
                    Self::holds(self.scalar(index).is_some_and(|s| !s.is_float()))?;
                    of
                }
                _ => return None,
            };
        }
        Self::holds(ty == place.ty && ty != Types::VOID)
    }

    fn statement(&self, kind: &StatementKind) -> Option<()> {
        let known = |all: &[StatementId]| Self::holds(all.iter().all(|s| self.is_statement(*s)));
        match kind {
            StatementKind::Expression(value) => self.ty(*value).map(|_| ()),
            StatementKind::Declare { variable, .. } => {
                Self::holds(matches!(variable, VariableId::Local(_)) && self.is_variable(*variable))
            }
            StatementKind::Block(inside) => known(inside),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                Self::holds(self.is(*condition, Scalar::Bool))?;
                known(then)?;
                known(otherwise)
            }
            StatementKind::Loop {
                initial,
                condition,
                body,
                ..
            } => {
                let fine = condition.is_none_or(|c| self.is(c, Scalar::Bool));
                Self::holds(fine)?;
                known(initial)?;
                known(body)
            }
            StatementKind::Switch { value, cases } => {
                Self::holds(self.scalar(*value).is_some_and(|s| !s.is_float()))?;
                cases.iter().try_for_each(|case| known(&case.body))
            }
            StatementKind::Return(Some(value)) => Self::holds(self.ty(*value)? == self.body.result),
            StatementKind::Distributed(this) => {
                let long = |id| self.is(id, Scalar::Long);
                Self::holds(this.axis < 3 && long(this.count) && long(this.step))?;
                Self::holds(this.guard.is_none_or(|g| self.is(g, Scalar::Bool)))?;
                Self::holds(self.is_variable(this.variable))?;
                let ty = self.program.variable(self.body, this.variable).ty;
                Self::holds(self.ty(this.first)? == ty)?;
                known(&this.body)
            }
            StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(None)
            | StatementKind::Barrier(_)
            | StatementKind::Opaque(_) => Some(()),
        }
    }
}
