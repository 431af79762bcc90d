//! How often loops run that no attribute distributes: where the text says it, and nothing in the loop can change that.

use super::changes::{Changes, integer};
use super::loops::counted;
use super::names::Reading;
use crate::analyze::{loop_bound, loop_change, loop_count};
use crate::expr::{self, Expr, Scalar, Value};
use crate::module::{Comparison, Header};
use crate::sema::{DefinitionId, DefinitionKind, TypeKind};
use crate::source::{Location, Span};
use crate::syntax::{Field, Kind, NodeId, attributes_of, declarators};
use std::collections::HashMap;

/// Constants whose values are other constants.
const DEEPEST: usize = 10;

/// Where the `for` of a loop stands, and what is known of it.
pub(super) fn all(reading: &Reading<'_>) -> Vec<(Location, String)> {
    let tree = reading.tree;
    let all = || (0..tree.len()).map(NodeId::at);
    let broken = |&n: &NodeId| matches!(tree.kind(n), Kind::Error | Kind::Missing);
    let broken: Vec<NodeId> = all().filter(broken).collect();
    let loops = all().filter(|&n| tree.kind(n) == Kind::ForStatement);
    loops.filter_map(|l| one(reading, l, &broken)).collect()
}

/// `broken` is what cannot be parsed.
fn one(reading: &Reading<'_>, statement: NodeId, broken: &[NodeId]) -> Option<(Location, String)> {
    let tree = reading.tree;
    let start = tree.span(statement).start;
    let keyword = Span::new(start, start + 3);
    let origin = reading.provenance.origin(keyword)?;
    // One that a macro writes is not to be seen.
    if !origin.expansions.is_empty() || keyword.of(reading.text) != "for" {
        return None;
    }
    let attributes = attributes_of(tree, statement, reading.text);
    if { attributes.iter() }.any(|a| matches!(a.name.as_str(), "outer" | "inner" | "tile")) {
        return None;
    }
    let at = reading.provenance.spelled(keyword)?;
    Counted::read(reading, statement, broken)?
        .text()
        .map(|t| (at, t))
}

/// A loop of which it is known what it counts.
struct Counted<'a, 'r> {
    reading: &'a Reading<'r>,
    header: Header,
    scalar: Scalar,
    end_scalar: Scalar,
    /// What its constants are by name.
    values: HashMap<String, Value>,
    /// It may end before it has counted to its end.
    leaves: bool,
}

impl<'a, 'r> Counted<'a, 'r> {
    fn read(reading: &'a Reading<'r>, statement: NodeId, broken: &[NodeId]) -> Option<Self> {
        let (tree, text, sema) = (reading.tree, reading.text, reading.sema);
        let mut around = std::iter::successors(Some(statement), |n| tree.parent(*n));
        let function = around.find(|&n| tree.kind(n) == Kind::FunctionDefinition)?;
        if broken.iter().any(|&n| tree.is_within(n, function)) {
            return None;
        }
        let (variable, value) = first_value(reading, tree.child(statement, Field::Initializer)?)?;
        let name = sema.name(variable);
        let condition = tree.unparenthesized(tree.child(statement, Field::Condition)?);
        let (comparison, last) = loop_bound((tree, text), condition, name)?;
        let update = tree.unparenthesized(tree.child(statement, Field::Update)?);
        let (down, step_span) = loop_change((tree, text), update, name)?;
        let step = step_span.and_then(|span| tree.within(span).find(|&n| tree.span(n) == span));
        if step_span.is_some() != step.is_some() {
            return None;
        }
        let scalar = integer(reading, variable)?;
        let end_scalar = sema.scalar(last).filter(|s| !s.is_float())?;
        let body = tree.child(statement, Field::Body)?;
        let own = |n: NodeId| tree.is_within(n, update) || !tree.is_within(n, statement);
        let initial = tree.child(statement, Field::Initializer)?;
        let changes = Changes { reading };
        if !changes.only_where(variable, |n| own(n) || tree.is_within(n, initial)) {
            return None;
        }
        let mut values = HashMap::new();
        for part in [Some(value), Some(last), step].into_iter().flatten() {
            if !is_plain(reading, part) || sema.scalar(part).is_none_or(Scalar::is_float) {
                return None;
            }
            for name in tree.descendants(part) {
                if tree.kind(name) != Kind::Identifier {
                    continue;
                }
                let id = sema.definition(name)?;
                if id == variable || !changes.stays(id, statement) {
                    return None;
                }
                let value = constant(reading, id, DEEPEST);
                values.extend(value.map(|v| (sema.name(id).to_string(), v)));
            }
        }
        let parsed = |node: NodeId| expr::parse(tree.text(node, text)).ok();
        let (mut down, mut step) = match step {
            Some(node) => (down, parsed(node)?),
            None => (down, Expr::int(1)),
        };
        if let Some(negative) = expr::constant(&step).filter(|s| *s < 0) {
            (down, step) = (!down, Expr::int(i32::try_from(-negative).ok()?));
        }
        let header = Header {
            variable: name.to_string(),
            type_name: String::new(),
            scalar: Some(scalar),
            start: parsed(value)?,
            start_span: tree.span(value),
            converts_start: false,
            end: parsed(last)?,
            end_span: tree.span(last),
            end_scalar: Some(end_scalar),
            comparison,
            step,
            step_span,
            down,
            names: Vec::new(),
            automatic: false,
        };
        Some(Self {
            reading,
            header,
            scalar,
            end_scalar,
            values,
            leaves: leaves(reading, statement, body),
        })
    }

    fn text(&self) -> Option<String> {
        let header = &self.header;
        let most = if self.leaves { "at most " } else { "" };
        let (count, unit) = match self.exact() {
            Some(1) => ("1".to_string(), "iteration"),
            Some(count) => (count.to_string(), "iterations"),
            None if self.is_known() => return None,
            None if self.may_wrap() => return None,
            None => (counted(&loop_count(header)), "iterations"),
        };
        let start = counted(&header.start);
        Some(format!(
            "**A loop**: {most}`{count}` {unit}, `{}` from `{start}`",
            header.variable
        ))
    }

    fn value(&self, e: &Expr) -> Option<i128> {
        let lookup = |name: &str| self.values.get(name).copied();
        let value = expr::evaluate(e, &lookup).ok()?;
        match value {
            Value::Int(Scalar::ULong, bits) => Some(i128::from(bits as u64)),
            _ => value.as_i64().map(i128::from),
        }
    }

    fn is_known(&self) -> bool {
        let header = &self.header;
        let all = [&header.start, &header.end, &header.step];
        all.into_iter().all(|e| self.value(e).is_some())
    }

    /// How often it runs, if all is known and nothing wraps on the way.
    fn exact(&self) -> Option<i128> {
        let header = &self.header;
        let (start, end) = (self.value(&header.start)?, self.value(&header.end)?);
        let step = self.value(&header.step).filter(|s| *s > 0)?;
        let own = range(self.scalar);
        // What is compared as an unsigned number is another one below zero.
        let compared = range(self.scalar.common(self.end_scalar));
        if !own.contains(&start) || !compared.contains(&start) || !compared.contains(&end) {
            return None;
        }
        let distance = match header.down {
            true => start - end,
            false => end - start,
        };
        let (inclusive, equal) = match (header.comparison, header.down) {
            (Comparison::Less, false) | (Comparison::Greater, true) => (false, false),
            (Comparison::LessEqual, false) | (Comparison::GreaterEqual, true) => (true, false),
            (Comparison::NotEqual, _) => (false, true),
            // It counts away from its end.
            _ => return None,
        };
        if equal && (distance < 0 || distance % step != 0) {
            return None;
        }
        let count = match inclusive {
            true if distance >= 0 => distance / step + 1,
            true => 0,
            false => (distance.max(0) + step - 1) / step,
        };
        let last = match header.down {
            true => start - count * step,
            false => start + count * step,
        };
        // It would begin anew behind the last number that it can be.
        (own.contains(&last) && compared.contains(&last)).then_some(count)
    }

    /// Whether, for some values of its names, it would run for ever, or much longer than it says.
    fn may_wrap(&self) -> bool {
        let header = &self.header;
        let away = match header.comparison {
            Comparison::Less | Comparison::LessEqual => header.down,
            Comparison::Greater | Comparison::GreaterEqual => !header.down,
            Comparison::NotEqual => self.value(&header.step) != Some(1),
        };
        let unsigned = |s: Scalar| s.promoted().is_unsigned();
        let narrow = self.scalar.size() < self.end_scalar.size() || self.scalar.size() < 4;
        // The smallest of all numbers is never passed.
        let to_nothing =
            header.down && self.scalar.is_unsigned() && header.comparison != Comparison::NotEqual;
        let below = to_nothing
            && (header.comparison == Comparison::GreaterEqual
                || self.value(&header.step) != Some(1));
        // A number that may be below zero is compared with one that cannot.
        let signed = |e: &Expr, of: Scalar| !unsigned(of) && self.value(e).is_none_or(|v| v < 0);
        let common = unsigned(self.scalar.common(self.end_scalar));
        let mixed =
            common && (signed(&header.end, self.end_scalar) || signed(&header.start, self.scalar));
        let no_step = self.value(&header.step).is_some_and(|s| s <= 0);
        let start_scalar = self.start_scalar();
        let cut = start_scalar.is_none_or(|s| s.size() > self.scalar.size());
        let start_mixed = start_scalar.is_some_and(|s| {
            s.is_unsigned() != self.scalar.is_unsigned() && self.value(&header.start).is_none()
        });
        away || narrow || below || mixed || no_step || cut || start_mixed
    }

    /// The type of the first value; of a number that fits, that of the variable.
    fn start_scalar(&self) -> Option<Scalar> {
        let known = self.value(&self.header.start);
        if known.is_some_and(|v| range(self.scalar).contains(&v)) {
            return Some(self.scalar);
        }
        let reading = self.reading;
        let span = self.header.start_span;
        let mut nodes = reading.tree.within(span);
        let node = nodes.find(|&n| reading.tree.span(n) == span)?;
        reading.sema.scalar(node)
    }
}

/// The numbers that a type has.
fn range(scalar: Scalar) -> std::ops::RangeInclusive<i128> {
    let bits = scalar.size() * 8;
    match scalar.is_unsigned() {
        true => 0..=(1i128 << bits) - 1,
        false => -(1i128 << (bits - 1))..=(1i128 << (bits - 1)) - 1,
    }
}

/// The variable that a loop begins with, and its value.
fn first_value(reading: &Reading<'_>, initializer: NodeId) -> Option<(DefinitionId, NodeId)> {
    let (tree, sema) = (reading.tree, reading.sema);
    match tree.kind(initializer) {
        Kind::Declaration => {
            let names = declarators(tree, initializer, reading.text);
            let [name] = names.as_slice() else {
                return None;
            };
            let plain = name.pointers == 0 && name.sizes.is_empty() && !name.reference;
            Some((sema.definition(name.node?)?, name.value.filter(|_| plain)?))
        }
        Kind::AssignmentExpression => {
            let left = tree.child(initializer, Field::Left)?;
            let operator = tree.child(initializer, Field::Operator)?;
            let sets = tree.text(operator, reading.text) == "=";
            let named = tree.kind(left) == Kind::Identifier && sets;
            let id = sema.definition(left).filter(|_| named)?;
            Some((id, tree.child(initializer, Field::Right)?))
        }
        _ => None,
    }
}

/// Whether an expression has names, numbers and what computes with them, and nothing else.
fn is_plain(reading: &Reading<'_>, node: NodeId) -> bool {
    let tree = reading.tree;
    let mut all = tree.descendants(node);
    all.all(|n| match tree.kind(n) {
        Kind::Other => tree.field(n) == Field::Operator,
        kind => matches!(
            kind,
            Kind::Identifier
                | Kind::NumberLiteral
                | Kind::BinaryExpression
                | Kind::UnaryExpression
                | Kind::ParenthesizedExpression
                | Kind::CastExpression
                | Kind::TypeDescriptor
                | Kind::PrimitiveType
                | Kind::SizedType
        ),
    })
}

/// The number that a constant is, by its declaration.
fn constant(reading: &Reading<'_>, id: DefinitionId, deeper: usize) -> Option<Value> {
    let (tree, sema) = (reading.tree, reading.sema);
    let definition = sema.defined(id);
    let said = definition.qualified.own;
    if definition.kind != DefinitionKind::Variable || !said.constant || said.volatile {
        return None;
    }
    let TypeKind::Scalar(scalar) = sema.kind(sema.type_of_definition(id)) else {
        return None;
    };
    let span = sema.name_span(id);
    let mut here = tree.within(span);
    let name = here.find(|&n| tree.span(n) == span)?;
    let declarator = tree.parent(name)?;
    let value = tree.child(declarator, Field::Value)?;
    let known = tree.kind(declarator) == Kind::InitDeclarator && is_plain(reading, value);
    let mut values = HashMap::new();
    let names = tree.descendants(value).filter(|_| known);
    for name in names.filter(|&n| tree.kind(n) == Kind::Identifier) {
        let value = constant(reading, sema.definition(name)?, deeper.checked_sub(1)?)?;
        values.insert(tree.text(name, reading.text), value);
    }
    let parsed = expr::parse(tree.text(value, reading.text))
        .ok()
        .filter(|_| known)?;
    let value = expr::evaluate(&parsed, &|name| values.get(name).copied()).ok()?;
    let whole = !scalar.is_float() && !value.scalar().is_float();
    whole.then(|| value.convert(scalar))
}

/// Whether something in a loop's body may end it.
fn leaves(reading: &Reading<'_>, statement: NodeId, body: NodeId) -> bool {
    let tree = reading.tree;
    tree.descendants(body).any(|n| match tree.kind(n) {
        Kind::ReturnStatement | Kind::GotoStatement | Kind::ThrowStatement => true,
        Kind::BreakStatement => {
            let mut around = std::iter::successors(tree.parent(n), |n| tree.parent(*n));
            let ended = around.find(|&n| {
                matches!(
                    tree.kind(n),
                    Kind::ForStatement
                        | Kind::ForRangeLoop
                        | Kind::WhileStatement
                        | Kind::DoStatement
                        | Kind::SwitchStatement
                )
            });
            ended == Some(statement)
        }
        _ => false,
    })
}
