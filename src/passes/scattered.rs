//! Scattered copies: where items are lanes of vectors, loops over items that only copy, to places that do not lie side by side.
//!
//! **Legality.** A loop over items need not be a vector.
//!
//! **Gain.** An instruction that writes to as many places as it has lanes takes as long as writing to them one by one, and what it
//! writes has to be put together before. Where a place is a sum in which the lane's number is a factor of something, compilers find
//! ways around that; behind a quotient or a remainder they do not.

use crate::body::{
    BinaryOperator, Body, Distributed, DistributedKind, ExpressionId, ExpressionKind, Memory,
    PlaceId, Program, Root, StatementKind, VariableId,
};
use crate::facts::Definitions;
use crate::source::Span;

/// The innermost loops over items of a kernel that are such copies.
pub(crate) fn scattered(program: &Program, body: &Body, definitions: &Definitions) -> Vec<Span> {
    let copies = Copies {
        program,
        body,
        definitions,
    };
    let mut found = Vec::new();
    body.each_statement(&body.root, &mut |id| {
        if let StatementKind::Distributed(this) = &body.statement(id).kind
            && this.kind == DistributedKind::Inner
            && is_scattered(&copies, this)
        {
            found.push(body.statement(id).span);
        }
    });
    found
}

fn is_scattered(copies: &Copies<'_>, this: &Distributed) -> bool {
    let body = copies.body;
    let (mut all, mut scattered) = (true, false);
    body.each_statement(&this.body, &mut |id| {
        all &= match body.statement(id).kind {
            StatementKind::Declare { .. }
            | StatementKind::Block(_)
            | StatementKind::Loop { .. } => true,
            StatementKind::Expression(value) => match body.expression(value).kind {
                ExpressionKind::Assign { place, value } if !copies.is_own(place) => {
                    let mut way = body.way(place);
                    scattered |= way.any(|index| copies.is_broken(index, this.variable));
                    matches!(body.expression(value).kind, ExpressionKind::Load(_))
                }
                ExpressionKind::Assign { .. } => true,
                _ => false,
            },
            _ => false,
        };
    });
    all && scattered
}

struct Copies<'b> {
    program: &'b Program,
    body: &'b Body,
    definitions: &'b Definitions,
}

impl Copies<'_> {
    /// Whether a place is in a variable of the item.
    fn is_own(&self, place: PlaceId) -> bool {
        match self.body.place(place).root {
            Root::Variable(v) => self.program.variable(self.body, v).memory == Memory::Private,
            Root::Pointer(_) => false,
        }
    }

    /// Whether a value is made of a quotient or a remainder of what is made of a variable.
    fn is_broken(&self, value: ExpressionId, of: VariableId) -> bool {
        self.is_made(value, MOST, &|e| match self.body.expression(e).kind {
            ExpressionKind::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, a, _) => {
                self.is_made(a, MOST, &|e| self.body.read_whole(e) == Some(of))
            }
            _ => false,
        })
    }

    /// Whether one of the values that a value is made of is such a one: those of variables that name a value, too.
    fn is_made(
        &self,
        value: ExpressionId,
        depth: usize,
        is: &dyn Fn(ExpressionId) -> bool,
    ) -> bool {
        let mut found = false;
        self.body.each_value(value, &mut |e| {
            let named = || {
                let variable = self.body.read_whole(e)?;
                let value = self.definitions.only_value(variable)?;
                Some(depth > 0 && self.is_made(value, depth - 1, is))
            };
            found = found || is(e) || named().unwrap_or(false);
        });
        found
    }
}

/// So many variables that are made of others are followed.
const MOST: usize = 8;
