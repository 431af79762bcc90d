//! Loops over items that change places with the loops in them, where loops stay loops: items that copy several rows
//! each write them one after the other then, as far as the group is wide.

use super::Pass;
use crate::lex::lex;
use crate::module::{Loop, LoopId, LoopKind};
use crate::rewrite::directives::Unrolled;
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// The loops that are all that the body of an innermost loop over items consists of, from the outside, if that loop
    /// may as well be the innermost one: items are independent, and the rounds of these loops, which are the same for
    /// all, keep their order. Where something is added up, each item does all of it at once, in a register.
    pub(super) fn uniform_loops(&self, id: LoopId) -> Vec<Unrolled> {
        let this = self.module.loop_(id);
        let suits = this.kind == LoopKind::Inner && this.tile.is_none() && this.plain_body;
        if !suits || !this.block || !this.constants.trim().is_empty() {
            return Vec::new();
        }
        let mut chain: Vec<Unrolled> = Vec::new();
        let mut body = inside(this.body, self.text);
        while let Some(next) = self.unrolled.iter().find(|u| is_all(body, u, self.text)) {
            body = inside(next.body, self.text);
            chain.push(next.clone());
        }
        // Headers of attributed loops come to stand, or are repeated, where the others' variables mean something.
        let mut around = Some(id);
        while let Some(of) = around.map(|id| self.module.loop_(id)) {
            let named = |u: &Unrolled| {
                of.header.variable == u.variable || of.header.names.contains(&u.variable)
            };
            if chain.iter().any(named) {
                return Vec::new();
            }
            around = of.parent;
        }
        let innermost = chain.last().map(|u| u.body);
        let lines = |body: Span| self.module.directives.iter().any(|d| body.contains(d.span));
        match this.copies == innermost && !innermost.is_some_and(lines) {
            true => chain,
            false => Vec::new(),
        }
    }

    /// Puts the header of a loop over items behind those of the loops in it; returns where it stands now, and what its
    /// body is.
    pub(super) fn interchange(
        &mut self,
        this: &Loop,
        header: String,
        chain: &[Unrolled],
    ) -> Result<Option<(u32, Span)>, Overlap> {
        let Some(last) = chain.last() else {
            return Ok(None);
        };
        let mut place = this.header_span;
        for next in chain {
            let text = self.edits.take(next.header, self.text)?;
            self.edits.discard(next.pragma);
            self.edits
                .delete(Span::new(next.pragma.start, next.pragma.end + 1));
            self.edits.replace(place, text);
            place = next.header;
        }
        self.edits.replace(place, header);
        Ok(Some((last.span.start, last.body)))
    }
}

/// What stands between the braces of a block, or the statement.
fn inside(body: Span, text: &str) -> Span {
    match body.of(text).starts_with('{') {
        true => Span::new(body.start + 1, body.end - 1),
        false => body,
    }
}

/// Whether nothing but the loop, with the line that asks to unroll it, stands there.
fn is_all(body: Span, this: &Unrolled, text: &str) -> bool {
    let blank = |span: Span| lex(span.of(text)).is_empty();
    body.contains(this.span)
        && body.contains(this.pragma)
        && blank(Span::new(body.start, this.pragma.start))
        && blank(Span::new(this.pragma.end, this.span.start))
        && blank(Span::new(this.span.end, body.end))
}
