//! Expressions that change variables, taken apart into statements and a value.

use super::expressions::{Use, read};
use super::host::Host;
use crate::diagnostics::codes;
use crate::expr::{BinaryOperator, Expr, Scalar, Scope, Value, is_function, root_name, type_of};
use crate::module::Statement;
use crate::source::Span;

/// Types of the names that the host knows, as values of no meaning.
impl Scope for Host<'_, '_> {
    fn value(&self, name: &str) -> Option<Value> {
        let zero = |scalar| Value::int(0).convert(scalar);
        if let Some(variable) = self.variables.iter().rev().find(|v| v.name == name) {
            return variable.scalar.map(zero);
        }
        if let Some((_, scalar, _)) = self.parameters.iter().find(|(n, ..)| n == name) {
            return scalar.map(zero);
        }
        let root = root_name(name);
        let path = name.get(root.len()..)?;
        if let Some(layout) = self.unit.host.structs.get(root) {
            let place = self.unit.layouts.locate(layout, path);
            return place.map(|(_, scalar)| zero(scalar));
        }
        let table = self.unit.host.arrays.iter().find(|t| t.name == root);
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

    /// The expression at a span, all of whose names the host knows.
    fn read(&mut self, span: Span) -> Option<Expr> {
        let read = read(self.context, self.unit, span, Use::Statement)?;
        let mut unknown = None;
        read.for_each_name(&mut |name| {
            if unknown.is_none() && Scope::value(self, name).is_none() {
                // Elements are known by the name before their first bracket.
                let root = root_name(name);
                let table = self.unit.host.arrays.iter().any(|t| t.name == root);
                if !table && !self.unit.host.structs.contains_key(root) {
                    unknown = Some(name.to_string());
                }
            }
        });
        match unknown {
            // A declaration that could not be read has been reported.
            Some(name) if self.variables.iter().any(|v| v.name == name) => None,
            Some(name) => {
                let code = match self.unit.host.pointers.contains(root_name(&name)) {
                    true => &codes::HOST_MEMORY,
                    false => &codes::HOST_UNKNOWN,
                };
                self.context.error(code, span, &[&name]);
                None
            }
            None => Some(read),
        }
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

    fn lower(&mut self, expr: &Expr, span: Span, out: &mut Vec<Statement>) -> Option<Expr> {
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
                    let target = self.target(target, span)?;
                    let result = match name.starts_with('_') {
                        true => self.keep(Expr::name(target.as_str()), span, out)?,
                        false => Expr::name(target.as_str()),
                    };
                    let operator = match name.contains('+') {
                        true => BinaryOperator::Add,
                        false => BinaryOperator::Subtract,
                    };
                    let value = Expr::binary(operator, Expr::name(target.as_str()), Expr::int(1));
                    let name = target;
                    out.push(Statement::Assign { name, value });
                    Some(result)
                }
                (operator, [target, value]) if operator.ends_with('=') => {
                    let value = self.lower(value, span, out)?;
                    let name = self.target(target, span)?;
                    let result = Expr::name(name.as_str());
                    let value = match compound(operator) {
                        Some(operator) => Expr::binary(operator, result.clone(), value),
                        None => value,
                    };
                    out.push(Statement::Assign { name, value });
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

    fn fresh(&mut self, scalar: Scalar) -> String {
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

    /// The variable that is assigned to.
    fn target(&mut self, target: &Expr, span: Span) -> Option<String> {
        let shown = target.to_string();
        let code = match target {
            Expr::Name(name) => {
                let root = root_name(name);
                let variable = self.variables.iter().rev().find(|v| v.name == **name);
                let constant = match variable {
                    Some(variable) => Some(variable.constant),
                    None => {
                        let parameter = self.parameters.iter().find(|(n, ..)| *n == **name);
                        parameter
                            .filter(|(_, scalar, _)| scalar.is_some())
                            .map(|(.., constant)| *constant)
                    }
                };
                match constant {
                    Some(false) => return Some(name.to_string()),
                    Some(true) => &codes::HOST_CONSTANT,
                    None if self.unit.host.pointers.contains(root) => &codes::HOST_MEMORY,
                    None if self.unit.host.structs.contains_key(root) => &codes::HOST_CONSTANT,
                    None if self.unit.values.get(name).is_some() => &codes::HOST_CONSTANT,
                    None => &codes::HOST_UNKNOWN,
                }
            }
            Expr::Element(base, _) if self.unit.host.pointers.contains(root_name(base)) => {
                &codes::HOST_MEMORY
            }
            _ => &codes::HOST_CONSTANT,
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
