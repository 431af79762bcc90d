//! Arrays of the functions that the host calls: their declarations, their elements, loops over them.

use super::host::{Host, Variable};
use super::sizes::Shape;
use crate::diagnostics::codes;
use crate::expr::{BinaryOperator, Expr, Scalar, Value, evaluate, root_name};
use crate::module::{Layout, Statement};
use crate::source::Span;
use crate::syntax::{Declarator, Field, Kind, NodeId, declarators, specifiers};

/// Most elements of an array: no more than a call may need on a stack.
const MOST: u64 = 1 << 16;

/// What can be assigned to.
pub(super) enum Place {
    Variable(String),
    /// An element of an array; its indices change nothing.
    Element(String, Vec<Expr>),
}

impl Place {
    /// What is there.
    pub(super) fn value(&self) -> Expr {
        match self {
            Self::Variable(name) => Expr::name(name.as_str()),
            Self::Element(name, indices) => element(name, indices.clone()),
        }
    }

    pub(super) fn assign(self, value: Expr) -> Statement {
        match self {
            Self::Variable(name) => Statement::Assign { name, value },
            Self::Element(name, indices) => Statement::Store {
                name,
                indices,
                value,
            },
        }
    }
}

fn element(name: &str, indices: Vec<Expr>) -> Expr {
    let indices = indices.into_iter().map(|index| (index, "".into()));
    Expr::element(name.into(), indices.collect())
}

/// How many brackets a path such as `[2][1]` is made of, if of nothing else.
pub(super) fn rank(path: &str) -> Option<usize> {
    let plain = path.is_empty() || (path.starts_with('[') && path.ends_with(']'));
    let fields = path.contains(['.', '>']);
    (plain && !fields).then(|| path.matches('[').count())
}

/// The assignments that give an array a list of values; what the list does not have becomes zero.
pub(super) fn filled(name: &str, extents: &[u64], values: Vec<Expr>) -> Vec<Statement> {
    let total: u64 = extents.iter().product();
    let missing = (total as usize).saturating_sub(values.len());
    let all = values
        .into_iter()
        .chain(std::iter::repeat_n(Expr::int(0), missing));
    let store = |(at, value): (usize, Expr)| {
        let mut rest = at as u64;
        let mut indices = Vec::with_capacity(extents.len());
        for extent in extents.iter().rev() {
            indices.push(number((rest % extent) as i64));
            rest /= extent;
        }
        indices.reverse();
        Statement::Store {
            name: name.to_string(),
            indices,
            value,
        }
    };
    all.enumerate().map(store).collect()
}

fn number(n: i64) -> Expr {
    Expr::Literal(match i32::try_from(n) {
        Ok(n) => Value::int(n),
        Err(_) => Value::Int(Scalar::Long, n),
    })
}

impl Host<'_, '_> {
    /// Declares an array of a function.
    pub(super) fn array(
        &mut self,
        name: &Declarator,
        scalar: Scalar,
        constant: bool,
        out: &mut Vec<Statement>,
    ) {
        let read = self.read_array(name, scalar, out);
        self.declare(name.name, read.as_ref().map(|_| scalar), constant);
        let Some((extents, values)) = read else {
            return;
        };
        if let Some(variable) = self.variables.last_mut() {
            variable.extents.clone_from(&extents);
        }
        self.unit.host.own_arrays.insert(name.name.to_string());
        let once = self.declared.iter().filter(|n| **n == name.name).count() == 1;
        if once {
            let element = Shape::Value(Layout::Scalar(scalar));
            let shape = extents.iter().rev().fold(element, |element, &count| {
                Shape::Array(Box::new(element), count as usize)
            });
            let shapes = &mut self.unit.host.shapes;
            shapes.insert(name.name.to_string(), Some(shape));
        }
        out.push(Statement::Array {
            name: name.name.to_string(),
            scalar,
            extents,
            values,
        });
    }

    /// The sizes of an array and its first elements.
    fn read_array(
        &mut self,
        name: &Declarator,
        scalar: Scalar,
        out: &mut Vec<Statement>,
    ) -> Option<(Vec<u64>, Vec<Expr>)> {
        let mut extents = Vec::with_capacity(name.sizes.len());
        for (index, size) in name.sizes.iter().enumerate() {
            extents.push(match size {
                Some(size) => self.extent(*size, name.span)?,
                None if index == 0 && name.value.is_some() => 0,
                None => return self.no_array(name.span, "has no size"),
            });
        }
        let (first, inner) = extents.split_first_mut()?;
        let row: u64 = inner.iter().fold(1, |all, n| all.saturating_mul(*n));
        // Before anything is as large as the sizes say.
        if (*first).max(1).saturating_mul(row) > MOST {
            return self.no_array(name.span, "is too large");
        }
        let mut values = Vec::new();
        if let Some(list) = name.value {
            if self.context.tree.kind(list) != Kind::InitializerList {
                return self.no_array(name.span, "is given no list of values");
            }
            let room = match *first {
                0 => MOST,
                first => first.saturating_mul(row),
            };
            self.list(list, inner, room as usize, &mut values, out)?;
            if *first == 0 {
                *first = (values.len() as u64).div_ceil(row).max(1);
            }
        }
        if first.saturating_mul(row) > MOST {
            return self.no_array(name.span, "is too large");
        }
        let converted = |value: Option<Expr>| {
            let cast = Expr::Cast(scalar, Box::new(value.unwrap_or(Expr::int(0))));
            evaluate(&cast, &|_| None).map_or(cast, Expr::Literal)
        };
        Some((extents, values.into_iter().map(converted).collect()))
    }

    fn no_array<T>(&mut self, span: Span, why: &str) -> Option<T> {
        let what = format!("the array '{}' {why}", span.of(self.context.text));
        self.context.error(&codes::HOST_EXPRESSION, span, &[&what]);
        None
    }

    /// The size that a node is.
    fn extent(&mut self, node: NodeId, array: Span) -> Option<u64> {
        let read = self.read(self.context.tree.span(node))?;
        let known = self.evaluated(&read).and_then(Value::as_i64);
        match known.and_then(|n| u64::try_from(n).ok()).filter(|n| *n > 0) {
            Some(n) => Some(n),
            None => self.no_array(array, "has a size that is no constant, or not positive"),
        }
    }

    /// What an expression of constants amounts to.
    pub(super) fn evaluated(&self, expr: &Expr) -> Option<Value> {
        evaluate(expr, &|name| self.variable(name)?.value).ok()
    }

    /// Reads the values of a list into the next elements; `inner` are the sizes of what the list's parts
    /// may be lists of.
    fn list(
        &mut self,
        list: NodeId,
        inner: &[u64],
        room: usize,
        values: &mut Vec<Option<Expr>>,
        out: &mut Vec<Statement>,
    ) -> Option<()> {
        let tree = self.context.tree;
        let start = values.len();
        for part in tree.children(list) {
            let span = tree.span(part);
            match (tree.kind(part), inner.split_first()) {
                (Kind::InitializerPair, _) => return self.no_array(span, "is filled by name"),
                (Kind::InitializerList, Some((count, rest))) => {
                    let row = rest.iter().fold(*count, |all, n| all.saturating_mul(*n)) as usize;
                    let begin = values.len();
                    if !(begin - start).is_multiple_of(row) {
                        return self.no_array(span, "begins within another row");
                    }
                    self.list(part, rest, row, values, out)?;
                    values.resize(begin + row, None);
                }
                (Kind::InitializerList, None) => {
                    // `{3}` is 3, and `{}` zero.
                    let only: Vec<NodeId> = tree.children(part).collect();
                    let value = match only.as_slice() {
                        [] => None,
                        [only] => Some(self.value_of(tree.span(*only), out)?),
                        _ => return self.no_array(span, "is a list where a number should be"),
                    };
                    values.push(value);
                }
                _ => {
                    let value = self.value_of(span, out)?;
                    values.push(Some(value));
                }
            }
            if values.len() - start > room {
                return self.no_array(tree.span(list), "has more values than elements");
            }
        }
        Some(())
    }

    /// The variable or element that is assigned to; what its indices change goes to `out`.
    pub(super) fn place(
        &mut self,
        target: &Expr,
        span: Span,
        out: &mut Vec<Statement>,
    ) -> Option<Place> {
        match target {
            Expr::Name(name) => {
                let root = root_name(name);
                let path = name.get(root.len()..)?;
                if path.is_empty() {
                    return Some(Place::Variable(name.to_string()));
                }
                let indices = path.split('[').skip(1).map(|index| {
                    let index: i64 = index.strip_suffix(']')?.parse().ok()?;
                    Some(number(index))
                });
                let indices: Option<Vec<Expr>> = indices.collect();
                Some(Place::Element(root.to_string(), indices?))
            }
            Expr::Element(base, indices) => {
                let mut places = Vec::with_capacity(indices.len());
                for (index, _) in indices {
                    places.push(self.lower(index, span, out)?);
                }
                Some(Place::Element(base.to_string(), places))
            }
            _ => None,
        }
    }

    /// `for (int x : list)`
    pub(super) fn repeat_over(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let visible = self.variables.len();
        if self.read_over(node, out).is_none() {
            let span = self.context.tree.span(node);
            self.context.error(&codes::HOST_STATEMENT, span, &[]);
        }
        self.variables.truncate(visible);
    }

    fn read_over(&mut self, node: NodeId, out: &mut Vec<Statement>) -> Option<()> {
        let (tree, text) = (self.context.tree, self.context.text);
        let list = tree.text(tree.child(node, Field::Right)?, text).trim();
        let (count, scalar) = match (self.variable(list), self.unit.table(list)) {
            (
                Some(Variable {
                    extents, scalar, ..
                }),
                _,
            ) => match extents.as_slice() {
                [count] => (*count, (*scalar)?),
                _ => return None,
            },
            (None, Some(table)) => match table.extents.as_slice() {
                [count] => (*count, table.scalar),
                _ => return None,
            },
            (None, None) => return None,
        };
        if let Some(table) = self.unit.table(list)
            && !self.unit.host.tables.contains(table)
        {
            let table = table.clone();
            self.unit.host.tables.push(table);
        }
        let said = specifiers(tree, node, text);
        let constant = said.constant;
        let names = declarators(tree, node, text);
        let [name] = names.as_slice() else {
            return None;
        };
        // What is written through a reference would have to be written back.
        let takes = name.pointers == 0 && name.sizes.is_empty() && (!name.reference || constant);
        let own = match said.automatic {
            true => Some(scalar),
            false => self.unit.scalar_of(self.context.sema, node),
        };
        let own = own.filter(|_| takes && tree.child(node, Field::Initializer).is_none())?;
        let index = self.fresh(Scalar::Long);
        let counter = || Expr::name(index.as_str());
        let next = Expr::binary(BinaryOperator::Add, counter(), Expr::int(1));
        let mut body = vec![Statement::Declare {
            name: name.name.to_string(),
            scalar: own,
            value: Some(element(list, vec![counter()])),
        }];
        self.declare(name.name, Some(own), constant);
        body.push(Statement::Block(self.body(tree.child(node, Field::Body))));
        out.push(Statement::Loop {
            initial: vec![Statement::Declare {
                name: index.clone(),
                scalar: Scalar::Long,
                value: None,
            }],
            prepare: Vec::new(),
            condition: Expr::binary(BinaryOperator::Less, counter(), number(count as i64)),
            step: vec![Statement::Assign {
                name: index.clone(),
                value: next,
            }],
            body,
            late: false,
        });
        Some(())
    }
}
