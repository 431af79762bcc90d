//! Fission at barriers: a loop over items in whose body they wait for each other becomes one loop after the other, each up to
//! where they wait. Ordinary loops in which they do stand around such loops then.
//!
//! **Legality.** Items wait in the body itself, or in loops that all of them run through alike: whose headers are made of
//! numbers, of their own variables, and of what belongs to the group or the host and stays as it is; nothing leaves such a loop.
//! Calls of functions of the group are evaluated once, whatever the rest of their statement is. Nothing jumps from one
//! phase to another. What is declared in one phase and named in another is carried there; so is what something that
//! outlives its phase may point to. Where the address of a loop's own variable may outlive one, there is another variable
//! behind it: loops that stay loops are not split then.
//!
//! **Gain.** Where loops stay loops, items need no stacks of their own and the phases are vectors; where items are a
//! target's own, those that have nothing to do come to the barriers.

mod alike;

use crate::body::{
    Body, Distributed, DistributedKind, ExpressionId, ExpressionKind, Program, Root, StatementId,
    StatementKind, VariableId,
};
use crate::facts::{Definitions, Kept, Liveness, may_hold};
use crate::source::Span;
use foldhash::{HashMap, HashMapExt, HashSet};

/// How a loop over items may be split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fission {
    /// The loop, by its statement.
    pub(crate) leaf: Span,
    /// Barriers, and calls of functions of the group in front of whose statements it is cut; in source order.
    pub(crate) cuts: Vec<Span>,
    /// The ordinary loops in which it is cut, by their statements.
    pub(crate) loops: Vec<Span>,
    /// What outlives its phase, in source order.
    pub(crate) carried: Vec<Carried>,
    /// The address of a variable of these loops may outlive a phase.
    pub(crate) keeps_counter: bool,
    /// Statements that are not modelled.
    pub(crate) opaque: Vec<Span>,
}

/// A variable that outlives its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    /// Where its name is declared.
    pub(crate) name: Span,
    /// Why.
    pub(crate) reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// What it holds is read behind a cut.
    Read,
    /// It is named behind a cut, and always written there before.
    Named,
    /// Nobody names it behind a cut, but something may point to it.
    Pointed,
}

/// All loops over items of a kernel in which these wait for each other, as far as they may be split.
pub(crate) fn fissions(program: &Program, body: &Body, definitions: &Definitions) -> Vec<Fission> {
    let mut this = Loops {
        program,
        body,
        definitions,
        found: Vec::new(),
    };
    let waits = |s: &crate::body::Statement| matches!(s.kind, StatementKind::Barrier(_));
    let calls = |e: &crate::body::Expression| matches!(e.kind, ExpressionKind::Collective(..));
    if body.statements.iter().any(waits) || body.expressions.iter().any(calls) {
        this.list(&body.root, &mut Vec::new());
    }
    this.found
}

struct Loops<'b> {
    program: &'b Program,
    body: &'b Body,
    definitions: &'b Definitions,
    found: Vec<Fission>,
}

impl<'b> Loops<'b> {
    fn list(&mut self, list: &'b [StatementId], counters: &mut Vec<VariableId>) {
        for &id in list {
            let outside = counters.len();
            if let StatementKind::Distributed(this) = &self.body.statement(id).kind
                && this.kind == DistributedKind::Inner
            {
                counters.push(this.variable);
                let leaf = self.body.statement(id).span;
                let fission = Phases::of(self, this, leaf, counters);
                self.found.extend(fission);
            }
            for inside in self.body.lists_of(id) {
                self.list(inside, counters);
            }
            counters.truncate(outside);
        }
    }
}

/// Where a variable is declared and named, in phases counted in source order.
#[derive(Clone, Copy, Debug, Default)]
struct Life {
    declared: Option<u32>,
    last: u32,
}

/// The phases of one loop over items.
struct Phases<'l, 'b> {
    body: &'b Body,
    definitions: &'l Definitions,
    /// The statements at which the loop is cut, and the loops around them.
    cuts: Vec<(StatementId, Span)>,
    loops: Vec<(StatementId, Span)>,
    opaque: Vec<Span>,
    /// The variables of the ordinary loops around.
    counters: Vec<VariableId>,
    /// What the loop writes.
    written: &'l HashSet<VariableId>,
    lifetimes: HashMap<VariableId, Life>,
    /// Those that are declared at places where it may be cut, in order.
    declared: Vec<VariableId>,
    /// Calls of the statement at hand whose arguments belong to the phase before it.
    given: Vec<ExpressionId>,
    phase: u32,
}

/// The loop cannot be split.
struct Whole;

impl<'l, 'b> Phases<'l, 'b> {
    fn of(
        around: &Loops<'b>,
        leaf: &'b Distributed,
        span: Span,
        counters: &[VariableId],
    ) -> Option<Fission> {
        let (program, body) = (around.program, around.body);
        let written = alike::written(body, &leaf.body);
        let mut this = Phases {
            body,
            definitions: around.definitions,
            cuts: Vec::new(),
            loops: Vec::new(),
            opaque: Vec::new(),
            counters: Vec::new(),
            written: &written,
            lifetimes: HashMap::new(),
            declared: Vec::new(),
            given: Vec::new(),
            phase: 0,
        };
        this.list(&leaf.body).ok()?;
        if this.cuts.is_empty() || body.gotos && !this.opaque.is_empty() {
            return None;
        }
        let kept = Kept::by(program, body, &leaf.body);
        let name = |v: &VariableId| program.variable(body, *v).span;
        // The variables of tiles are declared once more.
        let own: Vec<Span> = counters.iter().map(name).collect();
        this.declared.retain(|v| !own.contains(&name(v)));
        let declared = this.declared.iter().copied();
        let named: Vec<VariableId> = declared.filter(|v| this.is_named_behind(*v)).collect();
        let live = this.live(leaf, &named);
        let mut carried = Vec::new();
        let mut holds = kept.stored || !this.opaque.is_empty();
        for variable in named {
            let reason = match live(variable) {
                true => Reason::Read,
                false => Reason::Named,
            };
            holds |= may_hold(program, program.variable(body, variable).ty);
            carried.push(Carried {
                name: name(&variable),
                reason,
            });
        }
        // What is only pointed to matters where something that may point to it outlives its phase.
        if holds {
            let phases = this.phase;
            let pointed = this.declared.iter().filter(|v| {
                let lifetime = this.lifetimes.get(v).copied().unwrap_or_default();
                let early = lifetime.declared.is_some_and(|d| d < phases);
                early && !this.is_named_behind(**v) && kept.variables.contains(v)
            });
            let pointed = pointed.map(|v| Carried {
                name: name(v),
                reason: Reason::Pointed,
            });
            carried.extend(pointed);
            carried.sort_by_key(|c| c.name.start);
        }
        let keeps_counter = holds && counters.iter().any(|c| kept.variables.contains(c));
        Some(Fission {
            leaf: span,
            cuts: this.cuts.iter().map(|c| c.1).collect(),
            loops: this.loops.iter().map(|l| l.1).collect(),
            carried,
            keeps_counter,
            opaque: this.opaque,
        })
    }

    fn is_named_behind(&self, variable: VariableId) -> bool {
        let lifetime = self.lifetimes.get(&variable);
        lifetime.is_some_and(|l| l.declared.is_some_and(|declared| l.last > declared))
    }

    /// Which of these variables somebody reads behind a cut what was written before it.
    fn live(
        &self,
        leaf: &Distributed,
        variables: &[VariableId],
    ) -> impl Fn(VariableId) -> bool + use<> {
        let statements = self.cuts.iter().chain(&self.loops).map(|c| c.0);
        let statements: HashSet<StatementId> = statements.collect();
        let live = Liveness::of(self.body, &leaf.body, variables, &|id| {
            statements.contains(&id)
        });
        move |variable| statements.iter().any(|id| live.is_live(variable, *id))
    }

    /// A list of statements of the loop itself, or of an ordinary loop in which it is cut.
    fn list(&mut self, list: &'b [StatementId]) -> Result<(), Whole> {
        let body = self.body;
        let mut cut_before = None;
        for (at, &id) in list.iter().enumerate() {
            let kind = &body.statement(id).kind;
            // What a declaration gives its variable belongs to it.
            let first = match kind {
                StatementKind::Declare { variable, .. } => list.get(at + 1).filter(|next| {
                    matches!(body.statement(**next).kind, StatementKind::Expression(value)
                        if body.assigned(value).is_some_and(|(v, _)| v == *variable))
                }),
                _ => None,
            };
            if cut_before != Some(id) {
                let statement = first.copied().unwrap_or(id);
                if self.cut_by_calls(id, statement)? {
                    cut_before = Some(statement);
                }
            }
            match kind {
                StatementKind::Barrier(_) => {
                    self.cuts.push((id, body.statement(id).span));
                    self.phase += 1;
                    continue;
                }
                StatementKind::Declare { variable, .. } => {
                    let lifetime = self.lifetimes.entry(*variable).or_default();
                    if lifetime.declared.is_none() {
                        self.declared.push(*variable);
                    }
                    lifetime.declared = Some(self.phase);
                    lifetime.last = lifetime.last.max(self.phase);
                    continue;
                }
                StatementKind::Loop { body: inside, .. } if self.waits_in(inside) => {
                    let counter = self.runs_alike(id).ok_or(Whole)?;
                    self.loops.push((id, body.statement(id).span));
                    self.counters.push(counter);
                    self.phase += 1;
                    self.list(inside)?;
                    self.phase += 1;
                    self.counters.pop();
                    continue;
                }
                _ => {}
            }
            if body
                .lists_of(id)
                .into_iter()
                .any(|list| self.waits_in(list))
            {
                return Err(Whole);
            }
            self.names(id)?;
        }
        Ok(())
    }

    /// Cuts in front of a statement, if its values call functions of the group.
    fn cut_by_calls(&mut self, first: StatementId, id: StatementId) -> Result<bool, Whole> {
        let body = self.body;
        let mut calls = Vec::new();
        let decides = matches!(
            body.statement(id).kind,
            StatementKind::Expression(_) | StatementKind::If { .. } | StatementKind::Switch { .. }
        );
        for value in body.values_of(id) {
            self.calls_in(value, decides, &mut calls)?;
        }
        if calls.is_empty() {
            return Ok(false);
        }
        // What a call is given belongs to the phase before, unless that is another call's value.
        let calls_in = |id| {
            let mut count = 0;
            body.each_value(id, &mut |e| count += usize::from(calls.contains(&e)));
            count
        };
        let nested: HashSet<ExpressionId> = { calls.iter() }
            .filter(|c| calls_in(**c) > 1)
            .flat_map(|&c| {
                let mut all = Vec::new();
                body.each_value(c, &mut |e| all.push(e));
                all
            })
            .collect();
        self.given.clear();
        for &call in &calls {
            self.cuts.push((first, body.expression(call).span));
            let shuffles = matches!(body.expression(call).kind, ExpressionKind::Collective(f, _) if f.is_shuffle());
            if !shuffles && !nested.contains(&call) {
                for given in body.operands(call) {
                    self.named_by(given);
                }
                self.given.push(call);
            }
        }
        self.phase += 1;
        Ok(true)
    }

    /// The calls of functions of the group in a value, each of which is made once; outer ones first.
    fn calls_in(
        &self,
        id: ExpressionId,
        once: bool,
        found: &mut Vec<ExpressionId>,
    ) -> Result<(), Whole> {
        let body = self.body;
        if matches!(body.expression(id).kind, ExpressionKind::Collective(..)) {
            if !once {
                return Err(Whole);
            }
            found.push(id);
        }
        let first = body.decides(id);
        let comma = matches!(body.expression(id).kind, ExpressionKind::Comma(..));
        for operand in body.operands(id) {
            let always = !comma && (first.is_none() || first == Some(operand));
            self.calls_in(operand, once && always, found)?;
        }
        Ok(())
    }

    /// Whether the items wait in a list.
    fn waits_in(&self, list: &[StatementId]) -> bool {
        let body = self.body;
        let mut waits = false;
        body.each_statement(list, &mut |id| {
            waits |= matches!(body.statement(id).kind, StatementKind::Barrier(_));
            for value in body.values_of(id) {
                body.each_value(value, &mut |e| {
                    waits |= matches!(body.expression(e).kind, ExpressionKind::Collective(..));
                });
            }
        });
        waits
    }

    /// Notes what a statement names, and all that stands in it.
    fn names(&mut self, id: StatementId) -> Result<(), Whole> {
        let body = self.body;
        for id in body.all_of(id) {
            match &body.statement(id).kind {
                StatementKind::Distributed(_) => return Err(Whole),
                StatementKind::Opaque(_) => {
                    self.opaque.push(body.statement(id).span);
                    for variable in body.mentions.get(&id).ok_or(Whole)? {
                        self.named(*variable);
                    }
                }
                _ => {}
            }
            for value in body.values_of(id) {
                self.named_by(value);
            }
        }
        Ok(())
    }

    fn named_by(&mut self, value: ExpressionId) {
        let body = self.body;
        if self.given.contains(&value) {
            return;
        }
        if let Some(place) = body.place_of(value)
            && let Root::Variable(variable) = body.place(place).root
        {
            self.named(variable);
        }
        for operand in body.operands(value) {
            self.named_by(operand);
        }
    }

    fn named(&mut self, variable: VariableId) {
        let phase = self.phase;
        let lifetime = self.lifetimes.entry(variable).or_default();
        lifetime.last = lifetime.last.max(phase);
    }
}
