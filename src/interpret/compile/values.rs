use crate::body::{
    Body, ExpressionId, ExpressionKind, Program, StatementId, StatementKind, TypeKind, Types,
};
use std::collections::HashSet;

/// Whether a function that gives something back may come to its end without doing so, as far as its form says.
pub(super) fn may_end_without_value(program: &Program, body: &Body) -> bool {
    let kind = program.types.kind(body.result);
    !body.kernel && kind != TypeKind::Void && !ends(body, &body.root)
}

/// Whether nothing comes behind these statements.
fn ends(body: &Body, list: &[StatementId]) -> bool {
    list.iter().any(|id| match &body.statement(*id).kind {
        StatementKind::Return(_) => true,
        StatementKind::Block(list) => ends(body, list),
        StatementKind::If {
            then, otherwise, ..
        } => ends(body, then) && ends(body, otherwise),
        _ => false,
    })
}

/// Calls whose values nobody uses: statements of their own, steps of loops, left operands of commas.
pub(super) fn unused_calls(body: &Body) -> HashSet<ExpressionId> {
    let mut found = HashSet::new();
    for statement in &body.statements {
        match statement.kind {
            StatementKind::Expression(value) => unused(body, value, &mut found),
            StatementKind::Loop {
                step: Some(step), ..
            } => unused(body, step, &mut found),
            _ => {}
        }
    }
    for expression in &body.expressions {
        match expression.kind {
            ExpressionKind::Comma(first, _) => unused(body, first, &mut found),
            // `(void) f()`
            ExpressionKind::Convert(value) if expression.ty == Types::VOID => {
                unused(body, value, &mut found);
            }
            _ => {}
        }
    }
    found
}

fn unused(body: &Body, value: ExpressionId, found: &mut HashSet<ExpressionId>) {
    match body.expression(value).kind {
        ExpressionKind::Call(..) => {
            found.insert(value);
        }
        ExpressionKind::Comma(_, last) => unused(body, last, found),
        ExpressionKind::Conditional(_, a, b) => {
            unused(body, a, found);
            unused(body, b, found);
        }
        _ => {}
    }
}
