//! Accumulation: where loops stay loops, what items add up in arrays of their own, in a loop around those over the arrays'
//! elements, is added up element by element: that loop becomes the innermost one, and the sum stays in a register.
//!
//! **Legality.** The body is that loop and declarations before it, whose values nothing in the loop changes. The loop declares
//! temporaries, each of which is written once, read from memory, and ends with loops over elements around one `OP=`. Each of these
//! loops counts one subscript of the element, so that elements are different ones, and each of them is changed in the same order as
//! before, by the same values: what these are read from nobody writes meanwhile, and nobody has the array's address. Bounds are
//! numbers. What is called, or not modelled, is left alone.
//!
//! **Gain.** An element is read and written once instead of in each round. What temporaries hold is read more often, which pays
//! where the lanes of a vector read side by side, or all the same.

use super::interchange::counter;
use super::leaves::{counts_up, only};
use crate::body::{
    BinaryOperator, Body, Distributed, DistributedKind, ExpressionId, ExpressionKind, Memory,
    PlaceId, Program, Root, StatementId, StatementKind, Step, TypeKind, VariableId,
};
use crate::facts::{Affine, Definitions};
use crate::module::Held;
use crate::source::Span;

/// A loop over items whose body adds up, by statements and expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accumulation {
    pub(crate) leaf: Span,
    /// Declarations stand before the loop.
    pub(crate) declares: bool,
    /// The loop in which sums grow, and how many rounds it has.
    pub(crate) rounds: (Span, u64),
    /// Those over the elements, from the outside, and what counts them.
    pub(crate) elements: Vec<(Span, String)>,
    pub(crate) temporaries: Vec<Held>,
    /// `place OP= value`
    pub(crate) update: Span,
}

/// The loops of a kernel that are worth it.
pub(crate) fn accumulations(
    program: &Program,
    body: &Body,
    definitions: &Definitions,
) -> Vec<Accumulation> {
    let affine = Affine::new(program, body, definitions);
    let mut found = Vec::new();
    body.each_statement(&body.root, &mut |id| {
        if let StatementKind::Distributed(this) = &body.statement(id).kind
            && this.kind == DistributedKind::Inner
            && this.guard.is_none()
        {
            let leaf = Leaf {
                program,
                body,
                affine: &affine,
                this,
            };
            found.extend(leaf.accumulation(body.statement(id).span));
        }
    });
    found
}

/// Loops over elements, and what counts them.
type Elements = Vec<(Span, String)>;

/// A loop over items that is looked at.
struct Leaf<'b> {
    program: &'b Program,
    body: &'b Body,
    affine: &'b Affine<'b>,
    this: &'b Distributed,
}

/// A temporary that a round declares.
struct Known {
    variable: VariableId,
    /// What it holds, once it is assigned: its counter if it is an array, and the value.
    holds: Option<(Option<VariableId>, ExpressionId)>,
}

impl Leaf<'_> {
    fn accumulation(&self, leaf: Span) -> Option<Accumulation> {
        let body = self.body;
        let (last, before) = inside(body, &self.this.body).split_last()?;
        let (round, list) = self.counted(*last)?;
        let rounds = self.rounds(*last)?;
        let (nest, statements) = inside(body, list).split_last()?;
        let mut known = Vec::new();
        for id in statements {
            self.temporary(*id, &mut known)?;
        }
        let (elements, counters, update) = self.nest(*nest)?;
        let ExpressionKind::Update { place, value, .. } = body.expression(update).kind else {
            return None;
        };
        let array = self.element(place, &counters)?;
        // Somebody may read or write it otherwise.
        let addressed = (0..body.expressions.len()).any(|e| {
            let kind = &body.expressions[e].kind;
            matches!(kind, ExpressionKind::AddressOf(p) if body.place(*p).root == Root::Variable(array))
        });
        if addressed || body.addressed.contains(&array) {
            return None;
        }
        let allowed = |place: PlaceId| self.is_read(place, array, &known, &counters);
        let mut suits = self.is_pure(value, &allowed);
        for temporary in &known {
            let (_, value) = temporary.holds?;
            let memory = |p: PlaceId| self.is_memory(p, array, &known);
            suits &= self.is_pure(value, &memory);
        }
        let mut own = Vec::new();
        for id in before {
            suits &= self.is_before(*id, array, &mut own);
        }
        if !suits || self.captures(before, &known, (&counters, round)) {
            return None;
        }
        let mut temporaries = Vec::new();
        for temporary in &known {
            let (counter, held) = temporary.holds?;
            temporaries.push(Held {
                name: self.name(temporary.variable).to_string(),
                value: body.expression(held).span,
                uses: self.uses(value, temporary.variable, counter)?,
            });
        }
        Some(Accumulation {
            leaf,
            declares: !before.is_empty(),
            rounds: (body.statement(*last).span, rounds),
            elements,
            temporaries,
            update: body.expression(update).span,
        })
    }

    fn name(&self, variable: VariableId) -> &str {
        &self.program.variable(self.body, variable).name
    }

    /// What counts a loop from a number to a number, and its body.
    fn counted(&self, id: StatementId) -> Option<(VariableId, &[StatementId])> {
        match &self.body.statement(id).kind {
            StatementKind::Loop {
                initial,
                condition: Some(condition),
                step: Some(step),
                body,
                late: false,
            } => Some((counter(self.body, initial, *condition, *step)?, body)),
            _ => None,
        }
    }

    /// How many rounds a loop has that counts upwards, one by one.
    fn rounds(&self, id: StatementId) -> Option<u64> {
        let body = self.body;
        let StatementKind::Loop {
            initial,
            condition: Some(condition),
            step: Some(step),
            ..
        } = &body.statement(id).kind
        else {
            return None;
        };
        let ExpressionKind::Binary(BinaryOperator::Less, _, bound) =
            body.expression(*condition).kind
        else {
            return None;
        };
        let (first, by) = counts_up(body, self.affine, initial, *step)?;
        let rounds = self.affine.sum(bound)?.as_constant()?.checked_sub(first)?;
        u64::try_from(rounds).ok().filter(|_| by == 1)
    }

    /// The loops over elements, what counts them, and the one update in them.
    fn nest(&self, id: StatementId) -> Option<(Elements, Vec<VariableId>, ExpressionId)> {
        let (mut loops, mut counters, mut at) = (Vec::new(), Vec::new(), id);
        loop {
            if let StatementKind::Expression(update) = self.body.statement(at).kind {
                return (!loops.is_empty()).then_some((loops, counters, update));
            }
            let (counter, list) = self.counted(at)?;
            let name = self.name(counter).to_string();
            loops.push((self.body.statement(at).span, name));
            counters.push(counter);
            at = only(self.body, list)?;
        }
    }

    /// The array, if a place is an element of an item's own one that each of the loops counts a subscript of.
    fn element(&self, place: PlaceId, counters: &[VariableId]) -> Option<VariableId> {
        let place = self.body.place(place);
        let Root::Variable(array) = place.root else {
            return None;
        };
        let mut counted = Vec::new();
        for step in &place.path {
            let Step::Index(index) = step else {
                return None;
            };
            match self.body.read_whole(*index) {
                Some(variable) if counters.contains(&variable) => counted.push(variable),
                _ if self.body.is_computed_of(*index, &|_| false) => {}
                _ => return None,
            }
        }
        let all = counters.iter().all(|c| counted.contains(c)) && counted.len() == counters.len();
        let own = self.program.variable(self.body, array).memory == Memory::Exclusive;
        (all && own).then_some(array)
    }

    /// A statement of a round that declares a temporary, or gives one its value.
    fn temporary(&self, id: StatementId, known: &mut Vec<Known>) -> Option<()> {
        let body = self.body;
        match &body.statement(id).kind {
            StatementKind::Declare {
                variable,
                zeros: false,
            } => {
                let declared = self.program.variable(body, *variable);
                let kind = self.program.types.kind(declared.ty);
                let one = !matches!(kind, TypeKind::Record(_) | TypeKind::Pointer(_));
                (one && declared.memory == Memory::Private).then(|| {
                    known.push(Known {
                        variable: *variable,
                        holds: None,
                    });
                })
            }
            StatementKind::Expression(value) => self.assigned(*value, None, known),
            StatementKind::Loop { .. } => {
                let (counter, list) = self.counted(id)?;
                let StatementKind::Expression(value) = body.statement(only(body, list)?).kind
                else {
                    return None;
                };
                self.assigned(value, Some(counter), known)
            }
            _ => None,
        }
    }

    /// `temporary = value`, or `temporary[counter] = value`, of what is read as it is.
    fn assigned(
        &self,
        assignment: ExpressionId,
        counter: Option<VariableId>,
        known: &mut [Known],
    ) -> Option<()> {
        let body = self.body;
        let ExpressionKind::Assign { place, value } = body.expression(assignment).kind else {
            return None;
        };
        let to = body.place(place);
        let temporary = known
            .iter_mut()
            .find(|t| to.root == Root::Variable(t.variable))?;
        let counts = match (to.path.as_slice(), counter) {
            ([], None) => true,
            ([Step::Index(index)], Some(counter)) => body.read_whole(*index) == Some(counter),
            _ => false,
        };
        let loads = matches!(body.expression(value).kind, ExpressionKind::Load(_));
        let fits = counts && loads && temporary.holds.is_none();
        fits.then(|| temporary.holds = Some((counter, value)))
    }

    /// Whether a value is computed by operators alone, of addresses and of what is read from places that will do.
    fn is_pure(&self, value: ExpressionId, suits: &dyn Fn(PlaceId) -> bool) -> bool {
        let body = self.body;
        let mut pure = true;
        body.each_value(value, &mut |e| {
            pure &= match &body.expression(e).kind {
                ExpressionKind::Load(place) => suits(*place),
                // Of what lasts: elements of temporaries are no longer in memory.
                ExpressionKind::AddressOf(place) => match body.place(*place).root {
                    Root::Variable(v) => self.program.variable(body, v).memory != Memory::Private,
                    Root::Pointer(_) => true,
                },
                ExpressionKind::Offset(..) => true,
                ExpressionKind::Literal(_)
                | ExpressionKind::Unary(..)
                | ExpressionKind::Binary(..)
                | ExpressionKind::Conditional(..)
                | ExpressionKind::Component(..)
                | ExpressionKind::Convert(_) => true,
                _ => false,
            };
        });
        pure
    }

    /// Whether what is read is no temporary and not the array, and lanes read it side by side, or all the same.
    fn is_memory(&self, place: PlaceId, array: VariableId, known: &[Known]) -> bool {
        if let Root::Variable(variable) = self.body.place(place).root
            && (variable == array || known.iter().any(|t| t.variable == variable))
        {
            return false;
        }
        if self.body.whole(place).is_some() {
            return true;
        }
        let index = self.affine.access(place).map(|a| a.index);
        let slope = index.and_then(|i| i.slope(self.this.variable));
        slope.is_some_and(|s| matches!(s.as_constant(), Some(-1..=1)))
    }

    /// The same where temporaries are read, too: elements that a loop counts.
    fn is_read(
        &self,
        place: PlaceId,
        array: VariableId,
        known: &[Known],
        counters: &[VariableId],
    ) -> bool {
        let at = self.body.place(place);
        let temporary = { known.iter() }.find(|t| at.root == Root::Variable(t.variable));
        match (temporary, at.path.as_slice()) {
            (None, _) => self.is_memory(place, array, known),
            (Some(_), []) => true,
            (Some(_), [Step::Index(index)]) => {
                let counter = self.body.read_whole(*index);
                counter.is_some_and(|c| counters.contains(&c))
            }
            _ => false,
        }
    }

    /// Where a value reads a temporary: an array by a counter of the name that it was written by.
    fn uses(
        &self,
        value: ExpressionId,
        temporary: VariableId,
        counter: Option<VariableId>,
    ) -> Option<Vec<Span>> {
        let body = self.body;
        let (mut uses, mut alike) = (Vec::new(), true);
        body.each_value(value, &mut |e| {
            let ExpressionKind::Load(place) = body.expression(e).kind else {
                return;
            };
            let place = body.place(place);
            if place.root != Root::Variable(temporary) {
                return;
            }
            uses.push(body.expression(e).span);
            let by = place.path.first().map(|step| match step {
                Step::Index(index) => body.read_whole(*index).map(|v| self.name(v)),
                _ => None,
            });
            alike &= by == counter.map(|c| Some(self.name(c)));
        });
        alike.then_some(uses)
    }

    /// A declaration before the loop, and its value, that is the same whenever it is computed.
    fn is_before(&self, id: StatementId, array: VariableId, own: &mut Vec<VariableId>) -> bool {
        match self.body.statement(id).kind {
            StatementKind::Declare { variable, .. } => {
                own.push(variable);
                // To GCC, an array is one over the lanes, and the loop no vector.
                let ty = self.program.variable(self.body, variable).ty;
                !matches!(self.program.types.kind(ty), TypeKind::Array(..))
            }
            StatementKind::Expression(value) => {
                let assigned = self.body.assigned(value);
                let other = |p: PlaceId| self.body.place(p).root != Root::Variable(array);
                assigned.is_some_and(|(to, value)| own.contains(&to) && self.is_pure(value, &other))
            }
            _ => false,
        }
    }

    /// Whether a name in what stands around the loops over elements, or moves into them, would mean one of their counters.
    fn captures(
        &self,
        before: &[StatementId],
        known: &[Known],
        (counters, round): (&[VariableId], VariableId),
    ) -> bool {
        let body = self.body;
        let counts = |v: VariableId| counters.iter().any(|c| self.name(*c) == self.name(v));
        let mut captures = counts(round);
        let mut named = |value: ExpressionId, but: Option<VariableId>| {
            body.each_value(value, &mut |e| {
                if let Some(place) = body.place_of(e)
                    && let Root::Variable(variable) = body.place(place).root
                {
                    captures |= Some(variable) != but && counts(variable);
                }
            });
        };
        for temporary in known {
            if let Some((counter, value)) = temporary.holds {
                named(value, counter);
            }
        }
        for id in before {
            body.values_of(*id).for_each(|value| named(value, None));
        }
        let declares = |id: &StatementId| match body.statement(*id).kind {
            StatementKind::Declare { variable, .. } => counts(variable),
            _ => false,
        };
        captures || before.iter().any(declares)
    }
}

/// The statements of a list, or of the block that is all of it.
fn inside<'b>(body: &'b Body, list: &'b [StatementId]) -> &'b [StatementId] {
    if let [one] = list
        && let StatementKind::Block(list) = &body.statement(*one).kind
    {
        return inside(body, list);
    }
    list
}
