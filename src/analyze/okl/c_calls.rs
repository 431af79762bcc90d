//! Calls and conditions that C++ takes and some targets do not, or take otherwise: arguments whose types
//! fit several overloads equally well, as `sqrt(2)` in OpenCL C and for NVRTC; `abs` of anything but an
//! integer and `?:` on a floating-point number in OpenCL C.

use super::unit::Unit;
use crate::analyze::Context;
use crate::expr::Scalar;
use crate::module::{ConstructKind, Declared, Declares, VectorType};
use crate::sema::{REAL_FUNCTIONS, Sema, computed_in};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree};

/// A piece of text that something goes around.
struct Wrap {
    span: Span,
    before: ConstructKind,
    after: ConstructKind,
}

/// Records what has to be converted or called by another name.
pub(super) fn c_calls(context: &Context<'_>, unit: &mut Unit, declared: &Declared) {
    let tree = context.tree;
    let Some(root) = tree.root() else { return };
    // Only a program that names a vector type has vectors.
    let vectors = context.text.contains(['2', '3', '4'])
        && tree.descendants(root).any(|n| {
            let words = tree.text(n, context.text);
            let name = match tree.kind(n) {
                Kind::TypeIdentifier => Some(words),
                Kind::Identifier => words.strip_prefix("make_"),
                _ => None,
            };
            name.is_some_and(|name| VectorType::from_name(name).is_some())
        });
    let concerned = |node: &NodeId| match tree.kind(*node) {
        Kind::ConditionalExpression => true,
        Kind::BinaryExpression | Kind::AssignmentExpression => vectors,
        Kind::CallExpression => called(tree, *node, context.text).is_some_and(|(name, _)| {
            is_known(name) && declared.get(name).is_none_or(Declares::leaves_device_code)
        }),
        _ => false,
    };
    single(context, unit, declared, root);
    let nodes: Vec<NodeId> = tree.descendants(root).filter(concerned).collect();
    if nodes.is_empty() {
        return;
    }
    let types = context.sema;
    let mut wraps = Vec::new();
    for node in nodes {
        match called(tree, node, context.text) {
            Some(("abs", span)) => unit.push(span, ConstructKind::InC("brook_abs".to_string())),
            Some((name, _)) => call(tree, types, node, name, &mut wraps),
            None if tree.kind(node) == Kind::ConditionalExpression => {
                condition(tree, types, node, &mut wraps);
            }
            None => vector_operator(tree, types, node, context.text, &mut wraps),
        }
    }
    for wrap in &wraps {
        unit.push(Span::at(wrap.span.start), wrap.before.clone());
    }
    // What is inside ends first.
    for wrap in wraps.iter().rev() {
        unit.push(Span::at(wrap.span.end), wrap.after.clone());
    }
}

/// `sqrtf(x)` and its like, which OpenCL C has for all types under one name: `sqrt((float)(x))`.
fn single(context: &Context<'_>, unit: &mut Unit, declared: &Declared, root: NodeId) {
    let tree = context.tree;
    let calls = tree
        .descendants(root)
        .filter(|&n| tree.kind(n) == Kind::CallExpression);
    for node in calls {
        let Some((name, span)) = called(tree, node, context.text) else {
            continue;
        };
        let Some(stem) = name.strip_suffix('f').filter(|s| is_single(s)) else {
            continue;
        };
        if declared.get(name).is_some() {
            continue;
        }
        unit.push(span, ConstructKind::InC(stem.to_string()));
        let list = tree.child(node, Field::Arguments);
        for argument in list.into_iter().flat_map(|l| tree.children(l)) {
            let span = tree.span(argument);
            unit.push(
                Span::at(span.start),
                ConstructKind::ConvertedInC(Scalar::Float.c_name()),
            );
            unit.push(Span::at(span.end), ConstructKind::InC(")".to_string()));
        }
    }
}

fn is_single(stem: &str) -> bool {
    const STEMS: [&str; 38] = [
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign",
        "cos", "cosh", "erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor",
        "fma", "fmax", "fmin", "fmod", "hypot", "log", "log10", "log1p", "log2", "pow", "round",
        "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
    ];
    STEMS.contains(&stem)
}

fn is_known(name: &str) -> bool {
    matches!(name, "abs" | "max" | "min") || REAL_FUNCTIONS.contains(&name)
}

/// The plain name of the function that is called, and where it stands.
fn called<'t>(tree: &Tree, node: NodeId, text: &'t str) -> Option<(&'t str, Span)> {
    let function = tree.child(node, Field::Function)?;
    let span = tree.span(function);
    let words = tree.text(function, text);
    match tree.kind(function) {
        Kind::Identifier => Some((words, span)),
        Kind::QualifiedIdentifier => {
            let name = words.strip_prefix("std::")?;
            Some((name, Span::new(span.end - name.len() as u32, span.end)))
        }
        _ => None,
    }
}

/// Converts arguments that do not have the type in which C++ computes.
fn call(tree: &Tree, types: &Sema<'_>, node: NodeId, name: &str, wraps: &mut Vec<Wrap>) {
    let Some(list) = tree.child(node, Field::Arguments) else {
        return;
    };
    let arguments: Option<Vec<Scalar>> = tree
        .children(list)
        .map(|a| scalar_in_c(tree, types, a))
        .collect();
    let Some(arguments) = arguments else { return };
    let Some(common) = arguments.iter().copied().reduce(Scalar::common) else {
        return;
    };
    let has = |scalar| arguments.contains(&scalar);
    let floats = arguments.iter().any(|a| a.is_float());
    let (ambiguous, to) = match name {
        "max" | "min" => (arguments.iter().any(|a| *a != common), common),
        _ => (
            !floats || (has(Scalar::Float) && has(Scalar::Double)),
            computed_in(&arguments),
        ),
    };
    // Arrays of narrow integers are compared as what they are.
    let same = arguments.windows(2).all(|pair| pair[0] == pair[1]);
    if !ambiguous || (same && !floats && matches!(name, "max" | "min")) {
        return;
    }
    for argument in tree.children(list) {
        // What is an `int` in C may be something else in C++.
        if types.scalar(argument) != Some(to) {
            wraps.push(Wrap {
                span: tree.span(argument),
                before: ConstructKind::Converted(Some(to)),
                after: ConstructKind::Converted(None),
            });
        }
    }
}

/// `d * v` with a scalar of higher rank than the vector's components: it is converted to their type.
fn vector_operator(tree: &Tree, types: &Sema<'_>, node: NodeId, text: &str, wraps: &mut Vec<Wrap>) {
    let sides = (
        tree.child(node, Field::Left),
        tree.child(node, Field::Right),
    );
    let (Some(left), Some(right)) = sides else {
        return;
    };
    let operator = tree.child(node, Field::Operator);
    let operator = operator
        .map_or("", |o| tree.text(o, text))
        .trim_end_matches('=');
    if !matches!(operator, "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^") {
        return;
    }
    if matches!(operator, "/" | "%") {
        quotient(tree, types, (node, left, right), wraps);
    }
    let (vector, side) = match (types.vector(left), types.vector(right)) {
        (Some(vector), None) => (vector, right),
        (None, Some(vector)) => (vector, left),
        _ => return,
    };
    let Some(scalar) = scalar_in_c(tree, types, side) else {
        return;
    };
    let component = vector.scalar;
    let higher = match (scalar.is_float(), component.is_float()) {
        (true, false) => true,
        (false, true) => false,
        // Of integers of one size, the unsigned one is the higher.
        _ if scalar.size() == component.size() => is_unsigned(scalar) && !is_unsigned(component),
        _ => scalar.size() > component.size(),
    };
    if higher {
        wraps.push(Wrap {
            span: tree.span(side),
            before: ConstructKind::ConvertedInC(component.c_name()),
            after: ConstructKind::InC(")".to_string()),
        });
    }
}

/// `v / n` of vectors of three integers: which operand is a vector and no place that is assigned.
fn quotient(
    tree: &Tree,
    types: &Sema<'_>,
    (node, left, right): (NodeId, NodeId, NodeId),
    wraps: &mut Vec<Wrap>,
) {
    let of_three = |node: NodeId| {
        let vector = types.vector(node);
        vector.is_some_and(|v| v.width == 3 && !v.scalar.is_float())
    };
    let operand = match (of_three(left), of_three(right)) {
        (false, false) => return,
        // What is assigned stays a place.
        _ if tree.kind(node) == Kind::AssignmentExpression => right,
        (true, _) => left,
        (false, true) => right,
    };
    // Constants of a file are computed by the compiler, which may call nothing there.
    let mut around = std::iter::successors(Some(node), |n| tree.parent(*n));
    if around.any(|n| tree.kind(n) == Kind::CompoundStatement) {
        wraps.push(Wrap {
            span: tree.span(operand),
            before: ConstructKind::Quotient(true),
            after: ConstructKind::Quotient(false),
        });
    }
}

fn is_unsigned(scalar: Scalar) -> bool {
    matches!(
        scalar,
        Scalar::UChar | Scalar::UShort | Scalar::UInt | Scalar::ULong
    )
}

/// The scalar that an expression is in C, where what operators make of truth is an `int`, and so is what `?:` makes of
/// two narrow integers of one type.
fn scalar_in_c(tree: &Tree, types: &Sema<'_>, node: NodeId) -> Option<Scalar> {
    let scalar = types.scalar(node)?;
    let made = matches!(
        tree.kind(tree.unparenthesized(node)),
        Kind::True
            | Kind::False
            | Kind::UnaryExpression
            | Kind::BinaryExpression
            | Kind::CommaExpression
    );
    let chosen = tree.kind(tree.unparenthesized(node)) == Kind::ConditionalExpression;
    Some(match scalar {
        scalar if chosen => scalar.promoted(),
        Scalar::Bool if made => Scalar::Int,
        scalar => scalar,
    })
}

/// `x ? a : b` with a floating-point number.
fn condition(tree: &Tree, types: &Sema<'_>, node: NodeId, wraps: &mut Vec<Wrap>) {
    let Some(condition) = tree.child(node, Field::Condition) else {
        return;
    };
    if types.scalar(condition).is_some_and(Scalar::is_float) {
        wraps.push(Wrap {
            span: tree.span(condition),
            before: ConstructKind::InC("((".to_string()),
            after: ConstructKind::InC(") != 0)".to_string()),
        });
    }
}
