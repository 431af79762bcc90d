//! Expressions that change variables, taken apart into statements and a value.

use super::expressions::{Use, read};
use super::host::{Host, Variable};
use super::host_arrays::{Place, rank};
use crate::diagnostics::codes;
use crate::expr::{
    self, BinaryOperator, Expr, Scalar, Scope, Value, is_function, root_name, type_of,
};
use crate::module::Statement;
use crate::source::Span;

/// Types of the names that the host knows, as values of no meaning.
impl Scope for Host<'_, '_> {
    fn value(&self, name: &str) -> Option<Value> {
        let zero = |scalar| Value::int(0).convert(scalar);
        let root = root_name(name);
        let path = name.get(root.len()..)?;
        if let Some(variable) = self.variable(root) {
            let complete = rank(path) == Some(variable.extents.len());
            return variable.scalar.filter(|_| complete).map(zero);
        }
        if let Some((_, scalar, _)) = self.parameters.iter().find(|(n, ..)| n == name) {
            return scalar.map(zero);
        }
        if let Some(layout) = self.unit.host.structs.get(root) {
            let place = self.unit.layouts.locate(layout, path);
            return place.map(|(_, scalar)| zero(scalar));
        }
        let table = self.unit.table(root);
        table
            .map(|t| zero(t.scalar))
            .or_else(|| self.unit.values.get(name).copied())
    }

    fn result(&self, name: &str) -> Option<Scalar> {
        let known = self.unit.host.known.get(name)?;
        known.as_ref().ok().map(|f| f.result)
    }
}

impl Host<'_, '_> {
    /// The value at a span; what it changes on the way goes to `out`.
    pub(super) fn value_of(&mut self, span: Span, out: &mut Vec<Statement>) -> Option<Expr> {
        let read = self.read(span)?;
        self.lower(&read, span, out)
    }

    /// An expression as a statement: its value does not matter.
    pub(super) fn effect_of(&mut self, span: Span, out: &mut Vec<Statement>) {
        if let Some(read) = self.read(span) {
            self.discard(&read, span, out);
        }
    }

    /// The variable that a name means.
    pub(super) fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().rev().find(|v| v.name == name)
    }

    /// The expression at a span, all of whose names the host knows.
    pub(super) fn read(&mut self, span: Span) -> Option<Expr> {
        let read = read(self.context, self.unit, span, Use::Statement)?;
        let Some(name) = self.unknown(&read) else {
            return Some(read);
        };
        let root = root_name(&name);
        let code = match self.variable(root) {
            // A declaration that could not be read has been reported.
            Some(variable) if variable.scalar.is_none() => return None,
            Some(_) => &codes::HOST_MEMBER,
            None if self.unit.host.pointers.contains(root) => &codes::HOST_MEMORY,
            None => &codes::HOST_UNKNOWN,
        };
        self.context.error(code, span, &[&name]);
        None
    }

    /// The first name that the host does not know, or that is no scalar.
    fn unknown(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Name(name) => (!self.knows(name)).then(|| name.to_string()),
            Expr::Element(base, indices) => {
                let first = indices.iter().fold(base.to_string(), |name, (_, after)| {
                    format!("{name}[0]{after}")
                });
                match self.knows(&first) {
                    true => indices.iter().find_map(|(index, _)| self.unknown(index)),
                    false => Some(expr.to_string()),
                }
            }
            other => {
                let mut found = None;
                other.for_each_part(&mut |part| {
                    if found.is_none() {
                        found = self.unknown(part);
                    }
                });
                found
            }
        }
    }

    fn knows(&self, name: &str) -> bool {
        let root = root_name(name);
        // Fields and elements of these have been looked at already.
        let complete = self.unit.table(root).is_some() || self.unit.host.structs.contains_key(root);
        Scope::value(self, name).is_some() || (complete && self.variable(root).is_none())
    }

    fn discard(&mut self, expr: &Expr, span: Span, out: &mut Vec<Statement>) {
        match expr {
            Expr::Call(name, parts) if &**name == "," => {
                for part in parts {
                    self.discard(part, span, out);
                }
            }
            Expr::Call(name, parts) if matches!(&**name, "_++" | "_--") => {
                let prefix = format!("{}_", name.trim_matches('_'));
                let changed = Expr::Call(prefix.into(), parts.clone());
                self.lower(&changed, span, out);
            }
            // A value alone changes nothing.
            other => {
                self.lower(other, span, out);
            }
        }
    }

    pub(super) fn lower(
        &mut self,
        expr: &Expr,
        span: Span,
        out: &mut Vec<Statement>,
    ) -> Option<Expr> {
        if !has_effect(expr) {
            return Some(expr.clone());
        }
        match expr {
            Expr::Call(name, parts) => match (&**name, parts.as_slice()) {
                (",", [first @ .., last]) => {
                    for part in first {
                        self.discard(part, span, out);
                    }
                    self.lower(last, span, out)
                }
                ("++_" | "--_" | "_++" | "_--", [target]) => {
                    let target = self.target(target, span, out)?;
                    let result = match name.starts_with('_') {
                        true => self.keep(target.value(), span, out)?,
                        false => target.value(),
                    };
                    let operator = match name.contains('+') {
                        true => BinaryOperator::Add,
                        false => BinaryOperator::Subtract,
                    };
                    let value = Expr::binary(operator, target.value(), Expr::int(1));
                    out.push(target.assign(value));
                    Some(result)
                }
                (operator, [target, value]) if operator.ends_with('=') => {
                    let mut value = self.lower(value, span, out)?;
                    // The value comes first, whatever the indices change.
                    if has_effect(target) && expr::constant(&value).is_none() {
                        value = self.keep(value, span, out)?;
                    }
                    let target = self.target(target, span, out)?;
                    let result = target.value();
                    let value = match compound(operator) {
                        Some(operator) => Expr::binary(operator, result.clone(), value),
                        None => value,
                    };
                    out.push(target.assign(value));
                    Some(result)
                }
                _ => self.lower_parts(expr, span, out),
            },
            Expr::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), a, b)
                if has_effect(b) =>
            {
                let first = self.lower(a, span, out)?;
                let is_true = |e| match &e {
                    Expr::Binary(operator, ..) if operator.is_boolean() => e,
                    _ => Expr::binary(BinaryOperator::NotEqual, e, Expr::int(0)),
                };
                let result = self.keep(is_true(first), span, out)?;
                let mut second = Vec::new();
                let value = is_true(self.lower(b, span, &mut second)?);
                let name = result.to_string();
                second.push(Statement::Assign { name, value });
                let (then, otherwise) = match operator {
                    BinaryOperator::And => (second, Vec::new()),
                    _ => (Vec::new(), second),
                };
                out.push(Statement::If {
                    condition: result.clone(),
                    then,
                    otherwise,
                });
                Some(result)
            }
            Expr::Conditional(condition, yes, no) if has_effect(yes) || has_effect(no) => {
                let condition = self.lower(condition, span, out)?;
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                let yes = self.lower(yes, span, &mut then)?;
                let no = self.lower(no, span, &mut otherwise)?;
                let both = Expr::Conditional(
                    Box::new(Expr::int(0)),
                    Box::new(yes.clone()),
                    Box::new(no.clone()),
                );
                let scalar = self.scalar_of(&both, span)?;
                let name = self.fresh(scalar);
                let declare = Statement::Declare {
                    name: name.clone(),
                    scalar,
                    value: None,
                };
                out.push(declare);
                let assign = |value| Statement::Assign {
                    name: name.clone(),
                    value,
                };
                then.push(assign(yes));
                otherwise.push(assign(no));
                out.push(Statement::If {
                    condition,
                    then,
                    otherwise,
                });
                Some(Expr::name(name))
            }
            other => self.lower_parts(other, span, out),
        }
    }

    fn lower_parts(&mut self, expr: &Expr, span: Span, out: &mut Vec<Statement>) -> Option<Expr> {
        let mut complete = true;
        let lowered = expr.map_parts(&mut |part| match self.lower(part, span, out) {
            Some(part) => part,
            None => {
                complete = false;
                part.clone()
            }
        });
        complete.then_some(lowered)
    }

    /// A variable of its own that keeps a value which is about to change.
    fn keep(&mut self, value: Expr, span: Span, out: &mut Vec<Statement>) -> Option<Expr> {
        let scalar = self.scalar_of(&value, span)?;
        let name = self.fresh(scalar);
        out.push(Statement::Declare {
            name: name.clone(),
            scalar,
            value: Some(value),
        });
        Some(Expr::name(name))
    }

    pub(super) fn fresh(&mut self, scalar: Scalar) -> String {
        self.kept += 1;
        let name = format!("brook_kept_{}", self.kept);
        self.declare(&name, Some(scalar), false);
        name
    }

    /// The type of an expression.
    pub(super) fn scalar_of(&mut self, expr: &Expr, span: Span) -> Option<Scalar> {
        let found = type_of(expr, self);
        if found.is_none() {
            let text = span.of(self.context.text);
            self.context.error(&codes::HOST_TYPE, span, &[&text]);
        }
        found
    }

    /// What is assigned to.
    fn target(&mut self, target: &Expr, span: Span, out: &mut Vec<Statement>) -> Option<Place> {
        let shown = target.to_string();
        let base = match target {
            Expr::Name(name) | Expr::Element(name, _) => name,
            _ => {
                self.context.error(&codes::HOST_CONSTANT, span, &[&shown]);
                return None;
            }
        };
        let root = root_name(base);
        let constant = match self.variable(root) {
            Some(variable) => Some(variable.constant),
            None => {
                let parameter = self.parameters.iter().find(|(n, ..)| *n == **base);
                parameter
                    .filter(|(_, scalar, _)| scalar.is_some())
                    .map(|(.., constant)| *constant)
            }
        };
        let code = match constant {
            Some(false) => return self.place(target, span, out),
            Some(true) => &codes::HOST_CONSTANT,
            None if self.unit.host.pointers.contains(root) => &codes::HOST_MEMORY,
            None if self.unit.host.structs.contains_key(root) => &codes::HOST_CONSTANT,
            None if self.unit.table(root).is_some() => &codes::HOST_CONSTANT,
            None if self.unit.values.get(base).is_some() => &codes::HOST_CONSTANT,
            None => &codes::HOST_UNKNOWN,
        };
        self.context.error(code, span, &[&shown]);
        None
    }
}

/// Whether evaluating it changes something: whether it calls what is no function.
fn has_effect(expr: &Expr) -> bool {
    let mut found = false;
    expr.for_each_call(&mut |name| {
        let word = name.starts_with(|c: char| c.is_alphanumeric() || c == ':' || c == '_');
        found |= !is_function(name) && (!word || matches!(name, "_++" | "_--"));
    });
    found
}

fn compound(operator: &str) -> Option<BinaryOperator> {
    Some(match operator {
        "+=" => BinaryOperator::Add,
        "-=" => BinaryOperator::Subtract,
        "*=" => BinaryOperator::Multiply,
        "/=" => BinaryOperator::Divide,
        "%=" => BinaryOperator::Remainder,
        "<<=" => BinaryOperator::ShiftLeft,
        ">>=" => BinaryOperator::ShiftRight,
        "&=" => BinaryOperator::BitAnd,
        "|=" => BinaryOperator::BitOr,
        "^=" => BinaryOperator::BitXor,
        _ => return None,
    })
}
