//! Walks over bodies: what an expression, a place or a statement is made of.

use super::{
    Body, Distributed, ExpressionId, ExpressionKind, PlaceId, Root, StatementId, StatementKind,
    Step, VariableId,
};

impl ExpressionKind {
    /// Calls the visitors with the operands and the places of a value.
    fn parts(&self, operand: &mut dyn FnMut(ExpressionId), place: &mut dyn FnMut(PlaceId)) {
        match self {
            Self::Literal(_) | Self::Null => {}
            Self::Load(p) | Self::AddressOf(p) => place(*p),
            Self::Unary(_, a) | Self::Convert(a) | Self::Component(a, _) | Self::FieldOf(a, _) => {
                operand(*a);
            }
            Self::Binary(_, a, b)
            | Self::Offset(a, b)
            | Self::Difference(a, b)
            | Self::And(a, b)
            | Self::Or(a, b)
            | Self::Comma(a, b) => [a, b].into_iter().for_each(|e| operand(*e)),
            Self::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| operand(*e)),
            Self::Assign { place: p, value }
            | Self::Update {
                place: p, value, ..
            } => {
                place(*p);
                operand(*value);
            }
            Self::Call(_, list)
            | Self::Builtin(_, list)
            | Self::Construct(list)
            | Self::Collective(_, list) => list.iter().for_each(|e| operand(*e)),
        }
    }
}

impl Body {
    /// The values that lead to a place: a pointer, indices.
    pub(crate) fn way(&self, place: PlaceId) -> Vec<ExpressionId> {
        let place = self.place(place);
        let root = match place.root {
            Root::Pointer(pointer) => Some(pointer),
            Root::Variable(_) => None,
        };
        let steps = place.path.iter().filter_map(|step| match step {
            Step::Index(index) => Some(*index),
            Step::Field(_) | Step::Component(_) => None,
        });
        root.into_iter().chain(steps).collect()
    }

    /// The values that a value is made of: its operands, and those that lead to its places.
    pub(crate) fn operands(&self, id: ExpressionId) -> Vec<ExpressionId> {
        let (mut inside, mut places) = (Vec::new(), Vec::new());
        let kind = &self.expression(id).kind;
        kind.parts(&mut |e| inside.push(e), &mut |p| places.push(p));
        inside.extend(places.into_iter().flat_map(|p| self.way(p)));
        inside
    }

    /// Calls a visitor with a value and all values in it, outer ones first.
    pub(crate) fn each_value(&self, id: ExpressionId, visit: &mut dyn FnMut(ExpressionId)) {
        visit(id);
        for inside in self.operands(id) {
            self.each_value(inside, visit);
        }
    }

    /// Whether a value is computed of numbers and whole variables, of which a visitor says that they will do, by operators
    /// alone: nothing is called or changed.
    pub(crate) fn is_computed_of(
        &self,
        id: ExpressionId,
        suits: &dyn Fn(VariableId) -> bool,
    ) -> bool {
        let mut computed = true;
        self.each_value(id, &mut |e| {
            computed &= match &self.expression(e).kind {
                ExpressionKind::Literal(_)
                | ExpressionKind::Unary(..)
                | ExpressionKind::Binary(..)
                | ExpressionKind::And(..)
                | ExpressionKind::Or(..)
                | ExpressionKind::Conditional(..)
                | ExpressionKind::Convert(_) => true,
                ExpressionKind::Load(place) => {
                    let place = self.place(*place);
                    matches!(place.root, Root::Variable(v) if suits(v)) && place.path.is_empty()
                }
                _ => false,
            };
        });
        computed
    }

    /// The place that a value is read from, written to, or the address of.
    pub(crate) fn place_of(&self, id: ExpressionId) -> Option<PlaceId> {
        match self.expression(id).kind {
            ExpressionKind::Load(place)
            | ExpressionKind::AddressOf(place)
            | ExpressionKind::Assign { place, .. }
            | ExpressionKind::Update { place, .. } => Some(place),
            _ => None,
        }
    }

    /// The operand that decides whether others are computed: the left one of `&&` and `||`, the condition of `?:`.
    pub(crate) fn decides(&self, id: ExpressionId) -> Option<ExpressionId> {
        match self.expression(id).kind {
            ExpressionKind::And(first, _)
            | ExpressionKind::Or(first, _)
            | ExpressionKind::Conditional(first, ..) => Some(first),
            _ => None,
        }
    }

    /// The values that a statement itself computes, and not those in it.
    pub(crate) fn values_of(&self, id: StatementId) -> Vec<ExpressionId> {
        match &self.statement(id).kind {
            StatementKind::Expression(value) => vec![*value],
            StatementKind::If { condition, .. } => vec![*condition],
            StatementKind::Loop {
                condition, step, ..
            } => condition.iter().chain(step).copied().collect(),
            StatementKind::Switch { value, .. } => vec![*value],
            StatementKind::Return(value) => value.iter().copied().collect(),
            StatementKind::Distributed(this) => [this.first, this.count, this.step]
                .into_iter()
                .chain(this.guard)
                .collect(),
            StatementKind::Declare { .. }
            | StatementKind::Block(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Barrier(_)
            | StatementKind::Opaque(_) => Vec::new(),
        }
    }

    /// The lists of statements in a statement, in source order.
    pub(crate) fn lists_of(&self, id: StatementId) -> Vec<&[StatementId]> {
        match &self.statement(id).kind {
            StatementKind::Block(inside) => vec![inside],
            StatementKind::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            StatementKind::Loop { initial, body, .. } => vec![initial, body],
            StatementKind::Switch { cases, .. } => cases.iter().map(|c| &c.body[..]).collect(),
            StatementKind::Distributed(this) => vec![&this.body],
            _ => Vec::new(),
        }
    }

    /// Calls a visitor with each statement of a list and all statements in it, outer ones first.
    pub(crate) fn each_statement(&self, list: &[StatementId], visit: &mut dyn FnMut(StatementId)) {
        for &id in list {
            visit(id);
            for inside in self.lists_of(id) {
                self.each_statement(inside, visit);
            }
        }
    }

    /// The outermost loops over groups or items, in source order.
    pub(crate) fn nests(&self) -> Vec<(StatementId, &Distributed)> {
        let mut found = Vec::new();
        self.nests_in(&self.root, &mut found);
        found
    }

    fn nests_in<'b>(
        &'b self,
        list: &'b [StatementId],
        found: &mut Vec<(StatementId, &'b Distributed)>,
    ) {
        for &id in list {
            match &self.statement(id).kind {
                StatementKind::Distributed(nest) => found.push((id, nest)),
                _ => {
                    let lists = self.lists_of(id);
                    lists.into_iter().for_each(|l| self.nests_in(l, found));
                }
            }
        }
    }
}
