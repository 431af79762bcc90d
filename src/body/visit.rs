//! Walks over bodies: what an expression, a place or a statement is made of.

use super::{
    Body, Distributed, ExpressionId, ExpressionKind, PlaceId, Root, StatementId, StatementKind,
    Step, VariableId,
};

/// What a value is made of.
struct Parts<'b> {
    few: [Option<ExpressionId>; 3],
    list: &'b [ExpressionId],
    place: Option<PlaceId>,
}

impl ExpressionKind {
    fn parts(&self) -> Parts<'_> {
        let (mut few, mut list, mut place) = ([None; 3], &[][..], None);
        match self {
            Self::Literal(_) | Self::Null => {}
            Self::Load(p) | Self::AddressOf(p) => place = Some(*p),
            Self::Unary(_, a) | Self::Convert(a) | Self::Component(a, _) | Self::FieldOf(a, _) => {
                few[0] = Some(*a);
            }
            Self::Binary(_, a, b)
            | Self::Offset(a, b)
            | Self::Difference(a, b)
            | Self::And(a, b)
            | Self::Or(a, b)
            | Self::Comma(a, b) => few = [Some(*a), Some(*b), None],
            Self::Conditional(a, b, c) => few = [*a, *b, *c].map(Some),
            Self::Assign { place: p, value }
            | Self::Update {
                place: p, value, ..
            } => {
                few[0] = Some(*value);
                place = Some(*p);
            }
            Self::Call(_, all)
            | Self::Builtin(_, all)
            | Self::Construct(all)
            | Self::Collective(_, all) => list = all,
        }
        Parts { few, list, place }
    }
}

// Whoever asks for parts asks for those of every value: nothing here is allocated.
impl Body {
    /// The values that lead to a place: a pointer, indices.
    pub(crate) fn way(&self, place: PlaceId) -> impl Iterator<Item = ExpressionId> + '_ {
        let place = self.place(place);
        let root = match place.root {
            Root::Pointer(pointer) => Some(pointer),
            Root::Variable(_) => None,
        };
        let steps = place.path.iter().filter_map(|step| match step {
            Step::Index(index) => Some(*index),
            Step::Field(_) | Step::Component(_) => None,
        });
        root.into_iter().chain(steps)
    }

    /// The values that a value is made of: its operands, and those that lead to its place.
    pub(crate) fn operands(&self, id: ExpressionId) -> impl Iterator<Item = ExpressionId> + '_ {
        let Parts { few, list, place } = self.expression(id).kind.parts();
        let inside = few.into_iter().flatten().chain(list.iter().copied());
        inside.chain(place.into_iter().flat_map(|p| self.way(p)))
    }

    /// Calls a visitor with a value and all values in it, outer ones first.
    pub(crate) fn each_value(&self, id: ExpressionId, visit: &mut dyn FnMut(ExpressionId)) {
        visit(id);
        self.each_operand(id, |inside| self.each_value(inside, visit));
    }

    /// Calls a visitor with the values that one is made of, in order: iterators that are chained take longer, and some go through every
    /// value many times.
    pub(crate) fn each_operand(&self, id: ExpressionId, mut visit: impl FnMut(ExpressionId)) {
        let Parts { few, list, place } = self.expression(id).kind.parts();
        for inside in few.into_iter().flatten() {
            visit(inside);
        }
        for &inside in list {
            visit(inside);
        }
        for inside in place.into_iter().flat_map(|place| self.way(place)) {
            visit(inside);
        }
    }

    /// Whether a value is computed of numbers and whole variables, of which a visitor says that they will do, by operators
    /// alone: nothing is called or changed.
    pub(crate) fn is_computed_of(
        &self,
        id: ExpressionId,
        suits: &dyn Fn(VariableId) -> bool,
    ) -> bool {
        self.is_computed_from(id, &|place| self.whole(place).is_some_and(suits))
    }

    /// The same of numbers and of what is read from places that will do.
    pub(crate) fn is_computed_from(
        &self,
        id: ExpressionId,
        suits: &dyn Fn(PlaceId) -> bool,
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
                ExpressionKind::Load(place) => suits(*place),
                _ => false,
            };
        });
        computed
    }

    /// The variable all of which a place is.
    pub(crate) fn whole(&self, place: PlaceId) -> Option<VariableId> {
        let place = self.place(place);
        match place.root {
            Root::Variable(variable) if place.path.is_empty() => Some(variable),
            _ => None,
        }
    }

    /// The variable all of which a value is read from.
    pub(crate) fn read_whole(&self, id: ExpressionId) -> Option<VariableId> {
        match self.expression(id).kind {
            ExpressionKind::Load(place) => self.whole(place),
            _ => None,
        }
    }

    /// The variable all of which a value assigns to, and what that is given.
    pub(crate) fn assigned(&self, id: ExpressionId) -> Option<(VariableId, ExpressionId)> {
        match self.expression(id).kind {
            ExpressionKind::Assign { place, value } => Some((self.whole(place)?, value)),
            _ => None,
        }
    }

    /// The place that a value itself writes.
    pub(crate) fn written(&self, id: ExpressionId) -> Option<PlaceId> {
        match self.expression(id).kind {
            ExpressionKind::Assign { place, .. } | ExpressionKind::Update { place, .. } => {
                Some(place)
            }
            _ => None,
        }
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
    pub(crate) fn values_of(&self, id: StatementId) -> impl Iterator<Item = ExpressionId> + use<> {
        let values: [Option<ExpressionId>; 4] = match &self.statement(id).kind {
            StatementKind::Expression(value)
            | StatementKind::If {
                condition: value, ..
            }
            | StatementKind::Switch { value, .. } => [Some(*value), None, None, None],
            StatementKind::Loop {
                condition, step, ..
            } => [*condition, *step, None, None],
            StatementKind::Return(value) => [*value, None, None, None],
            StatementKind::Distributed(this) => [
                Some(this.first),
                Some(this.count),
                Some(this.step),
                this.guard,
            ],
            StatementKind::Declare { .. }
            | StatementKind::Block(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Barrier(_)
            | StatementKind::Opaque(_) => [None; 4],
        };
        values.into_iter().flatten()
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

    /// A statement and all statements in it, outer ones first.
    pub(crate) fn all_of(&self, id: StatementId) -> Vec<StatementId> {
        let mut all = Vec::new();
        self.each_statement(&[id], &mut |inside| all.push(inside));
        all
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
