//! What code is made of that is only about values.

use crate::syntax::{Field, Kind};

/// What an expression without effects over variables and numbers is made of.
pub(super) fn is_pure(kind: Kind, field: Field) -> bool {
    is_plain(kind, field) && !has_effect(kind)
}

pub(super) fn has_effect(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::AssignmentExpression
            | Kind::UpdateExpression
            | Kind::CallExpression
            | Kind::SubscriptExpression
            | Kind::FieldExpression
    )
}

/// What straight code is made of.
pub(super) fn is_plain(kind: Kind, field: Field) -> bool {
    match kind {
        Kind::InitDeclarator
        | Kind::ConditionClause
        | Kind::ParenthesizedExpression
        | Kind::Identifier
        | Kind::NumberLiteral
        | Kind::CharLiteral
        | Kind::True
        | Kind::False
        | Kind::BinaryExpression
        | Kind::UnaryExpression
        | Kind::UpdateExpression
        | Kind::AssignmentExpression
        | Kind::ConditionalExpression
        | Kind::CallExpression
        | Kind::ArgumentList
        | Kind::SubscriptExpression
        | Kind::SubscriptArguments
        | Kind::FieldExpression
        | Kind::FieldIdentifier
        | Kind::CastExpression
        | Kind::TypeDescriptor
        | Kind::PrimitiveType
        | Kind::SizedType
        | Kind::TypeIdentifier
        | Kind::TypeQualifier => true,
        Kind::Other => field == Field::Operator,
        _ => false,
    }
}
