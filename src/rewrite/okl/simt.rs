use super::Pass;
use crate::backend::Shared;
use crate::diagnostics::codes;
use crate::expr::{self, Expr, Scalar};
use crate::module::{Comparison, Kernel, KernelForm, Loop, LoopId, LoopKind, Nest, Statement};
use crate::render::{DeviceKernel, arguments};
use crate::rewrite::text::{block_indentation, comments, fill, indentation, join, parenthesized};
use crate::source::{Overlap, Span};

type Kernels = (Vec<DeviceKernel>, Vec<Vec<Statement>>);

impl Pass<'_> {
    /// An attributed loop becomes a block that computes its variable from the index of the group or
    /// item.
    pub(super) fn simt_loop(&mut self, id: LoopId) -> Result<(), Overlap> {
        let module = self.module;
        let first = module.loop_(id);
        let second_id = first
            .tile
            .as_ref()
            .and_then(|_| first.children.first().copied());
        let second = second_id.map(|c| module.loop_(c));
        let last_id = second_id.unwrap_or(id);
        let mut lines = Vec::new();
        let mut closing = Vec::new();
        let header = self.header_texts(first)?;
        for (part, id) in [(Some(first), Some(id)), (second, second_id)] {
            let (Some(part), Some(id)) = (part, id) else {
                continue;
            };
            let conditions = self.simt_part(part, &header, &mut lines, &mut closing);
            if !conditions.is_empty() && !self.plan.is_deferred(id) {
                lines.push(format!("if ({}) {{", conditions.join(" && ")));
                closing.push("}".to_string());
            }
        }
        let last = second.unwrap_or(first);
        if self.plan.is_split(last_id) {
            self.first_phase(last_id, &mut lines, &mut closing);
        } else if last.kind != LoopKind::Sequential && last.has_continue {
            // `continue` leaves this iteration; what follows the block is still reached.
            lines.push("do {".to_string());
            closing.push("} while (0);".to_string());
        }
        self.edits
            .discard(Span::new(first.head.start, first.body.start));
        let own = indentation(self.text, first.span.start);
        if first.block {
            let inner = block_indentation(self.text, first.body, own);
            self.edits
                .replace(Span::new(first.head.start, first.body.start), "");
            let lines: String = lines.iter().map(|l| format!("\n{inner}{l}")).collect();
            // Before what stands first in the block, so that the variable is known to it.
            self.edits.insert_before(first.body.start + 1, lines);
            let closers: String = closing
                .iter()
                .rev()
                .map(|c| format!("{c}\n{own}"))
                .collect();
            if !closers.is_empty() {
                self.edits.insert(first.body.end - 1, closers);
            }
        } else {
            let head = Span::new(first.head.start, first.head.end);
            self.edits.replace(head, format!("{{ {}", lines.join(" ")));
            let closers: String = closing.iter().rev().map(|c| format!(" {c}")).collect();
            self.edits.append(first.span.end, format!("{closers} }}"));
        }
        if first.barrier_after && !self.options.no_auto_barriers {
            let barrier = self.backend.spelling.barrier.clone();
            self.edits
                .append(first.span.end, format!("\n{own}{barrier}"));
        }
        Ok(())
    }

    /// The parts of a loop's header, with the edits inside them made.
    pub(super) fn header_texts(&mut self, this: &Loop) -> Result<Texts, Overlap> {
        let h = &this.header;
        let start = self.edits.take(h.start_span, self.text)?;
        let end = self.edits.take(h.end_span, self.text)?;
        let step = match h.step_span {
            Some(span) => self.edits.take(span, self.text)?,
            None => "1".to_string(),
        };
        Ok(Texts { start, end, step })
    }

    /// What begins the first phase of a loop that is split at its barriers: the conditions of all
    /// loops up to the outermost inner one, and what lives across barriers.
    fn first_phase(&mut self, leaf: LoopId, lines: &mut Vec<String>, closing: &mut Vec<String>) {
        let chain = super::plan::chain(self.module, leaf);
        let mut conditions = Vec::new();
        for &id in chain.iter().rev() {
            let this = self.module.loop_(id);
            let end = this.header.end.to_string();
            conditions.extend(self.conditions(this, &end));
        }
        let this = self.module.loop_(leaf);
        let condition = match conditions.is_empty() {
            true => "true".to_string(),
            false => conditions.join(" && "),
        };
        let constant = if this.continues_early { "" } else { "const " };
        lines.push(format!("{constant}bool brook_active = {condition};"));
        lines.extend(self.carried.get(&leaf).cloned().unwrap_or_default());
        let (open, close) = phase(this);
        lines.push(open.to_string());
        closing.push(close.to_string());
    }

    /// A barrier between two phases of a split loop.
    pub(super) fn phase_barrier(&mut self, span: Span, leaf: LoopId, barrier: &str) {
        let indent = indentation(self.text, span.start);
        let (open, close) = phase(self.module.loop_(leaf));
        let text = format!("{close}\n{indent}{barrier}\n{indent}{open}");
        self.edits.replace(span, text);
    }

    /// Reports barriers that some items cannot reach.
    pub(super) fn check_barriers(&mut self) {
        for id in self.plan.unreachable.clone() {
            let head = self.module.loop_(id).head;
            self.error(&codes::BARRIER_GUARDED, head, &[]);
        }
    }

    /// Whether anything reads the variable that a part computes.
    fn is_variable_used(&self, part: &Loop) -> bool {
        let within = part.tile.as_ref().is_some_and(|t| t.over_tiles)
            && part
                .children
                .iter()
                .any(|c| self.module.loop_(*c).kind == LoopKind::Sequential);
        within || part.uses_variable || part.tile.as_ref().is_some_and(|t| t.check)
    }

    /// Where the items of a group are more than the iterations of a loop: what those that run it
    /// have in common.
    fn conditions(&self, part: &Loop, end: &str) -> Vec<String> {
        let mut conditions = Vec::new();
        if part.kind == LoopKind::Sequential {
            return conditions;
        }
        let index = self.index(part.kind, part.axis);
        if part.guarded {
            conditions.push(format!(
                "{index} < {}",
                parenthesized(&part.count.to_string())
            ));
        }
        for &axis in &part.absent {
            conditions.push(format!("{} == 0", self.index(part.kind, axis)));
        }
        if part.tile.as_ref().is_some_and(|t| !t.over_tiles && t.check) {
            let h = &part.header;
            conditions.push(format!("{} {} {end}", h.variable, h.comparison.text()));
        }
        conditions
    }

    /// The lines that open one loop, or one half of a tile, and what closes them. Returns the
    /// conditions under which its body runs.
    pub(super) fn simt_part(
        &self,
        part: &Loop,
        header: &Texts,
        lines: &mut Vec<String>,
        closing: &mut Vec<String>,
    ) -> Vec<String> {
        let h = &part.header;
        let sign = if h.down { "-" } else { "+" };
        let (variable, from, step) = match &part.tile {
            None => (
                h.variable.clone(),
                header.start.clone(),
                header.step.clone(),
            ),
            Some(tile) if tile.over_tiles => {
                let size = scaled(&tile.size_text, &header.step);
                (tile.variable.clone(), header.start.clone(), size)
            }
            Some(tile) => (
                h.variable.clone(),
                tile.variable.clone(),
                header.step.clone(),
            ),
        };
        if part.kind == LoopKind::Sequential || (part.kind == LoopKind::Outer && !self.is_simt()) {
            let bound = match &part.tile {
                Some(tile) if !tile.over_tiles => {
                    let size = scaled(&tile.size_text, &header.step);
                    let compare = if h.down { ">" } else { "<" };
                    format!("{variable} {compare} {} {sign} {size}", tile.variable)
                }
                _ => format!(
                    "{variable} {} {}",
                    ordered(h.comparison, h.down),
                    header.end
                ),
            };
            let ty = &h.type_name;
            lines.push(format!(
                "for ({ty} {variable} = {from}; {bound}; {variable} {sign}= {step}) {{"
            ));
            closing.push("}".to_string());
        } else {
            let index = self.index(part.kind, part.axis);
            let value = value(
                &from,
                sign,
                &step,
                &index,
                h.scalar.map(|_| h.type_name.as_str()),
            );
            if self.is_variable_used(part) {
                lines.push(format!("{} {variable} = {value};", h.type_name));
            }
        }
        if part.kind == LoopKind::Sequential
            && part.tile.as_ref().is_some_and(|t| !t.over_tiles && t.check)
        {
            let compare = h.comparison.text();
            return vec![format!("{variable} {compare} {}", header.end)];
        }
        self.conditions(part, &header.end)
    }

    fn index(&self, kind: LoopKind, axis: usize) -> String {
        let spelling = &self.backend.spelling;
        let names = if kind == LoopKind::Outer {
            &spelling.group
        } else {
            &spelling.item
        };
        names.get(axis).cloned().unwrap_or_default()
    }

    /// A `@shared` declaration stays where it is, or moves to the beginning of its kernel.
    pub(super) fn shared(
        &mut self,
        span: Span,
        attribute: Span,
        nest: LoopId,
    ) -> Result<(), Overlap> {
        let keyword = self.backend.spelling.shared.clone();
        if keyword.is_empty() {
            self.edits.delete_word(attribute, self.text);
            return Ok(());
        }
        if attribute.is_empty() {
            self.edits.insert(attribute.start, format!("{keyword} "));
        } else {
            self.edits.replace(attribute, keyword);
        }
        if self.backend.lowering.shared == Shared::Hoist {
            let text = self.edits.take(span, self.text)?;
            self.edits.replace(span, "");
            self.hoisted.entry(nest).or_default().push(text);
        }
        Ok(())
    }

    /// Each outermost nest becomes a function of its own; the host's part around it goes.
    pub(super) fn device_kernels(&mut self) -> Result<Kernels, Overlap> {
        let mut functions = Vec::new();
        let mut host = Vec::new();
        for kernel in &self.module.kernels {
            let KernelForm::Okl { nests } = &kernel.form else {
                continue;
            };
            let mut parameters = Vec::with_capacity(kernel.parameters.len());
            for parameter in &kernel.parameters {
                let text = self.edits.take(parameter.span, self.text)?;
                parameters.push(self.parameter_text(parameter, text));
            }
            let own = indentation(self.text, kernel.span.start).to_string();
            let mut done = kernel.span.start;
            for (index, nest) in nests.iter().enumerate() {
                let name = format!("_occa_{}_{index}", kernel.name);
                let head = self.head(kernel, nest, &name, &parameters);
                // Comments before the nest stay; host code there does not.
                let body = if index == 0 {
                    kernel.body.start + 1
                } else {
                    done
                };
                let kept = comments(self.text, Span::new(body, nest.span.start));
                let hoisted: String = self
                    .hoisted
                    .remove(&nest.root)
                    .unwrap_or_default()
                    .iter()
                    .map(|d| format!("\n{own}    {d}"))
                    .collect();
                let gap = match kept.contains('\n') {
                    true => kept.trim_end_matches([' ', '\t']).to_string(),
                    false => format!("{kept}\n"),
                };
                let indent = indentation(self.text, nest.span.start);
                let close = if index == 0 {
                    String::new()
                } else {
                    format!("\n{own}}}\n\n{own}")
                };
                let newline = if gap.ends_with('\n') { "" } else { "\n" };
                let piece = Span::new(done, nest.span.start);
                self.edits.discard(piece);
                self.edits.insert_before(
                    nest.span.start,
                    format!("{close}{head} {{{hoisted}{gap}{newline}{indent}"),
                );
                self.edits.delete(piece);
                done = nest.span.end;
                let extra: Vec<_> = nest
                    .captures
                    .iter()
                    .map(|c| (c.name.clone(), c.scalar))
                    .collect();
                functions.push(DeviceKernel {
                    name,
                    arguments: arguments(kernel, &extra),
                });
            }
            let rest = Span::new(done, kernel.body.end);
            let kept = comments(self.text, Span::new(done, kernel.body.end - 1));
            let kept = kept.trim_end();
            // Insertions that end the last nest stand at `done`, before this replacement.
            let tail = Span::new(rest.start + 1, rest.end);
            self.edits.discard(tail);
            self.edits.replace(rest, format!("{kept}\n{own}}}"));
            host.push(kernel.host.clone());
        }
        Ok((functions, host))
    }

    fn head(&self, kernel: &Kernel, nest: &Nest, name: &str, parameters: &[String]) -> String {
        let captured = |name: &str| nest.captures.iter().any(|c| c.name == name);
        let own = kernel.parameters.iter().zip(parameters);
        let own = own
            .filter(|(p, _)| !captured(&p.name))
            .map(|(_, text)| text.clone());
        let cpp = self.backend.is_cpp();
        let extra = nest.captures.iter().map(|c| match c.scalar {
            // OpenCL C has no kernel parameters of that type.
            Scalar::Bool if !cpp => format!("const uchar {}", c.name),
            scalar => format!("const {} {}", scalar.c_name(), c.name),
        });
        let parameters = join(own.chain(extra), ", ");
        let constant = |e: &Expr| expr::constant(e).map(|n| n.to_string());
        let extents: Option<Vec<String>> = nest.inner.iter().map(constant).collect();
        let bounds = match (extents.as_deref(), nest.threads) {
            (Some([x, y, z]), Some(threads)) if threads > 0 => fill(
                &self.backend.spelling.bounds,
                &[
                    ("threads", &threads.to_string()),
                    ("x", x),
                    ("y", y),
                    ("z", z),
                ],
            ),
            _ => String::new(),
        };
        fill(
            &self.backend.spelling.signature,
            &[
                ("bounds", &bounds),
                ("name", name),
                ("parameters", &parameters),
            ],
        )
    }
}

/// What a phase of a split loop begins and ends with.
fn phase(this: &Loop) -> (&'static str, &'static str) {
    match this.has_continue {
        true => ("if (brook_active) do {", "} while (0);"),
        false => ("if (brook_active) {", "}"),
    }
}

/// The parts of a loop's header, with the edits inside them made.
pub(super) struct Texts {
    start: String,
    end: String,
    step: String,
}

/// `a * b`, shorter where one of them is 1.
fn scaled(a: &str, b: &str) -> String {
    match (a.trim(), b.trim()) {
        (a, "1") => parenthesized(a),
        ("1", b) => parenthesized(b),
        (a, b) => format!("{} * {}", parenthesized(a), parenthesized(b)),
    }
}

/// `!=` counts on hitting the bound exactly, which a tile's last step need not do.
fn ordered(comparison: Comparison, down: bool) -> &'static str {
    match comparison {
        Comparison::NotEqual if down => ">",
        Comparison::NotEqual => "<",
        other => other.text(),
    }
}

/// `from ± step * index`. Indices are unsigned in most targets, so they are cast to the variable's
/// type before they can wrap.
fn value(from: &str, sign: &str, step: &str, index: &str, ty: Option<&str>) -> String {
    let from = from.trim();
    if from == "0" && sign == "+" && step == "1" && ty.is_some() {
        return index.to_string();
    }
    let ty = match ty {
        Some(ty) => ty.replace("const ", ""),
        None => format!("decltype({} + 0)", parenthesized(from)),
    };
    let offset = match step {
        "1" => format!("({ty}){index}"),
        step => format!("({ty}){index} * {}", parenthesized(step)),
    };
    format!("{} {sign} {offset}", parenthesized(from))
}
