//! Items that run several iterations, where each has elements of its own side by side: these are read and
//! written at once.
//!
//! A group of the launch runs as many groups of the program as an item runs iterations, so that it has as many
//! items as it had. In the names of the generated code: `brook_group_x` is the program's group, `brook_item_x` the
//! item in it, `brook_e` counts the iterations of an item.

use super::Pass;
use super::coarsening::group_type;
use crate::backend::Backend;
use crate::expr::{self, Scalar};
use crate::lex::lex;
use crate::module::MOST_OPERATIONS;
use crate::module::{ElementAccess, Elementwise, Loop, Module, Nest};
use crate::rewrite::WIDE;
use crate::rewrite::text::{block_indentation, indentation, parenthesized};
use crate::rewrite::{Part, Use};
use crate::source::Span;
use std::fmt::Write;

/// How many iterations the items of a nest run at once, if these are several; no more than somebody has chosen, and if
/// somebody has, whatever there is to do.
pub(super) fn width(
    module: &Module,
    backend: &Backend,
    nest: &Nest,
    chosen: Option<u8>,
) -> Option<usize> {
    if !backend.lowering.wide {
        return None;
    }
    let this = nest.schedule.wide.as_ref()?;
    let largest = this.elements.iter().map(|e| e.scalar.size()).max()?;
    let items = nest.inner.first().and_then(expr::constant)?;
    let items = usize::try_from(items)
        .ok()
        .filter(|_| nest.threads.is_some())?;
    let double = this.elements.iter().any(|e| e.scalar == Scalar::Double);
    let scalar = if double {
        Scalar::Double
    } else {
        Scalar::Float
    };
    let operations = this.work.straight_in(scalar)?;

    // What the launch cannot count is not grouped.
    let counted = nest
        .outer
        .first()
        .is_some_and(|e| expr::constant(e).is_none_or(|n| n < i64::from(u32::MAX)));
    let directive = |d: &crate::module::Directive| nest.span.contains(d.span);
    let counted = counted && super::is_known(&module.loop_(this.outer).count);
    if !counted || module.directives.iter().any(directive) {
        return None;
    }
    let mut width = WIDE / largest;
    let too_many = |width: usize| match chosen {
        Some(most) => width > usize::from(most),
        None => width * operations > MOST_OPERATIONS,
    };
    let apart = |width: usize| this.elements.iter().any(|e| e.offset % width as i64 != 0);
    while width > 1 && (too_many(width) || items % width != 0 || apart(width)) {
        width /= 2;
    }
    (width > 1).then_some(width)
}

/// How the body of the innermost loop begins and ends.
pub(super) struct WideBody {
    pub(super) open: String,
    pub(super) close: String,
}

impl<'a> Pass<'a> {
    /// The nest around a loop, if its items run several iterations, with the number of these.
    pub(super) fn wide_nest(&self, part: &Loop) -> Option<(&'a Nest, &'a Elementwise, usize)> {
        if self.schedules.is_empty() {
            return None;
        }
        let root = self.root_of_loop(part);
        let width = self.schedules.get(&root)?.wide;
        if width == 1 {
            return None;
        }
        let nest = self.nest_of_root(root)?;
        Some((nest, nest.schedule.wide.as_ref()?, width))
    }

    /// The program's group along x, and the condition that there is such a group.
    pub(super) fn wide_group(&self, part: &Loop, nest: &Nest, width: usize) -> [String; 2] {
        let items = items(nest);
        let (group, item) = (self.own_group_index(part), self.item_x());
        let (ty, wide) = group_type(part);
        [
            format!(
                "const {ty} brook_group_x = {wide}{group} * {width} + {item} / {};",
                items / width
            ),
            format!(
                "(long)brook_group_x < {}",
                parenthesized(&part.count.to_string())
            ),
        ]
    }

    fn item_x(&self) -> String {
        self.backend
            .spelling
            .item
            .first()
            .cloned()
            .unwrap_or_default()
    }

    /// Replaces the accesses in the body of the innermost loop, and gives what stands around it. `lines`
    /// compute the loop variable of an iteration, which runs under `conditions`.
    pub(super) fn wide_body(
        &mut self,
        leaf: &Loop,
        (nest, this, width): (&Nest, &Elementwise, usize),
        lines: &[String],
        conditions: &[String],
    ) -> WideBody {
        let own = indentation(self.text, leaf.span.start);
        let indent = block_indentation(self.text, leaf.body, own);
        let guard = this.guard.map(|g| g.of(self.text));
        let array = |number: usize, e: &ElementAccess| format!("brook_{}_{number}", e.array);
        let numbered = || this.elements.iter().enumerate();
        let kept_apart: Vec<bool> = this
            .elements
            .iter()
            .map(|e| e.reads && self.keeps_apart(&e.array, leaf.span.start))
            .collect();
        if kept_apart.contains(&true) {
            self.uses.insert(Part::Opaque.into());
        }
        let opaque = |number: usize, value: String| match kept_apart.get(number) {
            Some(true) => format!("brook_opaque({value})"),
            _ => value,
        };
        let item = self.item_x();
        let many = items(nest) / width;
        let mut open = String::new();
        // Writing to a string cannot fail.
        let mut line = |depth: usize, text: &str| {
            let _ = match text.starts_with('#') {
                true => write!(open, "\n{text}"),
                false => write!(open, "\n{indent}{}{text}", "  ".repeat(depth)),
            };
        };
        let unroll = match self.backend.spelling.unroll.as_str() {
            "" => None,
            pragma => Some(format!("#pragma {pragma}")),
        };
        let each = format!("for (int brook_e = 0; brook_e < {width}; ++brook_e) {{");
        line(
            0,
            &format!("const int brook_first_x = (int)({item} % {many}) * {width};"),
        );
        for (number, e) in numbered() {
            self.uses.insert(Use::Wide(e.scalar, width));
            line(0, &format!("{} {};", type_name(e, width), array(number, e)));
        }
        // All iterations happen, and their elements are aligned.
        line(0, "bool brook_whole = true;");
        if !conditions.is_empty() || guard.is_some() {
            let texts: Vec<&str> = conditions.iter().map(String::as_str).chain(guard).collect();
            let known = self.known(leaf, this, lines, texts.clone());
            let all = texts
                .iter()
                .copied()
                .chain(known.iter().map(String::as_str));
            // A condition may be the same for all items.
            let varies = all.into_iter().any(|t| mentions(t, "brook_item_x"));
            let depth = usize::from(varies);
            if varies {
                unroll.iter().for_each(|u| line(0, u));
                line(0, &each);
                line(1, "const int brook_item_x = brook_first_x + brook_e;");
            }
            let asked = conditions.iter().map(String::as_str).collect();
            let asked = self.known(leaf, this, lines, asked);
            // What the body begins with is computed in iterations that there are.
            let (before, behind): (Vec<&String>, Vec<&String>) = { known.iter() }
                .partition(|l| conditions.is_empty() || asked.contains(l) || lines.contains(l));
            before.iter().for_each(|l| line(depth, l));
            let mut guard = guard.map(|g| parenthesized(g.trim()));
            let inner = guard.take_if(|_| !behind.is_empty());
            let all = conditions.iter().map(|c| format!("({c})"));
            let all: Vec<String> = all.chain(guard).collect();
            line(
                depth,
                &format!("brook_whole = brook_whole && {};", all.join(" && ")),
            );
            if let Some(guard) = inner {
                line(depth, "if (brook_whole) {");
                behind.iter().for_each(|l| line(depth + 1, l));
                line(depth + 1, &format!("brook_whole = {guard};"));
                line(depth, "}");
            }
            if varies {
                line(0, "}");
            }
        }
        let global = match self.backend.spelling.global.as_str() {
            "" => String::new(),
            space => format!("{space} "),
        };
        let at =
            |e: &ElementAccess| format!("{} + {}", e.array, parenthesized(e.index.of(self.text)));
        let beginning =
            |line: &mut dyn FnMut(usize, &str),
             elements: &mut dyn Iterator<Item = &ElementAccess>| {
                line(0, "if (brook_whole) {");
                line(1, "const int brook_item_x = brook_first_x;");
                let texts = elements.map(|e| e.index.of(self.text)).collect();
                let known = self.known(leaf, this, lines, texts);
                known.iter().for_each(|l| line(1, l));
            };
        beginning(&mut line, &mut this.elements.iter());
        let aligned: Vec<String> = this
            .elements
            .iter()
            .map(|e| {
                format!(
                    "((size_t)({}) & {}) == 0",
                    at(e),
                    e.scalar.size() * width - 1
                )
            })
            .collect();
        line(1, &format!("brook_whole = {};", aligned.join(" && ")));
        for (number, e) in numbered().filter(|(_, e)| e.reads) {
            let value = format!("*({global}const {} *)({})", raw_name(e, width), at(e));
            let value = opaque(number, value);
            line(
                1,
                &format!("if (brook_whole) {}.raw = {value};", array(number, e)),
            );
        }
        line(0, "}");
        unroll.iter().for_each(|u| line(0, u));
        line(0, &each);
        line(1, "const int brook_item_x = brook_first_x + brook_e;");
        lines.iter().for_each(|l| line(1, l));
        let mut closers = vec!["}".to_string()];
        if !conditions.is_empty() {
            line(1, &format!("if ({}) {{", conditions.join(" && ")));
            closers.push("}".to_string());
        }
        let mut close: String = closers
            .iter()
            .rev()
            .map(|c| format!("{c}\n{indent}"))
            .collect();
        let stores: Vec<(usize, &ElementAccess)> = numbered().filter(|(_, e)| e.writes).collect();
        if !stores.is_empty() {
            let mut text = String::new();
            let mut line = |depth: usize, l: &str| {
                let _ = write!(text, "{}{l}\n{indent}", "  ".repeat(depth));
            };
            beginning(&mut line, &mut stores.iter().map(|(_, e)| *e));
            for (number, e) in &stores {
                line(
                    1,
                    &format!(
                        "*({global}{} *)({}) = {}.raw;",
                        raw_name(e, width),
                        at(e),
                        array(*number, e)
                    ),
                );
            }
            line(0, "}");
            close.push_str(text.trim_end());
        }
        // In the body: elements that are not read or written at once.
        let single = |number: usize, e: &ElementAccess| {
            let element = format!("{}[{}]", e.array, e.index.of(self.text).trim());
            (format!("{}.v[brook_e]", array(number, e)), element)
        };
        let mut before: String = numbered()
            .filter(|(_, e)| e.reads)
            .map(|(number, e)| {
                let (kept, element) = single(number, e);
                let element = opaque(number, element);
                format!("if (!brook_whole) {kept} = {element};\n{indent}")
            })
            .collect();
        let after: String = stores
            .iter()
            .map(|(number, e)| {
                let (kept, element) = single(*number, e);
                format!("\n{indent}if (!brook_whole) {element} = {kept};")
            })
            .collect();
        let braces =
            this.guard.is_some() && !after.is_empty() || this.guard.is_some() && !before.is_empty();
        let after = match braces {
            true => {
                before.insert_str(0, "{ ");
                format!("{after} }}")
            }
            false => after,
        };
        for (number, e) in numbered() {
            for span in &e.uses {
                self.edits.discard(*span);
                self.edits
                    .replace(*span, format!("{}.v[brook_e]", array(number, e)));
            }
        }
        let Span { start, end } = this.rest;
        // Behind what the body begins with, if it begins with this.
        let begins = start <= leaf.body.start + 1 || !leaf.block;
        match begins && this.guard.is_none() {
            true => open.push_str(&format!("\n{indent}{before}")),
            false => self.edits.insert_before(start, before),
        }
        self.edits.append(end, after);
        WideBody { open, close }
    }
    /// What has to be declared for texts of the body: the loop variable, and constants.
    fn known<'t>(
        &self,
        leaf: &Loop,
        this: &Elementwise,
        lines: &[String],
        mut texts: Vec<&'t str>,
    ) -> Vec<String>
    where
        'a: 't,
    {
        let mut known = Vec::new();
        for declaration in this.first.iter().rev() {
            let text = declaration.span.of(self.text).trim();
            let used = |name: &String| texts.iter().any(|t| mentions(t, name));
            if declaration.names.iter().any(used) {
                known.insert(0, text.to_string());
                texts.push(text);
            }
        }
        if texts.iter().any(|t| mentions(t, &leaf.header.variable)) {
            known.splice(0..0, lines.iter().cloned());
        }
        known
    }
}

/// Whether a text has that name in it.
fn mentions(text: &str, name: &str) -> bool {
    let tokens = lex(text);
    tokens.iter().any(|t| t.is_identifier() && t.is(text, name))
}

fn items(nest: &Nest) -> usize {
    let items = nest.inner.first().and_then(expr::constant);
    items.and_then(|n| usize::try_from(n).ok()).unwrap_or(1)
}

/// The prelude's name of the target's type of as many bytes: a program may have variables called as that is.
fn raw_name(e: &ElementAccess, width: usize) -> String {
    format!("{}_raw", type_name(e, width))
}

/// The type of some elements at once.
fn type_name(e: &ElementAccess, width: usize) -> String {
    wide_name(e.scalar, width)
}

/// The prelude's type of several numbers that are aligned as a whole.
pub(crate) fn wide_name(scalar: Scalar, count: usize) -> String {
    format!("brook_wide_{}_{count}", scalar.c_name().replace(' ', "_"))
}
