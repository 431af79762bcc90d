//! Arrays that loops over items only write, where loops stay loops: past the caches, where they are larger than these.
//!
//! A cache line that is written is read before, and drives out another one; a processor that gets whole lines from
//! registers, and is told that nobody reads them soon, does neither. What a nest writes so is what
//! [`Elementwise`](crate::module::Elementwise) says of it: every iteration writes one element, and nobody can tell when in an
//! iteration that happens. So a tile has a second loop, over lines: a line's elements lie in a variable, which compilers keep
//! in registers, until there are all of them.

use super::Pass;
use super::loops::tile_size;
use super::tiles;
use crate::module::{ElementAccess, Elementwise, Loop, LoopId};
use crate::rewrite::Part;
use crate::rewrite::text::{block_indentation, indentation, parenthesized};
use crate::schedule::{LINE, bytes_streamed, element_is_streamed};
use crate::source::{Overlap, Span};

/// What the nest's array is called where it is asked whether it is larger than the caches.
const LARGE: &str = "brook_large";

/// What is declared before a nest with such loops, and the clause of the line that shares it out.
pub(super) struct Around {
    pub(super) before: String,
    pub(super) clause: &'static str,
}

impl Pass<'_> {
    /// The other loop of a tile, up to the `else` behind which the one of the program stands.
    pub(super) fn streamed(&mut self, first: &Loop, id: LoopId) -> Result<Option<String>, Overlap> {
        let module = self.module;
        let nest = self.nest_of_root(module.root_of(id));
        let nest = nest.filter(|_| self.schedule.streamed.contains(&id));
        let Some((this, nest)) = nest.and_then(|n| Some((n.legal.wide.as_ref()?, n))) else {
            return Ok(None);
        };
        let part = module.loop_(id);
        let (Some(tile), Some(within)) = (&first.tile, &part.tile) else {
            return Ok(None);
        };
        let h = &first.header;
        let end = self.edits.copy(h.end_span, self.text)?;
        let width = parenthesized(&tile_size(&tile.size_text, h));
        let wide = tiles::may_wrap(part);
        let bound = match within.check {
            true => tiles::bound(part, &tile.variable, &width, wide, &end),
            false => format!("{} + {width}", tile.variable),
        };
        let streamed: Vec<&ElementAccess> = this
            .elements
            .iter()
            .filter(|e| element_is_streamed(e))
            .collect();
        let smallest = streamed.iter().map(|e| e.scalar.size()).min();
        let count = LINE / smallest.unwrap_or(LINE);
        let own = indentation(self.text, first.span.start);
        let inner = block_indentation(self.text, part.body, own).to_string();
        let (ty, i) = (h.plain_type(), &h.variable);
        let body = self.edits.copy(part.body, self.text)?;
        let line = self.in_lines(this, part.body)?;
        let mut known = format!("[[maybe_unused]] const {ty} {i} = brook_i;");
        for declaration in &this.first {
            let text = self.edits.copy(declaration.span, self.text)?;
            known += &format!(" {}", text.trim());
            known += &unused(&declaration.names);
        }
        let mut addresses = Vec::new();
        for e in &streamed {
            let index = self.edits.copy(e.index, self.text)?;
            addresses.push(format!("{} + {}", e.array, parenthesized(index.trim())));
        }
        let begins = addresses.first().map_or("", String::as_str);
        let mut lines = vec![
            format!("if ({LARGE}) {{"),
            format!("  {ty} brook_i = {}, brook_end = {bound};", tile.variable),
            "  while (brook_i < brook_end) {".to_string(),
            format!("    bool brook_whole = brook_end - brook_i >= {count};"),
            // In a block of its own: what the body declares may have the name of what it reads before.
            format!(
                "    if (brook_whole) {{ {known} brook_whole = brook_begins_line({begins}); }}"
            ),
            "    if (!brook_whole) {".to_string(),
            format!("      [[maybe_unused]] const {ty} {i} = brook_i++;"),
            format!("      {}", body.trim()),
            "      continue;".to_string(),
            "    }".to_string(),
        ];
        for e in &streamed {
            let array = &e.array;
            lines.push(format!(
                "    alignas({LINE}) std::remove_reference<decltype(*{array})>::type brook_line_{array}[{count}];"
            ));
        }
        let vectorize = &self.backend.spelling.vectorize;
        lines.push(format!("    _Pragma(\"{vectorize}\")"));
        lines.push(format!(
            "    for (int brook_e = 0; brook_e < {count}; ++brook_e) {{"
        ));
        lines.push(format!(
            "      [[maybe_unused]] const {ty} {i} = brook_i + brook_e;"
        ));
        lines.push(format!("      {}", line.trim()));
        lines.push("    }".to_string());
        for (e, address) in streamed.iter().zip(&addresses) {
            lines.push(format!(
                "    {{ {known} brook_stream({address}, brook_line_{}); }}",
                e.array
            ));
        }
        lines.push(format!("    brook_i += {count};"));
        lines.push("  }".to_string());
        lines.push("} else".to_string());
        self.uses.insert(Part::Streams.into());
        self.streamed.insert(nest.root);
        let one_line = !nest.span.of(self.text).contains('\n');
        let gap = match one_line {
            true => " ".to_string(),
            false => format!("\n{inner}"),
        };
        let lines = lines.iter().map(|l| if one_line { l.trim() } else { l });
        let text = lines.collect::<Vec<_>>().join(&gap);
        Ok(Some(text + " "))
    }

    /// The body with the elements of a line in the place of those of the arrays.
    fn in_lines(&self, this: &Elementwise, body: Span) -> Result<String, Overlap> {
        let mut edits = self.edits.within(body);
        // What only an index was computed of is not used here.
        for declaration in &this.first {
            edits.insert(declaration.span.end, unused(&declaration.names));
        }
        let streamed = this.elements.iter().filter(|e| element_is_streamed(e));
        for e in streamed {
            for used in &e.uses {
                edits.discard(used.span);
                edits.replace(used.span, format!("brook_line_{}[brook_e]", e.array));
            }
        }
        edits.take(body, self.text)
    }

    /// What stands around a nest with such a loop.
    pub(super) fn around_streams(&self, id: LoopId) -> Option<Around> {
        if !self.streamed.contains(&id) {
            return None;
        }
        let nest = self.nest_of_root(id)?;
        let bytes = bytes_streamed(nest.legal.wide.as_ref()?, nest)?;
        Some(Around {
            before: format!(
                "const bool {LARGE} = brook_is_large({bytes}); const brook_drain brook_drained = {{{LARGE}}};"
            ),
            clause: " firstprivate(brook_drained)",
        })
    }
}

fn unused(names: &[String]) -> String {
    names.iter().map(|name| format!(" (void){name};")).collect()
}
