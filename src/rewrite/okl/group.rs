//! What happens once for a group although every item comes by.

use super::Pass;
use crate::expr::{Expr, Scalar};
use crate::module::{Loop, LoopId, LoopKind};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// A statement that the first item runs for all others, which wait before and behind it.
    pub(super) fn group_statement(&mut self, span: Span, nest: LoopId) {
        let Some(condition) = self.is_first_item(nest) else {
            return;
        };
        let barrier = self.backend.spelling.barrier.clone();
        self.edits
            .insert_before(span.start, format!("{{ {barrier} if ({condition}) "));
        self.edits.append(span.end, format!(" {barrier} }}"));
    }

    /// A statement between attributed loops that the first of all items that come by runs.
    pub(super) fn once_statement(&mut self, span: Span, within: LoopId) {
        let root = self.module.root_of(within);
        // Where loops stay loops, only items that are fibers come by beside each other.
        let beside = self.is_simt() || self.schedule.barriers.in_fibers(within);
        let Some(nest) = self.nest_of_root(root).filter(|_| beside) else {
            return;
        };
        let around: Vec<&Loop> =
            std::iter::successors(Some(within), |id| self.module.loop_(*id).parent)
                .map(|id| self.module.loop_(id))
                .collect();
        let mut first = Vec::new();
        for (kind, extents) in [
            (LoopKind::Outer, &nest.outer),
            (LoopKind::Inner, &nest.inner),
        ] {
            for (axis, extent) in extents.iter().enumerate() {
                let is = |l: &Loop| l.kind == kind && l.axis == axis;
                let groups = kind == LoopKind::Outer && !self.is_simt();
                if groups || *extent == Expr::int(1) || around.iter().any(|l| is(l)) {
                    continue;
                }
                let mut inside = (0..self.module.loops.len()).map(LoopId::at);
                let of_axis = inside
                    .find(|id| is(self.module.loop_(*id)) && self.module.root_of(*id) == root);
                if let Some(id) = of_axis {
                    let index = self.own_group_index(self.module.loop_(id));
                    first.push(format!("{index} == 0"));
                }
            }
        }
        if !first.is_empty() {
            self.edits
                .insert_before(span.start, format!("{{ if ({}) ", first.join(" && ")));
            self.edits.append(span.end, " }");
        }
    }

    /// The first item computes the value, and all take it from group memory.
    pub(super) fn group_declaration(
        &mut self,
        span: Span,
        nest: LoopId,
        words: Span,
        scalar: Scalar,
        name: &str,
        value: Span,
    ) -> Result<(), Overlap> {
        let Some(condition) = self.is_first_item(nest) else {
            return Ok(());
        };
        let barrier = self.backend.spelling.barrier.clone();
        let hoisted = self.hoisted.entry(nest).or_default();
        let once = format!("brook_once_{name}_{}", hoisted.len());
        let declaration = format!("{} {once}", scalar.c_name());
        let declaration = self.backend.spelling.group_memory(&once, &declaration);
        hoisted.push(declaration);
        let taken = self.memory.taken.entry(nest).or_default();
        taken.push(format!("sizeof({})", scalar.c_name()));
        let words = self.edits.take(words, self.text)?;
        let value = self.edits.take(value, self.text)?;
        self.edits.replace(
            span,
            format!(
                "{barrier} if ({condition}) {once} = {value}; {barrier} {words} {name} = {once};"
            ),
        );
        Ok(())
    }

    /// The condition that is true for one item of a group; none where there are no others, or where
    /// groups have no items of their own.
    fn is_first_item(&self, nest: LoopId) -> Option<String> {
        let nest = self.nest_of_root(nest).filter(|_| self.is_simt())?;
        let first: Vec<String> = nest
            .inner
            .iter()
            .zip(&self.backend.spelling.item)
            .filter(|(extent, _)| **extent != Expr::int(1))
            .map(|(_, item)| format!("{item} == 0"))
            .collect();
        (!first.is_empty()).then(|| first.join(" && "))
    }
}
