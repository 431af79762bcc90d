//! Blocks of items that go on together: functions with a loop that items leave at different times become three, for
//! what stands before the loop, the loop over all lanes of a block, and what stands behind; the bodies of loops over
//! items are cut where they call such functions, or have such loops.

use super::Pass;
use crate::lex::mentions;
use crate::module::{
    Comparison, Function, LaneVariable, Loop, LoopId, MaskedLoopItems, MaskedLoopPlan,
    MaskedLoopStage,
};
use crate::rewrite::Part;
use crate::rewrite::masked_loops::{Writer, before, fields, load, own_fields, store};
use crate::rewrite::text::{indentation, parenthesized};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// Turns a loop over items, which may be the second half of a tile, into one over blocks of them.
    pub(super) fn masked_loop(
        &mut self,
        first: &Loop,
        (id, this): (LoopId, &Loop),
        items: &MaskedLoopItems,
    ) -> Result<(), Overlap> {
        let width = self.schedule.lanes().width;
        self.uses.insert(Part::MaskedLoops.into());
        let mut header = self.block_header(this, width)?;
        if first.tile.is_some() {
            let (tiles, _) = self.tile_headers(first, this, false)?;
            header = format!("{tiles} {header}");
        }
        self.edits.discard(first.header_span);
        self.edits.replace(first.header_span, header);
        let pragma = self
            .lanes_of_tile(id)
            .map_or(String::new(), |p| format!("{p} "));
        self.masked_body(this, items, width, &pragma)
    }

    /// What a block of items does instead of the body of their loop.
    fn masked_body(
        &mut self,
        this: &Loop,
        items: &MaskedLoopItems,
        width: usize,
        pragma: &str,
    ) -> Result<(), Overlap> {
        let own = indentation(self.text, this.span.start).to_string();
        let h = &this.header;
        let ty = h.plain_type();
        let variable = format!(
            "[[maybe_unused]] const {ty} {} = ({ty})(brook_first + brook_lane);",
            h.variable
        );
        let mut lines = vec![format!(
            "const int brook_filled = brook_last - brook_first < {width} ? (int)(brook_last - brook_first) : {width};"
        )];
        lines.extend(self.block_state(items, width));
        let mut done = this.body.start + 1;
        for (index, stage) in items.stages.iter().enumerate() {
            let mut last = Vec::new();
            let mut between = Vec::new();
            let (to, next) = match stage {
                MaskedLoopStage::Loop(found) => {
                    between = self.loop_over_lanes(found, width, Some(variable.clone()));
                    if let Some(initial) = found.initial {
                        last.push(self.edits.take(initial, self.text)?);
                    }
                    self.edits.discard(found.span);
                    let used = found.variables.iter().filter(|v| v.used);
                    last.extend(
                        used.filter(|v| !is_stored(items, &v.name, index))
                            .map(store),
                    );
                    last.push("brook_lanes.brook_going[brook_lane] = -1;".to_string());
                    (found.span.start, found.span.end)
                }
                MaskedLoopStage::Calls(start, calls) => {
                    for (number, call) in calls.iter().enumerate() {
                        let Some(function) = self.module.functions.get(call.function) else {
                            continue;
                        };
                        self.in_lanes.insert(call.function);
                        let name = &function.name;
                        let state = format!("brook_call_{index}_{number}");
                        let arguments = self.edits.take(call.arguments, self.text)?;
                        let comma = if arguments.trim().is_empty() {
                            ""
                        } else {
                            ", "
                        };
                        last.push(format!(
                            "brook_before_{name}({state}, brook_lane{comma}{arguments});"
                        ));
                        between.push(format!("brook_loop_{name}({state});"));
                        self.edits.discard(call.span);
                        let result = format!("brook_after_{name}({state}, brook_lane)");
                        self.edits.replace(call.span, result);
                    }
                    (*start, *start)
                }
            };
            let stretch = Span::new(done, to);
            lines.extend(self.stretch(items, index, stretch, &variable, pragma, last)?);
            lines.extend(between);
            done = next;
        }
        let end = items
            .guarded
            .map_or(this.body.end - 1, |(inside, _)| inside.end);
        let stretch = Span::new(done, end);
        let index = items.stages.len();
        lines.extend(self.stretch(items, index, stretch, &variable, pragma, Vec::new())?);
        let mut text = "{".to_string();
        for line in lines {
            text.push_str(&format!("\n{own}  {line}"));
        }
        text.push_str(&format!("\n{own}}}"));
        self.edits.discard(this.body);
        self.edits.replace(this.body, text);
        Ok(())
    }

    /// The header of a loop over blocks of a loop's items.
    fn block_header(&mut self, this: &Loop, width: usize) -> Result<String, Overlap> {
        let h = &this.header;
        let start = h.first_value(&self.edits.copy(h.start_span, self.text)?);
        let end = self.edits.copy(h.end_span, self.text)?;
        let behind = if h.comparison == Comparison::LessEqual {
            " + 1"
        } else {
            ""
        };
        let end = format!("(long long)({}){behind}", end.trim());
        let (first, last) = match &this.tile {
            None => (start, end),
            Some(tile) => {
                let size = parenthesized(&super::loops::tile_size(&tile.size_text, h));
                let (t, size) = (&tile.variable, format!("(long long){size}"));
                let whole = format!("(long long){t} + {size}");
                match tile.check {
                    true => (t.clone(), format!("{end} < {whole} ? {end} : {whole}")),
                    false => (t.clone(), whole),
                }
            }
        };
        Ok(format!(
            "for (long long brook_first = {}, brook_last = {last}; brook_first < brook_last; brook_first += {width})",
            first.trim()
        ))
    }

    /// What a block keeps between the stretches of its items' body.
    fn block_state(&mut self, items: &MaskedLoopItems, width: usize) -> Vec<String> {
        let mut variables: Vec<&LaneVariable> = items.kept.iter().map(|(v, ..)| v).collect();
        let mut own = Vec::new();
        let mut lines = Vec::new();
        for (index, stage) in items.stages.iter().enumerate() {
            match stage {
                MaskedLoopStage::Loop(found) => {
                    variables.extend(found.variables.iter().filter(|v| v.used));
                    own = own_fields(found, width);
                }
                MaskedLoopStage::Calls(_, calls) => {
                    for (number, call) in calls.iter().enumerate() {
                        let function = self.module.functions.get(call.function);
                        let name = function.map_or("", |f| f.name.as_str());
                        lines.push(format!(
                            "brook_lanes_{name} brook_call_{index}_{number} = {{}};"
                        ));
                    }
                }
            }
        }
        let mut fields = fields(&variables, width);
        fields.extend(own);
        if items.guarded.is_some() {
            fields.push(format!("int brook_inside[{width}];"));
        }
        if !fields.is_empty() {
            lines.push(format!(
                "struct {{ {} }} brook_lanes = {{}};",
                fields.join(" ")
            ));
        }
        lines
    }

    /// The loop over a block's items for a stretch of their body.
    fn stretch(
        &mut self,
        items: &MaskedLoopItems,
        index: usize,
        span: Span,
        variable: &str,
        pragma: &str,
        last: Vec<String>,
    ) -> Result<Vec<String>, Overlap> {
        let text = match items.guarded.filter(|_| index == 0) {
            Some((inside, false)) => {
                let condition = self
                    .edits
                    .take(Span::new(span.start, inside.start), self.text)?;
                let rest = self
                    .edits
                    .take(Span::new(inside.start, span.end), self.text)?;
                format!("{condition}{{ {rest}")
            }
            _ => self.edits.take(span, self.text)?,
        };
        let mentioned =
            |name: &str| mentions(&text, &[name]) || last.iter().any(|l| mentions(l, &[name]));
        let mut lines = vec![
            format!("{pragma}for (int brook_lane = 0; brook_lane < brook_filled; ++brook_lane) {{"),
            format!("  {variable}"),
        ];
        if items.guarded.is_some() && index > 0 {
            lines.push("  if (!brook_lanes.brook_inside[brook_lane]) continue;".to_string());
        }
        let kept = items.kept.iter().filter(|(v, ..)| mentioned(&v.name));
        let loaded = kept
            .clone()
            .filter(|(_, from, to)| (from + 1..=*to).contains(&index));
        lines.extend(loaded.map(|(v, ..)| format!("  {}", load(v, !v.changes))));
        let stored = kept
            .filter(|(v, from, _)| v.changes || *from == index)
            .filter(|(v, ..)| is_stored(items, &v.name, index))
            .map(|(v, ..)| store(v));
        let stored: Vec<String> = stored.collect();
        let text = text.trim();
        if !text.is_empty() {
            lines.push(format!("  {text}"));
        }
        lines.extend(last.into_iter().chain(stored).map(|l| format!("  {l}")));
        if items.guarded.is_some() && index == 0 {
            lines.push("  brook_lanes.brook_inside[brook_lane] = 1; }".to_string());
        }
        lines.push("}".to_string());
        Ok(lines)
    }

    /// The loop itself, over all lanes.
    fn loop_over_lanes(
        &self,
        plan: &MaskedLoopPlan,
        width: usize,
        first: Option<String>,
    ) -> Vec<String> {
        let pragma = &self.backend.spelling.masked_loop;
        let mut writer = Writer::new(plan, width, pragma);
        writer.first = first;
        writer.write()
    }

    /// Adds to functions what blocks of items call instead of them.
    pub(super) fn masked_functions(&mut self) -> Result<(), Overlap> {
        let module = self.module;
        if self.in_lanes.is_empty() {
            return Ok(());
        }
        let width = self.schedule.lanes().width;
        for (index, function) in module.functions.iter().enumerate() {
            if let Some(plan) = &function.masked_loop
                && self.in_lanes.contains(&index)
            {
                let text = self.masked_function(function, plan, width)?;
                // Nothing else may call it.
                if function.internal {
                    self.edits.insert(function.marker, "[[maybe_unused]] ");
                }
                self.edits.append(function.span.end, text);
            }
        }
        Ok(())
    }

    fn masked_function(
        &mut self,
        function: &Function,
        plan: &MaskedLoopPlan,
        width: usize,
    ) -> Result<String, Overlap> {
        let name = &function.name;
        let variables: Vec<&LaneVariable> = plan.variables.iter().collect();
        let mut all = fields(&variables, width);
        all.extend(own_fields(plan, width));
        let state = format!("brook_lanes_{name}");
        let mut text = format!("\n\nstruct {state} {{\n");
        text.extend(all.iter().map(|f| format!("  {f}\n")));
        let list = self.edits.copy(plan.parameters, self.text)?;
        let list = list.trim_start_matches('(').trim_end_matches(')').trim();
        let comma = if list.is_empty() { "" } else { ", " };
        let inside = |from: u32, to: u32| Span::new(from, to);
        let before = before(&self.edits, self.text, plan, "")?;
        text.push_str(&format!(
            "}};\nstatic inline void brook_before_{name}({state} &brook_lanes, const int brook_lane{comma}{list}) {{\n"
        ));
        push_part(&mut text, &before);
        if let Some(initial) = plan.initial {
            let initial = self.edits.copy(initial, self.text)?;
            push_part(&mut text, &initial);
        }
        text.extend(variables.iter().map(|v| format!("  {}\n", store(v))));
        text.push_str("  brook_lanes.brook_going[brook_lane] = -1;\n}\n");
        text.push_str(&format!(
            "static inline void brook_loop_{name}({state} &brook_lanes) {{\n"
        ));
        let lines = self.loop_over_lanes(plan, width, None);
        text.extend(lines.iter().map(|l| format!("  {l}\n")));
        let result = plan.result.map_or("void", |ty| ty.c_name());
        text.push_str(&format!(
            "}}\nstatic inline {result} brook_after_{name}(const {state} &brook_lanes, const int brook_lane) {{\n"
        ));
        if plan.returns {
            text.push_str(
                "  if (brook_lanes.brook_returned[brook_lane]) return brook_lanes.brook_result[brook_lane];\n",
            );
        }
        let loaded = variables.iter().filter(|v| v.outlives);
        text.extend(loaded.map(|v| format!("  {}\n", load(v, false))));
        let after = inside(plan.span.end, plan.body.end - 1);
        let after = self.edits.copy(after, self.text)?;
        push_part(&mut text, &after);
        text.push('}');
        Ok(text)
    }
}

fn push_part(text: &mut String, part: &str) {
    let part = part.trim();
    if !part.is_empty() {
        text.push_str(&format!("  {part}\n"));
    }
}

/// Whether a variable of the body is kept behind a stretch of it.
fn is_stored(items: &MaskedLoopItems, name: &str, index: usize) -> bool {
    let mut kept = items.kept.iter().filter(|(v, ..)| v.name == name);
    kept.any(|(_, from, to)| (*from..*to).contains(&index))
}
