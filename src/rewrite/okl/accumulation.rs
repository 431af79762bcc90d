//! Loops over items that add up elements of arrays, where loops stay loops: element by element, each in a register, with the loop in
//! which they grow as the innermost one.

use super::Pass;
use crate::backend::fill;
use crate::module::{Accumulated, Held, Loop};
use crate::rewrite::text::indentation;
use crate::source::{Overlap, Span};

/// What the sum is called while it grows.
const SUM: &str = "brook_sum";

impl Pass<'_> {
    /// The head of a loop up to the line for the compiler that stands before its body.
    fn without_lines(&self, head: Span) -> Span {
        let lines = self.module.directives.iter().map(|d| d.span);
        let line = lines
            .filter(|line| head.contains(*line))
            .min_by_key(|line| line.start);
        line.map_or(head, |line| Span::new(head.start, line.start))
    }

    /// Writes it so.
    pub(super) fn accumulation(&mut self, this: &Loop, found: &Accumulated) -> Result<(), Overlap> {
        let own = indentation(self.text, this.span.start).to_string();
        let mut lines: Vec<String> = Vec::new();
        // What a macro has made stands in one line, and stays there.
        let one_line = !this.span.of(self.text).contains('\n');
        let pragma = |text: &str| match one_line {
            true => format!("_Pragma(\"{text}\")"),
            false => format!("#pragma {text}"),
        };
        let mut depth = 0;
        let mut line =
            |depth: usize, text: &str| lines.push(format!("{}{text}", "  ".repeat(depth)));
        for (head, _) in &found.elements {
            let header = self.edits.take(self.without_lines(*head), self.text)?;
            line(depth, &format!("{} {{", header.trim()));
            depth += 1;
        }
        line(depth, &pragma(&self.backend.spelling.vectorize));
        let header = self.edits.take(this.header_span, self.text)?;
        line(depth, &format!("{} {{", header.trim()));
        depth += 1;
        for text in self.body_lines(found.leaf) {
            line(depth, &text);
        }
        if let Some(before) = found.before {
            let before = self.edits.take(before, self.text)?;
            line(depth, before.trim());
        }
        let place = self.edits.take(found.place, self.text)?;
        line(depth, &format!("auto {SUM} = {place};"));
        let (head, rounds) = found.rounds;
        let unroll = &self.backend.spelling.unroll_count;
        let count = rounds.to_string();
        line(depth, &pragma(&fill(unroll, &[("count", &count)])));
        let header = self.edits.take(self.without_lines(head), self.text)?;
        line(depth, &format!("{} {{", header.trim()));
        depth += 1;
        for Held { name, value, uses } in &found.temporaries {
            let value = self.edits.take(*value, self.text)?;
            if !uses.is_empty() {
                line(depth, &format!("const auto brook_{name} = {value};"));
            }
            for span in uses {
                self.edits.discard(*span);
                self.edits.replace(*span, format!("brook_{name}"));
            }
        }
        let value = self.edits.take(found.value, self.text)?;
        line(depth, &format!("{SUM} {} {value};", found.operator));
        depth -= 1;
        line(depth, "}");
        line(depth, &format!("{place} = {SUM};"));
        while depth > 0 {
            depth -= 1;
            line(depth, "}");
        }
        let whole = Span::new(this.header_span.start, this.span.end);
        self.edits.discard(whole);
        let text = match one_line {
            true => { lines.iter().map(|l| l.trim()) }
                .collect::<Vec<_>>()
                .join(" "),
            false => lines.join(&format!("\n{own}")),
        };
        self.edits.replace(whole, text);
        Ok(())
    }
}
