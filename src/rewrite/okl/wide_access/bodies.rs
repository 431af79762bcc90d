//! The two bodies of a nest whose items run several iterations at once: one in which all of them happen with wide
//! accesses, and the program's own, for one iteration after the other.

use super::super::Pass;
use super::super::coarsening::{COUNTER, iterations_of_item};
use super::kept::Kept;
use super::levels::{Levels, mentions, needed};
use super::lines::Lines;
use super::wide_name;
use crate::module::{ElementAccess, Elementwise};
use crate::rewrite::text::{block_indentation, indentation, parenthesized};
use crate::rewrite::{Part, Use};
use crate::schedule::Wide;
use crate::source::{Overlap, Span};

/// Which of an item's iterations of an outer loop something is computed for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Iterations {
    All,
    /// All of them, unless they have the same values.
    Different,
    First,
}

/// A nest as its bodies need it.
pub(super) struct Bodies<'p, 'a> {
    pub(super) pass: &'p Pass<'a>,
    pub(super) this: &'a Elementwise,
    pub(super) wide: Wide,
    levels: Levels,
    /// How many iterations of an outer loop an item runs, if these are several; and that loop's statement.
    coarse: Option<usize>,
    outer: Option<Span>,
    /// Of each array, whether what is read there is kept apart from other reads.
    pub(super) apart: Vec<bool>,
    /// What an item's next iteration of that loop has of this one.
    pub(super) kept: Kept,
}

impl Pass<'_> {
    /// Writes the bodies of all nests whose items run several iterations at once: when everything else in them is written.
    pub(in super::super) fn wide_bodies(&mut self) -> Result<(), Overlap> {
        let module = self.module;
        for nest in module.nests() {
            let Some(schedule) = self.schedule.nests.get(&nest.root) else {
                continue;
            };
            let coarse = schedule.coarse.map(|(_, many)| many);
            let outer = schedule.coarse.map(|(outer, _)| module.loop_(outer).span);
            let (Some(wide), Some(this)) = (schedule.wide.clone(), nest.legal.wide.as_ref()) else {
                continue;
            };
            let leaf = module.loop_(this.leaf);
            let apart = |e: &ElementAccess| e.reads && self.keeps_apart(&e.array, leaf.span.start);
            let apart = this.elements.iter().map(apart).collect();
            let levels = self.levels(this, &wide)?;
            let bodies = Bodies {
                kept: Kept::of(this, &wide.windows, outer),
                this,
                levels,
                coarse,
                outer,
                apart,
                pass: self,
                wide,
            };
            let own = indentation(self.text, leaf.span.start);
            let mut lines = Lines {
                text: String::new(),
                indent: block_indentation(self.text, leaf.body, own),
                depth: 0,
                unroll: self.backend.spelling.unroll.clone(),
            };
            let close = bodies.write(&mut lines)?;
            let width = bodies.wide.width;
            let any_apart = bodies.apart.contains(&true);
            let wide = this.elements.iter().map(|e| Use::Wide(e.scalar, width));
            self.uses.extend(wide);
            if any_apart {
                self.uses.insert(Part::Opaque.into());
            }
            match leaf.block {
                true => {
                    self.edits.insert_before(leaf.body.start + 1, lines.text);
                    self.edits
                        .insert(leaf.body.end - 1, format!("{close}\n{own}"));
                }
                false => {
                    let open = format!("{{{}\n{own}", lines.text);
                    self.edits.insert_before(leaf.body.start, open);
                    self.edits
                        .append(leaf.body.end, format!("\n{own}{close} }}"));
                }
            }
            // Behind what closes the body, which may end where they do.
            let around = module.and_around(this.leaf).map(|id| module.loop_(id));
            for around in around.filter(|l| l.is_statement()) {
                let own = indentation(self.text, around.span.start);
                self.barriers_around(around, own);
            }
        }
        Ok(())
    }
}

impl Bodies<'_, '_> {
    /// All that stands before the program's own body, and what stands behind it.
    fn write(&self, lines: &mut Lines) -> Result<String, Overlap> {
        let item = self.pass.backend.spelling.item.first();
        let item = item.map_or("", String::as_str);
        let chunks = self.wide.chunks();
        lines.line(&format!("const int brook_own = (int)({item} % {chunks});"));
        lines.line(&format!("const int brook_of = (int)({item} / {chunks});"));
        if let Some(counted) = &self.levels.counted {
            lines.line(&counted.begin);
        }
        self.whole(lines);
        lines.open("if (brook_whole) {");
        self.at_once(lines)?;
        lines.close(1);
        lines.open("else {");
        let opened = self.one_by_one(lines);
        Ok("}".repeat(opened + 1))
    }

    pub(super) fn width(&self) -> usize {
        self.wide.width
    }

    pub(super) fn text(&self) -> &str {
        self.pass.text
    }

    /// What one iteration of a chunk computes: its number, and what the loops make of it.
    fn each_lines(&self, number: &str) -> Vec<String> {
        let index = self.wide.index();
        let mut lines = vec![match &self.levels.counted {
            Some(counted) => format!("const {} {index} = brook_begin_x + {number};", counted.ty),
            None => format!("const int {index} = {number};"),
        }];
        lines.extend(self.levels.leaf.lines.iter().cloned());
        lines
    }

    /// The body's first declarations that texts need, with what the loops declare for them.
    fn known(&self, number: &str, texts: &[&str]) -> Vec<String> {
        let (mut first, mut unused) = (Vec::new(), Vec::new());
        for declaration in self.this.first.iter().rev() {
            let text = declaration.span.of(self.text()).trim().to_string();
            let used = |name: &&String| {
                let later = first.iter().map(String::as_str);
                texts
                    .iter()
                    .copied()
                    .chain(later)
                    .any(|t| mentions(t, name))
            };
            let (some, none): (Vec<&String>, Vec<&String>) =
                declaration.names.iter().partition(used);
            if !some.is_empty() {
                first.insert(0, text);
                unused.extend(none.into_iter().map(|name| format!("(void){name};")));
            }
        }
        let all: Vec<&str> = { first.iter().map(String::as_str) }
            .chain(texts.iter().copied())
            .collect();
        let mut lines = needed(self.each_lines(number), &all);
        lines.extend(first);
        lines.extend(unused);
        lines
    }

    /// What the loops around declare for texts.
    fn around(&self, texts: &[&str]) -> Vec<String> {
        let lines = self
            .levels
            .around
            .iter()
            .flat_map(|l| l.lines.iter().cloned());
        needed(lines.collect(), texts)
    }

    fn guard(&self) -> Option<String> {
        let guard = self.this.guard?.of(self.text()).trim();
        Some(parenthesized(guard))
    }

    /// The loop over a chunk's iterations.
    fn each(&self) -> String {
        let width = self.width();
        format!("for (int brook_e = 0; brook_e < {width}; ++brook_e) {{")
    }

    fn number(&self) -> String {
        format!("brook_own * {} + brook_e", self.width())
    }

    fn first_number(&self) -> String {
        format!("brook_own * {}", self.width())
    }

    fn conditions(&self) -> Vec<&str> {
        let conditions = self.levels.leaf.conditions.iter();
        conditions.map(String::as_str).collect()
    }

    /// Asks whether all iterations of a chunk happen, and then, whether all its elements are aligned: where nothing more is asked
    /// than has to be, compilers make faster code of it (6 % of a stencil).
    fn whole(&self, lines: &mut Lines) {
        lines.line("bool brook_whole = true;");
        let guard = self.guard();
        let guard: Vec<&str> = guard.as_deref().into_iter().collect();
        self.asked(lines, &self.conditions_around(), &self.conditions());
        if !guard.is_empty() {
            // What it is computed of may need that there is such an iteration.
            lines.open("if (brook_whole) {");
            self.asked(lines, &[], &guard);
            lines.close(1);
        }
        lines.open("if (brook_whole) {");
        self.aligned(lines);
        lines.line("brook_whole = brook_aligned;");
        lines.close(1);
    }

    /// The conditions of the loops around.
    fn conditions_around(&self) -> Vec<&str> {
        let around = self.levels.around.iter().flat_map(|l| &l.conditions);
        around.map(String::as_str).collect()
    }

    /// Asks conditions of the loops around, and of each iteration of a chunk.
    fn asked(&self, lines: &mut Lines, around: &[&str], each: &[&str]) {
        if around.is_empty() && each.is_empty() {
            return;
        }
        let known = self.known(&self.number(), each);
        let texts = { known.iter().map(String::as_str) }
            .chain(around.iter().copied())
            .chain(each.iter().copied());
        let texts: Vec<&str> = texts.collect();
        self.outermost(lines, &texts, Iterations::Different);
        for condition in around {
            lines.line(&format!("brook_whole = brook_whole && ({condition});"));
        }
        if !each.is_empty() {
            // A condition may be the same for all of them.
            match known.iter().any(|l| mentions(l, "brook_e")) {
                true => lines.unrolled(&self.each()),
                false => lines.open("{"),
            }
            lines.lines(&known);
            for condition in each {
                lines.line(&format!("brook_whole = brook_whole && ({condition});"));
            }
            lines.close(1);
        }
        lines.close(1);
    }

    /// Declares `brook_aligned`: whether the elements are aligned with which a chunk begins, which is the same for all chunks
    /// along x.
    fn aligned(&self, lines: &mut Lines) {
        lines.line("bool brook_aligned = true;");
        let aligned = self.addresses_aligned();
        let known = self.known(&self.first_number(), &[&aligned]);
        let texts = known.iter().map(String::as_str);
        let texts: Vec<&str> = texts.chain([aligned.as_str()]).collect();
        let outer = self.outer.filter(|_| self.is_known());
        let which = match outer.is_some_and(|outer| self.this.asked.loops.contains(&outer)) {
            true => Iterations::First,
            false => Iterations::Different,
        };
        self.outermost(lines, &texts, which);
        lines.lines(&known);
        lines.line(&format!("brook_aligned = brook_aligned && {aligned};"));
        lines.close(1);
    }

    /// Opens the loop over these of an item's iterations of an outer loop, or a block, with what the loops around declare for texts.
    ///
    /// Whether there is another iteration is asked in the loop, even where it could be asked for all of them before. Compilers
    /// keep an iteration's reads behind the question then: made all at once they take registers that other items could have,
    /// and a stencil with eight iterations of 16 bytes 2.6 times as long.
    fn outermost(&self, lines: &mut Lines, texts: &[&str], which: Iterations) {
        let around = self.around(texts);
        let coarse = self.levels.around.iter().find(|l| l.exists.is_some());
        // Whatever is computed of the iteration's number is computed of the group's, which is declared first.
        let group = coarse.and_then(|level| level.lines.first());
        let counted = group.is_some_and(|group| around.contains(group));
        let many = self.coarse.filter(|_| counted || which == Iterations::All);
        let Some(many) = many.filter(|_| which != Iterations::First) else {
            lines.open("{");
            if many.is_some() {
                lines.line(&format!("const int {COUNTER} = 0;"));
            }
            return lines.lines(&around);
        };
        lines.unrolled(&iterations_of_item(many));
        let exists = coarse.and_then(|level| level.exists.as_deref());
        let texts: Vec<&str> = texts.iter().copied().chain(exists).collect();
        lines.lines(&self.around(&texts));
        if let Some(exists) = exists {
            lines.line(&format!("if (!({exists})) break;"));
        }
    }

    /// All iterations of a chunk, with wide accesses.
    fn at_once(&self, lines: &mut Lines) -> Result<(), Overlap> {
        let body = self.body()?;
        let numbered = || {
            self.this
                .elements
                .iter()
                .zip(&self.wide.windows)
                .enumerate()
        };
        let indices = |wanted: &dyn Fn(&ElementAccess) -> bool| {
            let wanted = self.this.elements.iter().filter(|e| wanted(e));
            let texts: Vec<&str> = wanted.map(|e| e.index.of(self.text())).collect();
            self.known(&self.first_number(), &texts)
        };
        let for_reads = indices(&|e| e.reads);
        let for_body = self.known(&self.number(), &[&body]);
        let for_writes = indices(&|e| e.writes);
        let own = self.this.elements.iter().map(|e| e.index.of(self.text()));
        let known = for_reads.iter().chain(&for_body).chain(&for_writes);
        let texts: Vec<&str> = own
            .chain(known.map(String::as_str))
            .chain([body.as_str()])
            .collect();
        let declared = |lines: &mut Lines, longer: bool| {
            for (number, (e, window)) in numbered().filter(|(n, _)| self.kept.is_used(*n) == longer)
            {
                let name = self.name(number, e);
                lines.line(&match window.is_one_piece() {
                    true => format!("{} {name};", wide_name(e.scalar, self.width())),
                    false => format!("{} {name}[{}];", e.scalar.c_name(), window.count),
                });
            }
        };
        declared(lines, true);
        self.outermost(lines, &texts, Iterations::All);
        declared(lines, false);
        if self.this.elements.iter().any(|e| e.reads) {
            lines.open("{");
            lines.lines(&for_reads);
            self.reads(lines);
            lines.close(1);
        }
        lines.unrolled(&self.each());
        lines.lines(&for_body);
        lines.line(&body);
        lines.close(1);
        if self.this.elements.iter().any(|e| e.writes) {
            lines.open("{");
            lines.lines(&for_writes);
            for (number, (e, window)) in numbered().filter(|(_, (e, _))| e.writes) {
                let target = self.piece(e, window.first, "");
                lines.line(&format!("{target} = {}.raw;", self.name(number, e)));
            }
            lines.close(1);
        }
        lines.close(1);
        Ok(())
    }

    /// The body for iterations whose elements are read and written at once.
    fn body(&self) -> Result<String, Overlap> {
        // What is appended at its end, behind a semicolon, closes what stands around.
        let rest = self.this.rest;
        let mut edits = { &self.pass.edits }.within(Span::new(rest.start, rest.end - 1));
        let windows = self.this.elements.iter().zip(&self.wide.windows);
        for (number, (e, window)) in windows.enumerate() {
            let name = self.name(number, e);
            for used in &e.uses {
                let kept = match (window.is_one_piece(), used.distance - window.first) {
                    (true, _) => format!("{name}.v[brook_e]"),
                    (false, 0) => format!("{name}[brook_e]"),
                    (false, by) => format!("{name}[brook_e + {by}]"),
                };
                edits.discard(used.span);
                edits.replace(used.span, kept);
            }
        }
        edits.take(rest, self.text())
    }

    /// Opens the loops in which the program's own body runs, and says how many braces close them.
    fn one_by_one(&self, lines: &mut Lines) -> usize {
        let from = lines.depth;
        if self.this.total {
            self.aligned(lines);
        }
        if let Some(many) = self.coarse {
            lines.unrolled(&iterations_of_item(many));
        }
        for level in &self.levels.around {
            lines.lines(&level.lines);
            let conditions = level.exists.iter().chain(&level.conditions);
            self.under(lines, conditions);
        }
        lines.unrolled(&self.each());
        let number = self.number();
        let number = match self.this.total {
            // Neighbours access neighbouring elements where these are not aligned.
            true => format!(
                "(brook_aligned ? {number} : brook_own + brook_e * {})",
                self.wide.chunks()
            ),
            false => number,
        };
        lines.lines(&self.each_lines(&number));
        self.under(lines, self.levels.leaf.conditions.iter());
        lines.depth - from
    }

    fn under<'s>(&self, lines: &mut Lines, conditions: impl Iterator<Item = &'s String>) {
        let conditions: Vec<&str> = conditions.map(String::as_str).collect();
        if !conditions.is_empty() {
            lines.open(&format!("if ({}) {{", conditions.join(" && ")));
        }
    }
}
