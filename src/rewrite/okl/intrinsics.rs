//! Calls of functions that each backend spells in its own way.

use super::Pass;
use crate::diagnostics::codes;
use crate::expr;
use crate::module::{Loop, LoopId, LoopKind};
use crate::rewrite::{Part, Use};
use crate::source::{Overlap, Span};

/// The macro that says how many lanes have a tile of a matrix together.
const LANES: &str = "OKL_FRAGMENT_LANES";

impl Pass<'_> {
    /// `arguments` say of each whether it is a pointer.
    pub(super) fn intrinsic(
        &mut self,
        span: Span,
        name: &str,
        arguments: &[(Span, bool)],
    ) -> Result<(), Overlap> {
        let backend = self.backend.name.clone();
        let row = self.options.intrinsics.get(name);
        let Some(spelling) = row.and_then(|r| r.call(&backend)) else {
            self.error(&codes::INTRINSIC_MISSING, span, &[&name, &backend]);
            return Ok(());
        };
        if let Some(row) = row.filter(|r| r.fragments) {
            self.fragments(span, name, row.lane);
        }
        let mut text = String::new();
        let mut texts = Vec::with_capacity(arguments.len());
        for (argument, _) in arguments {
            texts.push(self.edits.take(*argument, self.text)?.trim().to_string());
        }
        // What an argument says is no placeholder.
        let mut rest = spelling;
        while let Some((before, behind)) = rest.split_once('{') {
            text.push_str(before);
            let end = behind.find('}').unwrap_or(behind.len());
            let word = behind.get(..end).unwrap_or("");
            let (address, number) = match word.strip_prefix('&') {
                Some(number) => (true, number),
                None => (false, word),
            };
            let index = number.parse::<usize>().ok();
            match index.and_then(|i| Some((texts.get(i)?, arguments.get(i)?.1))) {
                Some((argument, pointer)) if address && !pointer => {
                    text.push_str(&format!("&({argument})"));
                }
                Some((argument, _)) => text.push_str(argument),
                None => text.push_str(&format!("{{{word}}}")),
            }
            rest = behind.get(end + 1..).unwrap_or("");
        }
        text.push_str(rest);
        self.uses.insert(Use::Intrinsic(name.to_string()));
        self.edits.discard(span);
        self.edits.replace(span, text);
        Ok(())
    }

    /// A function of tiles of matrices: whole warps have to come to its call.
    fn fragments(&mut self, span: Span, name: &str, lane: bool) {
        self.uses.insert(Part::Fragments.into());
        let lanes = self.backend.defines.get(LANES);
        let lanes = lanes.and_then(|l| l.parse::<i64>().ok()).unwrap_or(1);
        let all = (0..self.module.loops.len()).map(LoopId::at);
        let around: Vec<&Loop> = all
            .filter(|id| {
                let l = self.module.loop_(*id);
                l.kind == LoopKind::Inner && l.body.contains(span)
            })
            .map(|id| self.module.loop_(id))
            .collect();
        if around.is_empty() {
            // What is a parameter of kernels no function sees.
            let spelling = &self.backend.spelling;
            let given = [&spelling.further_parameters, &spelling.waiting_parameter];
            if lane && given.iter().any(|p| !p.is_empty()) {
                let backend = self.backend.name.clone();
                self.error(&codes::FRAGMENT_PLACE, span, &[&name, &backend]);
            }
            return;
        }
        if lanes == 1 {
            return;
        }
        if let Some(reason) = self.no_whole_warps(span, &around, lanes) {
            self.error(&codes::FRAGMENT_ITEMS, span, &[&name, &reason]);
        }
    }

    /// Why the items that the loops around a call make are no whole warps.
    fn no_whole_warps(&self, span: Span, around: &[&Loop], lanes: i64) -> Option<String> {
        if around
            .iter()
            .any(|l| l.tile.as_ref().is_some_and(|t| t.check))
        {
            return Some("iterations past the end of a tile's loop are skipped".to_string());
        }
        let nest = self.module.nests().find(|n| n.span.contains(span))?;
        let whole = |count: Option<i64>| count.is_some_and(|c| c > 0 && c % lanes == 0);
        let along_x = around.iter().find(|l| l.axis == 0);
        let launched = expr::constant(&nest.inner[0]);
        // Rows of the group that are whole warps, whatever rows there are.
        if along_x.is_some_and(|l| whole(expr::constant(&l.count))) && whole(launched) {
            return None;
        }
        let Some(items) = nest.threads else {
            return Some("how many items a group has is no constant".to_string());
        };
        if let Some(launched) = launched.filter(|n| n % lanes != 0)
            && along_x.is_some_and(|l| whole(expr::constant(&l.count)))
        {
            return Some(format!(
                "another loop of the group has {launched} iterations along x"
            ));
        }
        if items % lanes.unsigned_abs() != 0 {
            return Some(format!(
                "{items} items of a group are no multiple of {lanes} lanes"
            ));
        }
        let all = around.iter().all(|l| !l.guarded && l.absent.is_empty());
        (!all).then(|| "the loop runs fewer iterations than the group has items".to_string())
    }
}
