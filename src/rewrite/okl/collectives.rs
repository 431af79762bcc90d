//! Calls of functions of a whole group.
//!
//! Where every item comes by, a call is one of the prelude's functions. Where a body is split, the value
//! is noted in the phase before, combined between the phases, and read in the phase behind.

use super::Pass;
use crate::backend::fill;
use crate::diagnostics::codes;
use crate::expr::{self, Expr, Scalar};
use crate::module::{
    Collective, CollectiveKind, CollectiveOperator, Loop, LoopId, LoopKind, Nest, Shuffle,
};
use crate::rewrite::text::parenthesized;
use crate::rewrite::{Part, Use};
use crate::source::{Overlap, Span};

/// What a call in a body that is split does before the statement that it stands in.
#[derive(Debug)]
pub(super) struct Deposit {
    call: Span,
    /// One more than that of the calls that it is given the values of.
    level: usize,
    /// In the phase before, by each item.
    before: String,
    /// Between the phases, if anything is to be done.
    between: String,
    /// What makes the value as it was before any item's part.
    reset: String,
}

/// The most values that a group keeps in memory at once, where items have no other way to each other.
const SLOTS: u64 = 1024;

impl Pass<'_> {
    pub(super) fn collective(&mut self, span: Span, call: &Collective) -> Result<(), Overlap> {
        if self.is_native(call) {
            let mut all: Vec<(Span, bool)> = call.arguments.iter().map(|a| (*a, false)).collect();
            all.rotate_right(1);
            return self.intrinsic(span, &call.function.name(), &all);
        }
        if let Some(why) = &call.divided {
            let name = call.function.name();
            self.error(&codes::COLLECTIVE_DIVERGES, span, &[&name, why]);
            return Ok(());
        }
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(self.edits.take(*argument, self.text)?);
        }
        let (Some(value), Some(nest)) = (arguments.first(), self.nest_of_root(call.nest)) else {
            return Ok(());
        };
        let value = match call.function.is_vote() {
            true => format!("{} != 0", parenthesized(value)),
            false => value.trim().to_string(),
        };
        let place = arguments.get(1..).unwrap_or(&[]);
        self.use_collective(call);
        self.edits.discard(span);
        let scalar = call
            .scalar
            .filter(|_| self.schedule.barriers.is_split(call.inside));
        let (Some(cut), Some(scalar)) = (call.cut, scalar) else {
            let mine = match call.function.kind {
                CollectiveKind::Broadcast => self.is_at(nest, place),
                CollectiveKind::Shuffle(shuffle) => {
                    let kind = match self.is_simt() {
                        true => "group",
                        false => "fiber",
                    };
                    from(kind, shuffle, "", place)
                }
                _ => "true".to_string(),
            };
            let text = self.group_call(call, nest, &mine, &value);
            self.edits.replace(span, text);
            return Ok(());
        };
        let name = format!("brook_value_{}", self.values);
        self.values += 1;
        let (text, deposit) = match self.is_simt() {
            true => self.deposit_of_thread(call, nest, (&name, &value), place, scalar),
            false => self.deposit_of_loop(call, nest, (&name, &value), place, scalar),
        };
        let known = self.deposits.entry(cut).or_default();
        let inside = known.iter().filter(|d| span.contains(d.call));
        let level = inside.map(|d| d.level + 1).max().unwrap_or(0);
        known.push(Deposit {
            call: span,
            level,
            ..deposit
        });
        self.edits.replace(span, text);
        Ok(())
    }

    /// What is done before the statement at `cut`: for each level of calls, what stands in the phase before,
    /// and between the phases.
    pub(super) fn deposits_at(&self, cut: u32) -> Vec<(Vec<&str>, Vec<&str>)> {
        let all = self.deposits.get(&cut).map_or(&[][..], Vec::as_slice);
        let levels = all.iter().map(|d| d.level + 1).max().unwrap_or(0);
        let of = |level: usize| all.iter().filter(move |d| d.level == level);
        (0..levels)
            .map(|level| {
                let before = of(level).map(|d| d.before.as_str());
                let between = of(level).map(|d| d.between.as_str());
                (
                    before.collect(),
                    between.filter(|t| !t.is_empty()).collect(),
                )
            })
            .collect()
    }

    /// What is done again at the beginning of each round of a loop around the statement at `cut`.
    pub(super) fn resets_at(&self, cut: u32) -> Vec<String> {
        let all = self.deposits.get(&cut).map_or(&[][..], Vec::as_slice);
        let resets = all.iter().map(|d| d.reset.clone());
        resets.filter(|r| !r.is_empty()).collect()
    }

    /// Whether the backend has a text of its own for a call.
    fn is_native(&self, call: &Collective) -> bool {
        let row = self.options.intrinsics.get(&call.function.name());
        row.is_some_and(|r| r.call(&self.backend.name).is_some())
    }

    /// Notes what the prelude has to have.
    fn use_collective(&mut self, call: &Collective) {
        self.uses.insert(Part::Collectives.into());
        self.uses.insert(Use::Group(call.function.kind.into()));
        if self.schedule.barriers.in_fibers(call.inside) {
            self.uses.insert(Part::FiberCollectives.into());
        }
    }

    /// A call of the prelude's function by all items of the group. `mine` says whether this item's value
    /// takes part.
    fn group_call(&mut self, call: &Collective, nest: &Nest, mine: &str, value: &str) -> String {
        let extents: Vec<String> = nest
            .inner
            .iter()
            .map(|e| expr::constant(e).unwrap_or(0).to_string())
            .collect();
        let of = |i: usize| extents.get(i).map_or("0", String::as_str);
        let known = nest.threads.filter(|n| *n <= SLOTS).unwrap_or(0);
        let again = call.repeated || self.is_one_of_several(call.nest);
        let memory = self.backend.spelling.collective_memory.clone();
        if !memory.is_empty() {
            // One more for each run of values that are combined together.
            let slots = nest.threads.unwrap_or(SLOTS).clamp(1, SLOTS);
            let count = slots + slots.div_ceil(8).min(32);
            if known == 0 {
                self.limited.insert(call.nest, SLOTS);
            }
            let line = fill(&memory, &[("count", &count.to_string())]);
            let hoisted = self.hoisted.entry(call.nest).or_default();
            if !hoisted.contains(&line) {
                hoisted.push(line);
            }
        }
        fill(
            &self.backend.spelling.collective,
            &[
                ("operation", &call.function.word()),
                ("x", of(0)),
                ("y", of(1)),
                ("z", of(2)),
                ("items", &known.to_string()),
                ("again", if again { "true" } else { "false" }),
                ("mine", mine),
                ("value", value),
            ],
        )
    }

    /// Whether other calls in the nest use the memory of this one.
    fn is_one_of_several(&self, nest: LoopId) -> bool {
        let all = self.module.constructs.iter();
        let calls = all.filter(
            |c| matches!(&c.kind, crate::module::ConstructKind::Collective(c) if c.nest == nest),
        );
        calls.count() > 1
    }

    /// The condition that holds for the item at a place, where items know their own.
    fn is_at(&self, nest: &Nest, place: &[String]) -> String {
        let item = self.backend.spelling.item.iter();
        let own = item.map(|i| Some(format!("(int){i}")));
        is_at(nest, place, &own.collect::<Vec<_>>())
    }

    /// Where indices are threads, and only some of them run the loop.
    fn deposit_of_thread(
        &mut self,
        call: &Collective,
        nest: &Nest,
        (name, value): (&str, &str),
        place: &[String],
        scalar: Scalar,
    ) -> (String, Deposit) {
        let mut before = format!("{name} = {value};");
        let mut mine = "brook_active".to_string();
        let ty = scalar.c_name();
        let lines = self.carried.entry(call.inside).or_default();
        lines.push(format!("{ty} {name} = 0;"));
        if call.function.kind == CollectiveKind::Broadcast {
            mine = format!("{name}_given");
            lines.push(format!("int {mine} = 0;"));
            before.push_str(&format!(" {mine} = {};", self.is_at(nest, place)));
        }
        if let CollectiveKind::Shuffle(shuffle) = call.function.kind {
            mine = format!("{name}_from");
            let lines = self.carried.entry(call.inside).or_default();
            lines.push(format!("int {mine} = 0;"));
            before.push_str(&format!(" {mine} = {};", from("group", shuffle, "", place)));
        }
        let text = self.group_call(call, nest, &mine, name);
        let deposit = Deposit {
            call: Span::default(),
            level: 0,
            before,
            between: format!("{name} = {text};"),
            reset: String::new(),
        };
        (name.to_string(), deposit)
    }

    /// Where items run one after another.
    fn deposit_of_loop(
        &mut self,
        call: &Collective,
        nest: &Nest,
        (name, value): (&str, &str),
        place: &[String],
        scalar: Scalar,
    ) -> (String, Deposit) {
        let ty = scalar.c_name();
        let leaf = call.inside;
        let operator = call.function.operator.map_or("", CollectiveOperator::word);
        let mut between = String::new();
        let mut text = name.to_string();
        let mut reset = String::new();
        let mut begin = |ty: &str, value: String| {
            reset = format!("{name} = {value};");
            format!("{ty} {reset}")
        };
        let (declaration, before) = match call.function.kind {
            CollectiveKind::All => (begin("int", "1".into()), format!("{name} &= {value};")),
            CollectiveKind::Any => (begin("int", "0".into()), format!("{name} |= {value};")),
            CollectiveKind::Reduce => (
                begin(ty, format!("brook_group_{operator}::none<{ty}>()")),
                format!("brook_group_{operator}::into({name}, {value});"),
            ),
            CollectiveKind::Broadcast => {
                let at = is_at(nest, place, &self.positions(leaf));
                (
                    format!("{ty} {name} = 0;"),
                    format!("brook_group_pick({name}, {at}, {value});"),
                )
            }
            CollectiveKind::ScanInclusive
            | CollectiveKind::ScanExclusive
            | CollectiveKind::Shuffle(_) => {
                self.numbered.insert(leaf);
                let items = self.items(call.nest);
                let all = match self.in_arena(call.nest) {
                    true => {
                        self.uses.insert(Part::Exclusive.into());
                        format!("brook_items<{ty}> {name}({items});")
                    }
                    false => format!("{ty} {name}[{items}];"),
                };
                let which = match call.function.kind {
                    CollectiveKind::ScanInclusive => "inclusive",
                    _ => "exclusive",
                };
                if let CollectiveKind::Shuffle(shuffle) = call.function.kind {
                    let own = format!("brook_item, {items}, ");
                    let text = format!("{name}[{}]", from("group", shuffle, &own, place));
                    self.results.entry(leaf).or_default().push(all);
                    let deposit = Deposit {
                        call: Span::default(),
                        level: 0,
                        before: format!("brook_group_set({name}[brook_item], {value});"),
                        between,
                        reset,
                    };
                    return (text, deposit);
                }
                // Items that do not run the loop leave their places as they are.
                if self.leaves_items_out(leaf) {
                    reset = format!("brook_group_{operator}::fill(&{name}[0], {items});");
                }
                between = format!("brook_group_{operator}::{which}(&{name}[0], {items});");
                text = format!("{name}[brook_item]");
                (
                    format!("{all} {reset}").trim_end().to_string(),
                    format!("brook_group_{operator}::put({text}, {value});"),
                )
            }
        };
        self.results.entry(leaf).or_default().push(declaration);
        let deposit = Deposit {
            call: Span::default(),
            level: 0,
            before,
            between,
            reset,
        };
        (text, deposit)
    }

    /// Whether a loop, or one around it, runs fewer iterations than its group has items.
    fn leaves_items_out(&self, leaf: LoopId) -> bool {
        crate::schedule::chain(self.module, leaf).iter().any(|id| {
            let this = self.module.loop_(*id);
            let checked = this.tile.as_ref().is_some_and(|t| t.check && !t.over_tiles);
            this.guarded || !this.absent.is_empty() || checked || this.continues_early
        })
    }

    /// The place of the item that runs a loop's body, along x, y and z.
    pub(super) fn positions(&self, leaf: LoopId) -> Vec<Option<String>> {
        let mut positions = vec![None, None, None];
        let mut at = Some(leaf);
        while let Some(id) = at {
            let this: &Loop = self.module.loop_(id);
            if this.kind == LoopKind::Inner
                && let Some(position) = positions.get_mut(this.axis)
            {
                *position = Some(super::loops::iteration(this, self.text));
            }
            at = this.parent;
        }
        positions
    }
}

/// The item whose value a shuffle takes.
fn from(kind: &str, shuffle: Shuffle, own: &str, place: &[String]) -> String {
    let lane = place.first().map_or("0", |p| p.trim());
    format!("brook_{kind}_from{}({own}{lane})", shuffle.suffix())
}

/// The condition that holds for the item at a place, given by as many indices as there are.
fn is_at(nest: &Nest, place: &[String], own: &[Option<String>]) -> String {
    let one = Expr::int(1);
    let mut parts = Vec::new();
    for (axis, extent) in nest.inner.iter().enumerate() {
        let Some(position) = own.get(axis).cloned().flatten().filter(|_| *extent != one) else {
            continue;
        };
        let wanted = place.get(axis).map_or("0", |p| p.trim());
        parts.push(format!("{position} == (int){}", parenthesized(wanted)));
    }
    match parts.is_empty() {
        true => "true".to_string(),
        false => parts.join(" && "),
    }
}
