//! Initialisers of constants that are made of other constants. Memory for constants is filled before any
//! program runs: no target can read one constant there to make another.

use super::expressions::element;
use super::unit::Unit;
use crate::analyze::Context;
use crate::expr::{self, Expr, Value, evaluate, is_function, parse_statement, root_name};
use crate::module::ConstructKind;
use crate::syntax::{Field, Kind, NodeId};

/// Finds the parts of an initialiser that have to be numbers, and those numbers.
pub(super) fn initializer(context: &Context<'_>, unit: &mut Unit, value: NodeId) {
    let tree = context.tree;
    match tree.kind(value) {
        Kind::InitializerList => {
            for part in tree.children(value) {
                initializer(context, unit, part);
            }
        }
        Kind::InitializerPair => {
            if let Some(part) = tree.child(value, Field::Value) {
                initializer(context, unit, part);
            }
        }
        _ => {
            let around = unit.look(context, tree.span(value));
            let number = number(unit, tree.text(value, context.text));
            unit.look_back(around);
            if let Some(number) = number {
                unit.push(tree.span(value), ConstructKind::Number(number.to_string()));
            }
        }
    }
}

/// What an expression amounts to, if it is no constant expression for a compiler.
fn number(unit: &Unit, text: &str) -> Option<Value> {
    let types = |name: &str| match unit.named_type(name) {
        (scalar, 0) => scalar,
        _ => None,
    };
    let read = parse_statement(text, &types).ok()?;
    let mut reads = false;
    let mut visit = |name: &str| {
        let table = unit.host.arrays.iter().any(|t| t.name == root_name(name));
        let value = unit.resolve(&Expr::name(name));
        // Small integers are constants everywhere.
        reads |= table || (expr::constant(&value).is_none() && matches!(value, Expr::Literal(_)));
    };
    read.for_each_name(&mut visit);
    read.for_each_call(&mut |name| reads |= is_function(name));
    if !reads {
        return None;
    }
    let element = |name: &str| element(&unit.host.arrays, name);
    evaluate(&unit.resolve(&read), &element).ok()
}
