//! Thread coarsening: an item runs several neighbouring iterations of an outer loop, one after the other, where these read
//! elements of the same arrays, which then stay in registers.
//!
//! **Legality.** Groups run in no order and do not wait for each other, so that any number of them may be one after the other
//! if each item needs nothing but its own part of them: the loop has no barriers, no memory and no functions of a group, and
//! nothing in it that stands outside of all inner loops changes anything but variables of its own. No item leaves it by
//! `return`. Everything in it is modelled.
//!
//! **Gain.** Elements of arrays that nothing in the nest writes, and that no other pointer may lead to, are read by
//! more than one of an item's iterations: their indices are fewer iterations apart than an item runs. Nothing loops in an
//! iteration, so that a compiler sees all reads at once.

use crate::body::{
    Body, Distributed, DistributedKind, ExpressionId, ExpressionKind, Memory, PlaceId, Program,
    Root, StatementId, StatementKind, VariableId,
};
use crate::facts::{Affine, Aliases, Definitions, Distance, Object, Sum, distance};
use crate::source::Span;

/// Of four, large stencils of many points gain more, and small ones lose a tenth, since too few groups are left; two are hardly
/// ever slower than one. With wide accesses it is four (`schedule/wide_access.rs`).
const ITERATIONS: u8 = 2;

/// Who reads more elements of an array has its registers full; and each is compared with all.
const MOST_READS: usize = 128;

/// A loop to coarsen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coarse {
    /// The nest that it is in, and its own statement.
    pub(crate) nest: Span,
    pub(crate) outer: Span,
    /// How many iterations an item is to run.
    pub(crate) iterations: usize,
    /// How many of an iteration's reads another one of these has made before.
    pub(crate) again: usize,
    /// Operators, calls and accesses through pointers of an iteration.
    pub(crate) operations: usize,
}

/// The loops of a kernel that are worth it, at most one of each nest.
pub(crate) fn coarsened(
    program: &Program,
    body: &Body,
    definitions: &Definitions,
    aliases: &Aliases,
) -> Vec<Coarse> {
    let this = Coarsening {
        body,
        program,
        affine: Affine::new(program, body, definitions),
        aliases,
    };
    let nests = body.nests().into_iter();
    nests
        .filter_map(|(id, nest)| this.of_nest(id, nest))
        .collect()
}

struct Coarsening<'b> {
    body: &'b Body,
    program: &'b Program,
    affine: Affine<'b>,
    aliases: &'b Aliases,
}

/// An array that is read, and where.
struct Reads {
    object: Object,
    indices: Vec<Sum>,
}

impl<'b> Coarsening<'b> {
    /// The outer loop of a nest by which most is gained.
    fn of_nest(&self, root: StatementId, nest: &'b Distributed) -> Option<Coarse> {
        let span = self.body.statement(root).span;
        let mut best: Option<Coarse> = None;
        let (mut at, mut around, mut outer) = (span, None, nest);
        loop {
            let only = match outer.body.as_slice() {
                [only] => Some(self.body.statement(*only)),
                _ => None,
            };
            // The two halves of a tile are one statement.
            let tile = around == Some(at) || only.is_some_and(|s| s.span == at);
            if !tile && let Some(coarse) = self.of_loop(span, at, outer) {
                let better = best.as_ref().is_none_or(|b| coarse.again > b.again);
                best = if better { Some(coarse) } else { best };
            }
            match only.map(|s| (&s.kind, s.span)) {
                Some((StatementKind::Distributed(next), span))
                    if next.kind == DistributedKind::Outer =>
                {
                    (around, at, outer) = (Some(at), span, next);
                }
                _ => break,
            }
        }
        best
    }

    fn of_loop(&self, nest: Span, at: Span, outer: &'b Distributed) -> Option<Coarse> {
        let step = self.affine.sum(outer.step)?.as_constant()?;
        if !self.is_legal(&outer.body, false) {
            return None;
        }
        let (reads, operations) = self.reads(&outer.body)?;
        let again = reads.iter();
        let again = again.map(|array| shared(&array.indices, outer.variable, step));
        let again = again.sum();
        (again > 0).then_some(Coarse {
            nest,
            outer: at,
            iterations: usize::from(ITERATIONS),
            again,
            operations,
        })
    }

    /// Whether several iterations may run one after the other.
    fn is_legal(&self, list: &[StatementId], items: bool) -> bool {
        list.iter().all(|&id| {
            let kind = &self.body.statement(id).kind;
            let (fine, items) = match kind {
                StatementKind::Barrier(_)
                | StatementKind::Return(_)
                | StatementKind::Opaque(_)
                | StatementKind::Loop { .. }
                | StatementKind::Switch { .. } => (false, items),
                StatementKind::Declare { variable, .. } => (self.is_own(*variable), items),
                StatementKind::Distributed(this) => (
                    !this.wait.before && !this.wait.after,
                    items || this.kind == DistributedKind::Inner,
                ),
                _ => (true, items),
            };
            let mut values = self.body.values_of(id);
            let mut lists = self.body.lists_of(id).into_iter();
            fine && values.all(|v| self.is_free(v, items)) && lists.all(|l| self.is_legal(l, items))
        })
    }

    /// Whether a variable belongs to an iteration and nobody else.
    fn is_own(&self, id: VariableId) -> bool {
        let memory = self.program.variable(self.body, id).memory;
        !matches!(memory, Memory::Shared | Memory::Exclusive)
    }

    /// Whether a value is computed without the other items of the group. Outside of inner loops it writes the group's
    /// variables only.
    fn is_free(&self, id: ExpressionId, items: bool) -> bool {
        let mut free = true;
        self.body.each_value(id, &mut |e| {
            let variable = |place: PlaceId| match self.body.place(place).root {
                Root::Variable(id) => Some(id),
                Root::Pointer(_) => None,
            };
            free &= match &self.body.expression(e).kind {
                ExpressionKind::Collective(..) => false,
                // What a function does outside of inner loops is not looked at.
                ExpressionKind::Call(..) => items,
                ExpressionKind::Load(place) | ExpressionKind::AddressOf(place) => {
                    variable(*place).is_none_or(|v| self.is_own(v))
                }
                ExpressionKind::Assign { place, .. } | ExpressionKind::Update { place, .. } => {
                    variable(*place).map_or(items, |v| self.is_own(v))
                }
                _ => true,
            };
        });
        free
    }

    /// The arrays that are only read, and how many operators, calls and accesses through pointers there are. Nothing if it is not known what is written.
    fn reads(&self, list: &[StatementId]) -> Option<(Vec<Reads>, usize)> {
        let (mut read, mut written) = (Vec::new(), Vec::new());
        let mut operations = 0;
        self.body.each_statement(list, &mut |id| {
            for value in self.body.values_of(id) {
                self.body
                    .each_value(value, &mut |e| match self.body.expression(e).kind {
                        ExpressionKind::Load(place) => read.push(place),
                        ExpressionKind::Assign { place, .. } => written.push(place),
                        ExpressionKind::Update { place, .. } => {
                            written.push(place);
                            operations += 1;
                        }
                        ExpressionKind::Unary(..)
                        | ExpressionKind::Binary(..)
                        | ExpressionKind::Conditional(..)
                        | ExpressionKind::Call(..)
                        | ExpressionKind::Builtin(..) => operations += 1,
                        _ => {}
                    });
            }
        });
        let pointed = |place: &PlaceId| matches!(self.body.place(*place).root, Root::Pointer(_));
        operations += read.iter().chain(&written).filter(|p| pointed(p)).count();
        let mut changed = Vec::new();
        for place in written.into_iter().filter(pointed) {
            changed.push(self.affine.object(place)?);
        }
        let mut found: Vec<Reads> = Vec::new();
        for place in read.into_iter().filter(pointed) {
            let Some(access) = self.affine.access(place) else {
                continue;
            };
            let kept = |o: &Object| *o != access.object && self.aliases.apart(*o, access.object);
            if !changed.iter().all(kept) {
                continue;
            }
            match found.iter_mut().find(|r| r.object == access.object) {
                Some(array) => array.indices.push(access.index),
                None => found.push(Reads {
                    object: access.object,
                    indices: vec![access.index],
                }),
            }
        }
        Some((found, operations))
    }
}

/// How many of an array's elements an iteration reads that another one of the same item reads, too.
fn shared(indices: &[Sum], variable: VariableId, step: i64) -> usize {
    let mut distinct: Vec<&Sum> = Vec::new();
    for index in indices {
        if !distinct.contains(&index) {
            distinct.push(index);
        }
        if distinct.len() > MOST_READS {
            return 0;
        }
    }
    let later = |a: &Sum, b: &Sum| match distance(a, b, variable) {
        Distance::Of(by) => {
            let iterations = by.checked_rem(step).filter(|r| *r == 0);
            iterations.is_some_and(|_| (1..i64::from(ITERATIONS)).contains(&(by / step)))
        }
        Distance::Every | Distance::Unknown => false,
    };
    let again = |a: &&&Sum| distinct.iter().any(|b| later(a, b));
    distinct.iter().filter(again).count()
}
