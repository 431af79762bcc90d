//! Expressions that the host evaluates: loop bounds, tile sizes, host code.

use super::told;
use super::unit::Unit;
use super::{functions, sizes};
use crate::analyze::Context;
use crate::diagnostics::{Code, Diagnostic, codes};
use crate::expr::{
    BinaryOperator, EvaluateError, Expr, Scalar, Value, evaluate, parse as parse_expression,
    parse_statement, root_name, simplify,
};
use crate::module::{Dimensions, HostFunction, Layout, Table};
use crate::source::Span;
use crate::syntax::{Kind, NodeId, Tree};
use foldhash::{HashMap, HashSet};

/// What the host's part of kernels works with, besides the unit's constants.
#[derive(Default)]
pub(super) struct HostFacts {
    /// How the value parameters of the current kernel lie in memory.
    pub(super) structs: HashMap<String, Layout>,
    /// The types of what the current kernel declares outside of its nests; `None` where that is not
    /// known.
    pub(super) shapes: HashMap<String, Option<sizes::Shape>>,
    /// Declarations around the nests that declare no variables.
    pub(super) locals: Vec<Span>,
    /// Pointer parameters of the current kernel.
    pub(super) pointers: HashSet<String>,
    /// Arrays that the current function of the host has declared.
    pub(super) own_arrays: HashSet<String>,
    /// Arrays of constants at file scope.
    pub(super) arrays: Vec<Table>,
    /// Those that the host reads by an index it computes.
    pub(super) tables: Vec<Table>,
    /// Functions that are no kernels.
    pub(super) nodes: HashMap<String, Vec<NodeId>>,
    /// What was found about those that the host calls, or why it cannot.
    pub(super) known: HashMap<String, Result<HostFunction, String>>,
    /// In the order in which they were found.
    pub(super) functions: Vec<HostFunction>,
}

/// Who reads an expression.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Use {
    /// A loop header: whether the host knows the value is decided later, when it is known which loop
    /// needs it.
    Header,
    /// A statement of the host, which may change variables.
    Statement,
}

/// Why the host cannot have a value.
pub(super) struct Problem(pub(super) &'static Code, pub(super) String);

type Settled = Result<Expr, Problem>;

/// The expression at a span of a loop header; what the host cannot read is an error.
pub(super) fn expression(context: &mut Context<'_>, unit: &mut Unit, span: Span) -> Option<Expr> {
    read(context, unit, span, Use::Header).map(|e| simplify(&e))
}

/// The size of a tile, from an attribute's argument.
pub(super) fn tile_size(
    context: &mut Context<'_>,
    unit: &mut Unit,
    text: &str,
    attribute: Span,
) -> Option<Expr> {
    parse(context, unit, text, attribute, Use::Header).map(|e| simplify(&unit.resolve(&e)))
}

/// The expression at a span.
pub(super) fn read(
    context: &mut Context<'_>,
    unit: &mut Unit,
    span: Span,
    by: Use,
) -> Option<Expr> {
    let text = context.text;
    parse(context, unit, span.of(text), span, by)
}

/// The expression that a text is; `span` is where it stands, or the attribute it stands in.
fn parse(
    context: &mut Context<'_>,
    unit: &mut Unit,
    text: &str,
    span: Span,
    by: Use,
) -> Option<Expr> {
    let around = unit.look(context, span);
    let read = parse_here(context, unit, (text, span), by);
    unit.look_back(around);
    read
}

fn parse_here(
    context: &mut Context<'_>,
    unit: &mut Unit,
    (text, span): (&str, Span),
    by: Use,
) -> Option<Expr> {
    let types = |name: &str| match unit.named_type(name) {
        (scalar, 0) => scalar.filter(|_| unit.types.get(name).is_none_or(|facts| !facts.array)),
        _ => None,
    };
    match parse_statement(text, &types) {
        Ok(parsed) => match settle(context, unit, &parsed, by) {
            Ok(expr) => Some(expr),
            Err(Problem(code, what)) => {
                context.error(code, span, &[&what]);
                None
            }
        },
        Err(error) => {
            let at = match span.of(context.text) == text {
                true => Span::new(span.start + error.span.start, span.start + error.span.end),
                false => span,
            };
            let code = &codes::HOST_EXPRESSION;
            let message = Diagnostic::at(code, context.provenance, at, &[&error.message]);
            let message = told::with_defines(context, message);
            context.sink.push(message);
            None
        }
    }
}

/// The expression with constants in place of their names, if the host can evaluate the rest.
fn settle(context: &mut Context<'_>, unit: &mut Unit, expr: &Expr, by: Use) -> Settled {
    match expr {
        Expr::Name(name) => value(unit, name, by),
        Expr::Element(base, _) => {
            let mut failed = None;
            let settled = expr.map_parts(&mut |part| match settle(context, unit, part, by) {
                Ok(part) => part,
                Err(problem) => {
                    failed.get_or_insert(problem);
                    part.clone()
                }
            });
            if let Some(problem) = failed {
                return Err(problem);
            }
            match settled {
                // All its indices were constants.
                Expr::Name(name) => value(unit, &name, by),
                element => {
                    known_place(unit, base, &element.to_string(), &first(&element), by)?;
                    Ok(element)
                }
            }
        }
        Expr::Call(name, arguments) => call(context, unit, name, arguments, by),
        other => {
            let mut failed = None;
            let settled = other.map_parts(&mut |part| match settle(context, unit, part, by) {
                Ok(part) => part,
                Err(problem) => {
                    failed.get_or_insert(problem);
                    part.clone()
                }
            });
            failed.map_or(Ok(settled), Err)
        }
    }
}

/// An element as it would be named with every index 0: enough to find its type.
fn first(element: &Expr) -> String {
    match element {
        Expr::Element(base, indices) => {
            indices.iter().fold(base.to_string(), |name, (_, after)| {
                format!("{name}[0]{after}")
            })
        }
        other => other.to_string(),
    }
}

fn value(unit: &mut Unit, name: &str, by: Use) -> Settled {
    if let Some(value) = unit.value(name) {
        return Ok(Expr::Literal(*value));
    }
    let root = root_name(name);
    if let Some(table) = unit.table(root) {
        let value = name.get(root.len()..).and_then(|b| table.element(b));
        return value
            .map(Expr::Literal)
            .ok_or_else(|| Problem(&codes::HOST_MEMBER, name.to_string()));
    }
    known_place(unit, root, name, name, by)?;
    Ok(Expr::name(name))
}

/// Checks a variable, field or element; `shown` is how it is written, `zeroed` the same with every
/// index a number.
fn known_place(
    unit: &mut Unit,
    base: &str,
    shown: &str,
    zeroed: &str,
    by: Use,
) -> Result<(), Problem> {
    let root = root_name(base);
    let path = zeroed.get(root.len()..).unwrap_or("");
    if let Some(layout) = unit.host.structs.get(root) {
        return match unit.layouts.locate(layout, path) {
            Some(_) => Ok(()),
            None => Err(Problem(&codes::HOST_MEMBER, shown.to_string())),
        };
    }
    if let Some(table) = unit.table(root) {
        if table.element(path).is_none() {
            return Err(Problem(&codes::HOST_MEMBER, shown.to_string()));
        }
        if !unit.host.tables.contains(table) {
            let table = table.clone();
            unit.host.tables.push(table);
        }
        return Ok(());
    }
    // Which of the function's variables it is, and of how many dimensions, is asked when it is read.
    if unit.host.own_arrays.contains(root) {
        return Ok(());
    }
    // Within a nest, bounds that only items know are guards.
    if by == Use::Header {
        return Ok(());
    }
    if unit.host.pointers.contains(root) {
        return Err(Problem(&codes::HOST_MEMORY, shown.to_string()));
    }
    match path {
        "" => Ok(()),
        _ => Err(Problem(&codes::HOST_MEMBER, shown.to_string())),
    }
}

/// Which element `m(i, j)` is.
fn flat(dimensions: &Dimensions, indices: &[Expr]) -> Option<Expr> {
    if indices.len() != dimensions.extents.len() {
        return None;
    }
    let mut slowest_first = dimensions.order.iter().rev();
    let mut index = indices.get(*slowest_first.next()?)?.clone();
    for &place in slowest_first {
        let extent = parse_expression(dimensions.extents.get(place)?).ok()?;
        let behind = Expr::binary(BinaryOperator::Multiply, extent, index);
        index = Expr::binary(BinaryOperator::Add, indices.get(place)?.clone(), behind);
    }
    Some(index)
}

fn call(
    context: &mut Context<'_>,
    unit: &mut Unit,
    name: &str,
    arguments: &[Expr],
    by: Use,
) -> Settled {
    if name == "sizeof" {
        let size = arguments.first().and_then(|a| sizes::size_of(unit, a));
        let shown = || arguments.first().map_or(String::new(), Expr::to_string);
        return size.ok_or_else(|| Problem(&codes::HOST_SIZE, shown()));
    }
    let operand = || arguments.first().map_or(String::new(), Expr::to_string);
    if matches!(name, "*_" | "&_") {
        let plain = matches!(arguments, [Expr::Name(_)]);
        let shown = match plain {
            true => format!("{}{}", &name[..1], operand()),
            false => format!("{}({})", &name[..1], operand()),
        };
        if unit.host.own_arrays.contains(root_name(&operand())) {
            let what = format!("'{shown}' is about an address, and the host has none");
            return Err(Problem(&codes::HOST_EXPRESSION, what));
        }
        // Within a nest, bounds that only items know are guards.
        return match by {
            Use::Header if plain && name == "*_" => Ok(Expr::name(shown)),
            _ => Err(Problem(&codes::HOST_MEMORY, shown)),
        };
    }
    let word = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == ':')
        && !matches!(name, "_++" | "_--");
    if !word && by == Use::Header {
        let what = format!("'{}' changes '{}'", name.trim_matches('_'), operand());
        return Err(Problem(&codes::HOST_EXPRESSION, what));
    }
    let mut settled = Vec::with_capacity(arguments.len());
    for (index, argument) in arguments.iter().enumerate() {
        // What is assigned to is a place, not a value.
        let target = !word && name != "," && index == 0;
        settled.push(match (target, argument) {
            (true, Expr::Name(_)) => argument.clone(),
            _ => settle(context, unit, argument, by)?,
        });
    }
    if !word {
        return Ok(Expr::Call(name.into(), settled));
    }
    if let Some(dimensions) = unit.dimensions_of(name) {
        let shown = || Expr::Call(name.into(), settled.clone()).to_string();
        return match flat(dimensions, &settled) {
            Some(index) if by == Use::Header => {
                Ok(Expr::element(name.into(), vec![(index, "".into())]))
            }
            _ => Err(Problem(&codes::HOST_MEMORY, shown())),
        };
    }
    if unit.host.pointers.contains(name) {
        let shown = Expr::Call(name.into(), settled).to_string();
        return Err(Problem(&codes::HOST_MEMORY, shown));
    }
    if let Some(own) = functions::find(unit, name) {
        return functions::call(context, unit, &own, settled, by);
    }
    let made = Expr::Call(name.into(), settled);
    let any = |_: &str| Some(Value::int(1));
    let plain: Vec<Expr> = arguments.iter().map(|_| Expr::int(1)).collect();
    match evaluate(&Expr::Call(name.into(), plain), &any) {
        Err(EvaluateError::NotAFunction(name)) => {
            Err(Problem(&codes::HOST_FUNCTION, format!("'{name}'")))
        }
        Err(error @ EvaluateError::WrongArguments { .. }) => {
            Err(Problem(&codes::HOST_EXPRESSION, error.to_string()))
        }
        _ => Ok(made),
    }
}

/// The element of one of these tables that a name such as `t[2][1]` means.
pub(super) fn element(tables: &[Table], name: &str) -> Option<Value> {
    let root = root_name(name);
    let table = tables.iter().find(|t| t.name == root)?;
    table.element(name.get(root.len()..)?)
}

/// The elements of an array of constants, `{1, 2, 3}` or `{{1, 2}, {3, 4}}`, missing ones zero.
pub(super) fn table(
    unit: &Unit,
    name: &str,
    scalar: Scalar,
    sizes: &[Option<&str>],
    (tree, text, initializer): (&Tree, &str, NodeId),
) -> Option<Table> {
    let mut items = Vec::new();
    let mut rows: Vec<usize> = Vec::new();
    let mut left: Vec<NodeId> = vec![initializer];
    while let Some(node) = left.pop() {
        if tree.kind(node) != Kind::InitializerList {
            items.push(tree.text(node, text));
            continue;
        }
        let around = tree.parent(node);
        if around == Some(initializer) {
            rows.push(items.len());
        }
        let from = left.len();
        left.extend(tree.children(node));
        if let Some(own) = left.get_mut(from..) {
            own.reverse();
        }
    }
    let mut extents: Vec<Option<u64>> = sizes
        .iter()
        .map(|s| s.and_then(|s| u64::try_from(unit.constant(s)?).ok()))
        .collect();
    let inner: u64 = extents.iter().skip(1).copied().product::<Option<u64>>()?;
    let count = match rows.len() {
        0 => (items.len() as u64).div_ceil(inner.max(1)),
        n => n as u64,
    };
    let outer = extents.first_mut()?;
    *outer = outer.or(Some(count));
    let extents: Vec<u64> = extents.into_iter().collect::<Option<_>>()?;
    let total = usize::try_from(extents.iter().product::<u64>()).ok()?;
    // Rows that are not filled would shift what follows; arrays of great size are not for the host.
    let full = rows.windows(2).all(|w| (w[1] - w[0]) as u64 == inner);
    if total > 4096 || items.len() > total || !full {
        return None;
    }
    let mut values = Vec::with_capacity(total);
    for item in &items {
        let e = parse_statement(item, &|_| None).ok()?;
        let e = Expr::Cast(scalar, Box::new(unit.resolve(&e)));
        let value = evaluate(&e, &|name| element(&unit.host.arrays, name));
        values.push(value.ok()?);
    }
    values.resize(total, Value::int(0).convert(scalar));
    Some(Table {
        name: name.to_string(),
        scalar,
        extents,
        values,
    })
}
