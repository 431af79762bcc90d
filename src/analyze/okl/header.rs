use super::expressions::expression;
use super::unit::Unit;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::expr::{self, BinaryOperator, Expr, Scalar, Value, simplify};
use crate::module::{Comparison, ConstructKind, Header};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, declarators, specifiers, type_span, type_words};

/// Reads the header of a `for` statement, or reports why it cannot be distributed.
/// `opaque` bounds may be read from device memory.
pub(super) fn read(
    context: &mut Context<'_>,
    unit: &mut Unit,
    statement: NodeId,
    opaque: bool,
) -> Option<Header> {
    let tree = context.tree;
    let text = context.text;
    let at = |field| tree.child(statement, field);
    let head = tree.span(statement);
    let head = Span::new(head.start, head.start + 3);

    let initializer = at(Field::Initializer).filter(|&n| tree.kind(n) == Kind::Declaration);
    let Some(initializer) = initializer else {
        context.error(&codes::LOOP_INITIALIZER, head, &[]);
        return None;
    };
    let names = declarators(tree, initializer, text);
    let [name] = names.as_slice() else {
        context.error(&codes::LOOP_INITIALIZER, tree.span(initializer), &[]);
        return None;
    };
    let Some(value) = name
        .value
        .filter(|_| name.pointers == 0 && name.sizes.is_empty())
    else {
        context.error(&codes::LOOP_INITIALIZER, tree.span(initializer), &[]);
        return None;
    };
    let type_name = type_words(tree, initializer, text).into_owned();
    let scalar = unit.scalar_of(context.sema, initializer);
    if scalar.is_some_and(|s| s.is_float() || s == Scalar::Bool) {
        context.error(
            &codes::LOOP_TYPE,
            type_span(tree, initializer),
            &[&type_name],
        );
        return None;
    }
    let start_span = tree.span(value);
    let dimensions = |node: NodeId| {
        let named = |n: NodeId| unit.dimensions_of(tree.text(n, text)).is_some();
        tree.descendants(node)
            .any(|n| tree.kind(n) == Kind::Identifier && named(n))
    };
    // Accesses through dimensions are no text of the target's.
    let parts = [Some(value), at(Field::Condition)];
    let plain = !parts.into_iter().flatten().any(dimensions);
    let element = |n| tree.kind(n) == Kind::SubscriptExpression;
    let device = |node: NodeId| opaque && plain && tree.descendants(node).any(element);
    let start = match device(value) {
        true => Expr::name(start_span.of(text)),
        false => expression(context, unit, start_span)?,
    };
    let automatic = specifiers(tree, initializer, text).automatic;
    let converted = match (scalar, context.sema.scalar(value)) {
        (Some(to), Some(from)) if !automatic => converted(&start, from, to),
        _ => None,
    };
    let converts_start = converted.is_some();
    let start = converted.unwrap_or(start);

    let condition = at(Field::Condition).map(|n| tree.unparenthesized(n));
    let Some((comparison, last)) = condition.and_then(|c| bound((tree, text), c, name.name)) else {
        let span = condition.map_or(head, |c| tree.span(c));
        context.error(&codes::LOOP_CONDITION, span, &[&name.name]);
        return None;
    };
    let end_span = tree.span(last);
    let real = context.sema.scalar(last).is_some_and(Scalar::is_float);
    let up = !matches!(comparison, Comparison::LessEqual | Comparison::Greater);
    let end = match device(last) {
        // Only the device can tell, which `@max_inner_dims` allows for.
        true => Expr::name(end_span.of(text)),
        false if real => whole(expression(context, unit, end_span)?, up),
        false => expression(context, unit, end_span)?,
    };
    if real {
        unit.push(end_span, ConstructKind::RealBound { up });
    }

    let update = at(Field::Update).map(|n| tree.unparenthesized(n));
    let Some((down, step_span)) = update.and_then(|u| change((tree, text), u, name.name)) else {
        let span = update.map_or(head, |u| tree.span(u));
        context.error(&codes::LOOP_UPDATE, span, &[&name.name]);
        return None;
    };
    let mut step = match step_span {
        Some(span) => expression(context, unit, span)?,
        None => Expr::int(1),
    };
    let (mut down, mut step_span) = (down, step_span);
    if let Some(negative) = expr::constant(&step).filter(|s| *s < 0) {
        // `i += -2` counts down by two.
        down = !down;
        step_span = None;
        step = Expr::int(i32::try_from(-negative).ok()?);
    }
    let wrong_way = match comparison {
        Comparison::Less | Comparison::LessEqual => down,
        Comparison::Greater | Comparison::GreaterEqual => !down,
        Comparison::NotEqual => step != Expr::int(1),
    };
    let never = expr::constant(&step).is_some_and(|s| s <= 0);
    if wrong_way || never {
        let span = update.map_or(head, |u| tree.span(u));
        context.error(&codes::LOOP_DIRECTION, span, &[&name.name]);
        return None;
    }
    Some(Header {
        variable: name.name.to_string(),
        type_name,
        scalar,
        start,
        start_span,
        converts_start,
        end,
        end_span,
        end_scalar: context.sema.scalar(last),
        comparison,
        step,
        step_span,
        down,
        names: Vec::new(),
        automatic,
    })
}

/// A first value as the variable has it, if its own type may have others.
fn converted(start: &Expr, from: Scalar, to: Scalar) -> Option<Expr> {
    if let Ok(value) = expr::evaluate(start, &|_| None) {
        let own = value.convert(to);
        return (own.as_i64() != value.as_i64()).then_some(Expr::Literal(own));
    }
    let (small, large) = (from.size(), to.size());
    let holds = match (from.is_unsigned(), to.is_unsigned()) {
        (true, true) | (false, false) => small <= large,
        (true, false) => small < large,
        (false, true) => false,
    };
    (from.is_float() || !holds).then(|| Expr::Cast(to, Box::new(start.clone())))
}

/// A number that integers are compared with, as the integer that is compared alike: the next one `up` or down.
fn whole(end: Expr, up: bool) -> Expr {
    let cut = Expr::Cast(Scalar::Long, Box::new(end.clone()));
    let (compare, change) = match up {
        true => (BinaryOperator::Less, BinaryOperator::Add),
        false => (BinaryOperator::Greater, BinaryOperator::Subtract),
    };
    let other = Expr::binary(compare, cut.clone(), end);
    Expr::binary(change, cut, Expr::Cast(Scalar::Int, Box::new(other)))
}

fn is_name((tree, text): (&Tree, &str), node: NodeId, name: &str) -> bool {
    let node = tree.unparenthesized(node);
    tree.kind(node) == Kind::Identifier && tree.text(node, text) == name
}

/// The comparison with the variable on the left, and the bound.
pub(crate) fn bound(
    (tree, text): (&Tree, &str),
    condition: NodeId,
    name: &str,
) -> Option<(Comparison, NodeId)> {
    if tree.kind(condition) != Kind::BinaryExpression {
        return None;
    }
    let left = tree.child(condition, Field::Left)?;
    let right = tree.child(condition, Field::Right)?;
    let operator = tree.text(tree.child(condition, Field::Operator)?, text);
    if is_name((tree, text), left, name) {
        let comparison = match operator {
            "<" => Comparison::Less,
            "<=" => Comparison::LessEqual,
            ">" => Comparison::Greater,
            ">=" => Comparison::GreaterEqual,
            "!=" => Comparison::NotEqual,
            _ => return None,
        };
        return Some((comparison, right));
    }
    if is_name((tree, text), right, name) {
        let comparison = match operator {
            ">" => Comparison::Less,
            ">=" => Comparison::LessEqual,
            "<" => Comparison::Greater,
            "<=" => Comparison::GreaterEqual,
            "!=" => Comparison::NotEqual,
            _ => return None,
        };
        return Some((comparison, left));
    }
    None
}

/// Whether the variable counts down, and by what; `None` inside means by one.
pub(crate) fn change(
    (tree, text): (&Tree, &str),
    update: NodeId,
    name: &str,
) -> Option<(bool, Option<Span>)> {
    let operator = |node| {
        tree.child(node, Field::Operator)
            .map_or("", |o| tree.text(o, text))
    };
    match tree.kind(update) {
        Kind::UpdateExpression => {
            let argument = tree.child(update, Field::Argument)?;
            is_name((tree, text), argument, name).then_some((operator(update) == "--", None))
        }
        Kind::AssignmentExpression => {
            let left = tree.child(update, Field::Left)?;
            let right = tree.child(update, Field::Right)?;
            if !is_name((tree, text), left, name) {
                return None;
            }
            match operator(update) {
                "+=" => Some((false, Some(tree.span(right)))),
                "-=" => Some((true, Some(tree.span(right)))),
                "=" => {
                    let sum = tree.unparenthesized(right);
                    if tree.kind(sum) != Kind::BinaryExpression {
                        return None;
                    }
                    let a = tree.child(sum, Field::Left)?;
                    let b = tree.child(sum, Field::Right)?;
                    match operator(sum) {
                        "+" if is_name((tree, text), a, name) => Some((false, Some(tree.span(b)))),
                        "+" if is_name((tree, text), b, name) => Some((false, Some(tree.span(a)))),
                        "-" if is_name((tree, text), a, name) => Some((true, Some(tree.span(b)))),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Number of iterations, at least in intent: a negative value means none. Computed in 64 bits
/// unless it is a constant, so that bounds near 2^31 do not overflow.
pub(crate) fn count(header: &Header) -> Expr {
    use BinaryOperator::{Add, Divide, Subtract};
    let (low, high) = if header.down {
        (&header.end, &header.start)
    } else {
        (&header.start, &header.end)
    };
    let inclusive = matches!(
        header.comparison,
        Comparison::LessEqual | Comparison::GreaterEqual
    );
    let round_up = |distance: Expr, one: Expr| {
        // ceil(distance / step), one more for an inclusive bound.
        let plus = if inclusive {
            header.step.clone()
        } else {
            Expr::binary(Subtract, header.step.clone(), one)
        };
        Expr::binary(
            Divide,
            Expr::binary(Add, distance, plus),
            header.step.clone(),
        )
    };
    // Differences of constants may be larger than the constants' type.
    let known = |e: &Expr| expr::constant(e).map(i128::from);
    if let (Some(high), Some(low), Some(step)) = (known(high), known(low), known(&header.step)) {
        let plus = if inclusive { step } else { step - 1 };
        let count = if step > 0 {
            (high - low + plus) / step
        } else {
            0
        };
        return match i32::try_from(count) {
            Ok(count) => Expr::int(count),
            Err(_) => Expr::Literal(Value::Int(
                Scalar::Long,
                i64::try_from(count).unwrap_or(i64::MAX),
            )),
        };
    }
    let narrow = simplify(&Expr::binary(Subtract, high.clone(), low.clone()));
    if expr::constant(&narrow).is_some() {
        let exact = simplify(&round_up(narrow.clone(), Expr::int(1)));
        if expr::constant(&exact).is_some() {
            return exact;
        }
    }
    // Of an unsigned type, a distance below zero would be a long one.
    let signed = |e: &Expr| match expr::evaluate(e, &|_| None) {
        Ok(Value::Int(scalar, _)) => scalar.promoted() == Scalar::Int,
        _ => false,
    };
    let wide = |e: &Expr| match expr::constant(e) {
        Some(n) if n.unsigned_abs() < 1 << 24 && signed(e) => e.clone(),
        Some(n) => Expr::Literal(Value::Int(Scalar::Long, n)),
        None => Expr::Cast(Scalar::Long, Box::new(e.clone())),
    };
    // `e = eo; e < eo + size` has `size` iterations, whatever `eo` is.
    let cancelled = {
        let mut gone = false;
        low.for_each_name(&mut |name| gone |= !narrow.mentions(name));
        gone
    };
    let distance = match expr::constant(low) {
        Some(0) => wide(high),
        _ if cancelled => wide(&narrow),
        _ => Expr::binary(Subtract, wide(high), wide(low)),
    };
    simplify(&round_up(distance, Expr::int(1)))
}
