//! Bodies of loops over items that have such loops, or call functions that do: where they are cut, and what lives across.

use super::{MaskedLoop, MaskedLoops, Outer, Returns};
use crate::body::{
    BodyId, Distributed, ExpressionId, ExpressionKind, Root, StatementId, StatementKind, VariableId,
};
use crate::expr::Scalar;
use crate::module::{BY_ITEM, LaneVariable};
use crate::source::Span;
use foldhash::HashMap;

/// How such a body is cut.
#[derive(Clone, Debug)]
pub(crate) struct MaskedItems {
    /// Where it is cut, in order.
    pub(crate) stages: Vec<Stage>,
    /// The statement that all of it stands in, behind others, and that has nothing but a condition.
    pub(crate) guarded: Option<Span>,
    /// Variables of the body that live across a cut: the stretch between cuts that declares them, and the last one that
    /// names them.
    pub(crate) kept: Vec<(LaneVariable, usize, usize)>,
}

/// What happens between two stretches of an item's body.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// A loop, which is left out of the body.
    Loop(MaskedLoop),
    /// Calls in a statement.
    Calls(Vec<StageCall>),
}

/// A call of a function with such a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StageCall {
    pub(crate) span: Span,
    /// The function's number.
    pub(crate) function: usize,
}

/// A function with such a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callee {
    pub(crate) function: usize,
    /// See [`MaskedLoop::exits`].
    pub(crate) exits: u64,
}

/// What is not a body's to say.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// Which functions have such a loop.
    pub(crate) callee: &'a dyn Fn(BodyId) -> Option<Callee>,
    /// In front of which calls the text can be cut.
    pub(crate) may_cut: &'a dyn Fn(Span) -> bool,
}

/// How the body is cut so far.
#[derive(Default)]
struct Cuts {
    stages: Vec<Stage>,
    /// Variables of the body, and the number of cuts before each.
    outer: Vec<Outer>,
    declared: Vec<usize>,
    /// Behind how many cuts each is named.
    last: HashMap<VariableId, usize>,
}

impl MaskedLoops<'_> {
    /// Where the body of an innermost loop over items is cut.
    pub(crate) fn of_items(&self, leaf: &Distributed, asked: Asked<'_>) -> Option<MaskedItems> {
        let body = self.body;
        let mut cuts = Cuts::default();
        let mut guarded = None;
        let mut list = leaf.body.as_slice();
        let mut at = 0;
        while let Some(&id) = list.get(at) {
            at += 1;
            // A check of bounds around all the rest.
            if cuts.stages.is_empty()
                && at == list.len()
                && guarded.is_none()
                && let StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } = &body.statement(id).kind
                && otherwise.is_empty()
            {
                self.note(*condition, 0, &[], &mut cuts.last);
                guarded = Some(body.statement(id).span);
                (list, at) = (then, 0);
                continue;
            }
            let next = list.get(at).copied();
            self.cut(id, next, asked, &mut cuts)?;
        }
        if cuts.stages.is_empty() {
            return None;
        }
        let kept = self.kept(&cuts)?;
        Some(MaskedItems {
            stages: cuts.stages,
            guarded,
            kept,
        })
    }

    /// Cuts the body at a statement, if that is or calls such a loop; `None` where the body cannot be cut at all.
    fn cut(
        &self,
        id: StatementId,
        next: Option<StatementId>,
        asked: Asked<'_>,
        cuts: &mut Cuts,
    ) -> Option<()> {
        let Asked { callee, may_cut } = asked;
        let body = self.body;
        let at = cuts.stages.len();
        if let Some(found) = self.read(id, &cuts.outer, Returns::Never)
            && found.exits & BY_ITEM != 0
        {
            self.note_all(id, at, &mut cuts.last);
            cuts.stages.push(Stage::Loop(found));
            return Some(());
        }
        if !self.is_before(id, false) {
            return None;
        }
        // What a declaration gives its variable belongs to it, and what it calls is called before.
        let with = match body.statement(id).kind {
            StatementKind::Declare { variable, .. } => {
                let declared = body.statement(id).span;
                next.filter(|next| match body.statement(*next).kind {
                    // And no statement of its own.
                    StatementKind::Expression(value)
                        if declared.contains(body.statement(*next).span) =>
                    {
                        body.assigned(value).is_some_and(|(v, _)| v == variable)
                    }
                    _ => false,
                })
            }
            StatementKind::Expression(_) => Some(id),
            _ => None,
        };
        let mut calls = Vec::new();
        if let Some(StatementKind::Expression(value)) = with.map(|w| &body.statement(w).kind) {
            let depends = self.depends(&cuts.outer);
            let differs = |callee: &Callee, arguments: &[ExpressionId]| {
                let mut all = arguments.iter().enumerate();
                callee.exits & BY_ITEM != 0
                    || all.any(|(index, argument)| {
                        callee.exits >> index & 1 != 0 && depends.of_value(*argument) & BY_ITEM != 0
                    })
            };
            let mut find = |call: ExpressionId, function: BodyId, arguments: &[ExpressionId]| {
                let Some(known) = callee(function) else {
                    return false;
                };
                let span = body.expression(call).span;
                let pure = !arguments.iter().any(|a| self.changes(*a));
                if pure && differs(&known, arguments) && may_cut(span) {
                    calls.push((call, known.function));
                }
                true
            };
            self.calls(*value, &mut find);
        }
        // The second half of a declaration was looked at with the first.
        let seen = cuts.stages.last().is_some_and(|stage| match stage {
            Stage::Calls(known) => calls.iter().any(|(call, _)| {
                let span = body.expression(*call).span;
                known.iter().any(|k| k.span == span)
            }),
            Stage::Loop(_) => false,
        });
        let given: Vec<ExpressionId> = calls.iter().map(|(call, _)| *call).collect();
        if !calls.is_empty() && !seen {
            for (call, _) in &calls {
                for argument in body.operands(*call) {
                    self.note(argument, at, &[], &mut cuts.last);
                }
            }
            let calls = calls.iter().map(|(call, function)| StageCall {
                span: body.expression(*call).span,
                function: *function,
            });
            cuts.stages.push(Stage::Calls(calls.collect()));
        }
        let at = cuts.stages.len();
        for inside in body.all_of(id) {
            for value in body.values_of(inside) {
                self.note(value, at, &given, &mut cuts.last);
            }
        }
        let known = cuts.outer.len();
        self.declare(id, &mut cuts.outer);
        for fresh in cuts.outer.iter_mut().skip(known) {
            // It keeps what its declaration gives it.
            fresh.constant = with.is_some() && self.definitions.only_value(fresh.id).is_some();
        }
        let (before, fresh) = cuts.outer.split_at(known);
        // A name that hides another would have its place.
        let hides = |o: &Outer| {
            let name = self.name(o.id);
            name.is_empty() || before.iter().any(|b| self.name(b.id) == name)
        };
        // The variable of a tile is declared once more.
        let own = |o: &Outer| self.items.contains(&o.id);
        if fresh.iter().any(|o| hides(o) && !own(o)) {
            return None;
        }
        cuts.outer.retain(|o| !own(o));
        cuts.declared.resize(cuts.outer.len(), at);
        Some(())
    }

    /// Finds calls that are made before anything else in a value, whatever that is; `find` says whether nothing in the call
    /// itself is one.
    fn calls(
        &self,
        id: ExpressionId,
        find: &mut dyn FnMut(ExpressionId, BodyId, &[ExpressionId]) -> bool,
    ) {
        let body = self.body;
        match &body.expression(id).kind {
            ExpressionKind::Call(function, arguments) if !find(id, *function, arguments) => {
                arguments.iter().for_each(|a| self.calls(*a, find));
            }
            ExpressionKind::Assign { value, .. } | ExpressionKind::Update { value, .. } => {
                self.calls(*value, find);
            }
            ExpressionKind::Binary(..)
            | ExpressionKind::Unary(..)
            | ExpressionKind::Convert(_)
            | ExpressionKind::Builtin(..) => {
                body.operands(id).for_each(|e| self.calls(e, find));
            }
            _ => {}
        }
    }

    fn changes(&self, id: ExpressionId) -> bool {
        let body = self.body;
        let mut changes = false;
        body.each_value(id, &mut |e| changes |= body.written(e).is_some());
        changes
    }

    /// Notes which variables a value names behind so many cuts, but for what these calls are given.
    fn note(
        &self,
        id: ExpressionId,
        at: usize,
        given: &[ExpressionId],
        last: &mut HashMap<VariableId, usize>,
    ) {
        let body = self.body;
        if given.contains(&id) {
            return;
        }
        if let Some(place) = body.place_of(id)
            && let Root::Variable(variable) = body.place(place).root
        {
            let known = last.entry(variable).or_default();
            *known = at.max(*known);
        }
        for operand in body.operands(id) {
            self.note(operand, at, given, last);
        }
    }

    fn note_all(&self, id: StatementId, at: usize, last: &mut HashMap<VariableId, usize>) {
        for inside in self.body.all_of(id) {
            for value in self.body.values_of(inside) {
                self.note(value, at, &[], last);
            }
        }
    }

    /// Variables that live across cuts; `None` if one of them cannot be kept.
    fn kept(&self, cuts: &Cuts) -> Option<Vec<(LaneVariable, usize, usize)>> {
        let mut kept = Vec::new();
        for (known, &first) in cuts.outer.iter().zip(&cuts.declared) {
            let last = cuts.last.get(&known.id).copied().unwrap_or(first);
            if last <= first {
                continue;
            }
            let one = LaneVariable {
                name: self.name(known.id).to_string(),
                ty: self.lane(known)?,
                components: 1,
                used: true,
                changes: !known.constant,
                outlives: true,
            };
            kept.push((one, first, last));
        }
        // Fields of one name have one type.
        let mut fields: Vec<(&str, Scalar)> = Vec::new();
        let of_loops = cuts.stages.iter().flat_map(|stage| match stage {
            Stage::Loop(found) => found.variables.as_slice(),
            Stage::Calls(_) => &[],
        });
        let all = kept.iter().map(|(v, ..)| v);
        for field in all.chain(of_loops.map(|(_, v)| v)) {
            match fields.iter().find(|(name, _)| *name == field.name) {
                Some((_, ty)) if *ty != field.ty => return None,
                Some(_) => {}
                None => fields.push((&field.name, field.ty)),
            }
        }
        Some(kept)
    }
}
