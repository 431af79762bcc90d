//! Variables that every item of a group has its own value of, where items run one after another:
//! `@exclusive` ones, and locals that outlive a barrier.
//!
//! Each becomes an array over the items, with the item last so that neighbouring items lie side by
//! side, unless its address escapes. Where the number of items is known at run time only, the array
//! lies in memory that each thread keeps for this purpose.

use super::Pass;
use crate::backend::fill;
use crate::expr::Expr;
use crate::lex::without_const;
use crate::module::{ItemVariable, Lifetime, LoopId, Nest};
use crate::rewrite::Part;
use crate::rewrite::text::parenthesized;
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// A declaration of such variables.
    pub(super) fn item_variables(
        &mut self,
        span: Span,
        variables: &[ItemVariable],
        words: Span,
        nest: LoopId,
        lifetime: Lifetime,
    ) -> Result<(), Overlap> {
        let carried = match lifetime {
            Lifetime::Group if self.is_simt() => return Ok(()),
            Lifetime::Group => None,
            Lifetime::Iteration(leaf) | Lifetime::Phase(leaf)
                if self.schedule.barriers.is_split(leaf) =>
            {
                Some(leaf)
            }
            _ => return Ok(()),
        };
        // One variable is enough where each item has its own, or each phase.
        let one = self.is_simt() || matches!(lifetime, Lifetime::Phase(_));
        // Not every phase names it.
        let unused = match self.is_simt() {
            true => "",
            false => "[[maybe_unused]] ",
        };
        let words_text = self.edits.take(words, self.text)?;
        let mut declarations = Vec::new();
        let mut assignments = Vec::new();
        for variable in variables {
            let declarator = variable.stars.of(self.text);
            // A constant could not be assigned to; what a pointer points to may well be one.
            let declarator = without_const(declarator);
            let ty = match variable.pointers > 0 {
                true => words_text.clone(),
                false => without_const(&words_text),
            };
            let ty = match variable.pointer.and_then(|id| self.space_of(id)) {
                Some(space) => format!("{space} {ty}"),
                None => ty,
            };
            let mut sizes = Vec::new();
            for size in &variable.sizes {
                sizes.push(self.edits.take(*size, self.text)?);
            }
            let value = match variable.value {
                Some(value) => Some(self.edits.take(value, self.text)?),
                None => None,
            };
            let arena = !one && self.in_arena(nest);
            let by_item = variable.by_item || arena;
            let brackets: String = sizes.iter().map(|s| format!("[{s}]")).collect();
            let name = &variable.name;
            let item = if one { "" } else { "[brook_item]" };
            declarations.push(match (one, arena) {
                (true, _) => format!("{unused}{ty} {declarator}{name}{brackets};"),
                (false, true) => {
                    self.uses.insert(Part::Exclusive.into());
                    let items = self.items(nest);
                    format!("brook_items<{ty} {declarator}{brackets}> {name}({items});")
                }
                (false, false) => {
                    let items = self.items(nest);
                    match by_item {
                        true => format!("{ty} {declarator}{name}[{items}]{brackets};"),
                        false => format!("{ty} {declarator}{name}{brackets}[{items}];"),
                    }
                }
            });
            if let Some(value) = value {
                assignments.push(assignment(&Assigned {
                    ty: &ty,
                    declarator: &declarator,
                    name,
                    sizes: &sizes,
                    item,
                    by_item,
                    value: &value,
                }));
            }
        }
        self.edits.discard(span);
        let text = match carried {
            Some(leaf) => {
                let all = match one && !self.is_simt() {
                    true => &mut self.anew,
                    false => &mut self.carried,
                };
                all.entry(leaf).or_default().extend(declarations);
                assignments.join(" ")
            }
            None => {
                if !assignments.is_empty() {
                    declarations.push(format!(
                        "for (int brook_item = 0; brook_item < {}; ++brook_item) {{ {} }}",
                        self.items(nest),
                        assignments.join(" ")
                    ));
                }
                declarations.join(" ")
            }
        };
        self.edits.replace(span, text);
        Ok(())
    }

    /// A use of such a variable: `end` is where the item goes if the array's own indices come first.
    pub(super) fn item_variable_use(
        &mut self,
        span: Span,
        end: u32,
        by_item: bool,
        nest: LoopId,
        lifetime: Lifetime,
    ) {
        let is_array = match lifetime {
            Lifetime::Group => true,
            Lifetime::Iteration(leaf) => self.schedule.barriers.is_split(leaf),
            Lifetime::Phase(_) | Lifetime::Block => false,
        };
        if self.is_simt() || !is_array {
            return;
        }
        let by_item = by_item || self.in_arena(nest);
        self.edits
            .append(if by_item { span.end } else { end }, "[brook_item]");
    }

    /// A statement outside of all inner loops that every item runs.
    pub(super) fn each_item(&mut self, span: Span, nest: LoopId) {
        if self.is_simt() {
            return;
        }
        let items = self.items(nest);
        self.edits.insert_before(
            span.start,
            format!("for (int brook_item = 0; brook_item < {items}; ++brook_item) "),
        );
    }

    pub(super) fn in_arena(&self, root: LoopId) -> bool {
        self.nest_of_root(root).is_none_or(|n| n.threads.is_none())
    }

    /// Number of items of a group.
    pub(super) fn items(&self, root: LoopId) -> String {
        let Some(nest) = self.nest_of_root(root) else {
            return String::new();
        };
        match nest.threads {
            Some(threads) => threads.to_string(),
            None => {
                let factors: Vec<String> = nest
                    .inner
                    .iter()
                    .filter(|e| **e != Expr::int(1))
                    .map(|e| parenthesized(&host_text(e)))
                    .collect();
                format!("(int)({})", factors.join(" * "))
            }
        }
    }

    /// `const int brook_item = …;` for the body of an innermost inner loop that uses such variables.
    pub(super) fn item_number(&self, leaf: LoopId) -> Option<String> {
        let this = self.module.loop_(leaf);
        let carries = self.carried.contains_key(&leaf) || self.numbered.contains(&leaf);
        if !(this.uses_item_variables || self.schedule.barriers.is_split(leaf) && carries) {
            return None;
        }
        let nest = self.nest_of_root(self.module.root_of(leaf))?;
        let line = number_line(nest, self.positions(leaf));
        // Not every phase has something that is the item's own.
        Some(match this.waits || self.results.contains_key(&leaf) {
            true => format!("[[maybe_unused]] {line}"),
            false => line,
        })
    }

    /// The same where items know their place along each axis.
    pub(super) fn item_number_of_fiber(&self, nest: &Nest) -> String {
        let names = self.backend.spelling.item.clone();
        number_line(nest, names.map(Some).to_vec())
    }

    /// The line that begins a group of fibers.
    pub(super) fn fiber_group(&mut self, nest: &Nest) -> String {
        self.uses.insert(Part::Fibers.into());
        let extent = |i: usize| nest.inner.get(i).map_or("1".into(), host_text);
        fill(
            &self.backend.spelling.fibers,
            &[("x", &extent(0)), ("y", &extent(1)), ("z", &extent(2))],
        )
    }
}

/// An extent as C++: `max` of different types is no function there.
fn host_text(extent: &Expr) -> String {
    match extent {
        Expr::Call(name, arguments) if &**name == "max" && arguments.len() == 2 => {
            let (a, b) = (host_text(&arguments[0]), host_text(&arguments[1]));
            format!("(({a}) > ({b}) ? ({a}) : ({b}))")
        }
        other => other.to_string(),
    }
}

/// `z * Ly * Lx + y * Lx + x`, without the axes that have one place only.
fn number_line(nest: &Nest, positions: Vec<Option<String>>) -> String {
    let one = Expr::int(1);
    let mut text = String::new();
    for (position, extent) in positions.into_iter().zip(&nest.inner).rev() {
        let position = position.filter(|_| *extent != one);
        let scaled = match text.is_empty() || *extent == one {
            true => text,
            false => format!(
                "{} * {}",
                parenthesized(&text),
                parenthesized(&host_text(extent))
            ),
        };
        text = match (scaled.is_empty(), position) {
            (true, position) => position.unwrap_or_default(),
            (false, Some(position)) => format!("{scaled} + {position}"),
            (false, None) => scaled,
        };
    }
    if text.is_empty() {
        text.push('0');
    }
    format!("const int brook_item = {text};")
}

struct Assigned<'t> {
    ty: &'t str,
    declarator: &'t str,
    name: &'t str,
    sizes: &'t [String],
    item: &'t str,
    by_item: bool,
    value: &'t str,
}

/// Gives one item's variable its first value.
fn assignment(a: &Assigned<'_>) -> String {
    let Assigned {
        ty,
        declarator,
        name,
        sizes,
        item,
        by_item,
        value,
    } = a;
    let brackets: String = sizes.iter().map(|s| format!("[{s}]")).collect();
    if sizes.is_empty() {
        // OpenCL C cannot assign a list; all can initialise with one.
        return match value.trim_start().starts_with('{') {
            true => {
                format!("{{ {ty} {declarator}brook_first = {value}; {name}{item} = brook_first; }}")
            }
            false => format!("{name}{item} = {value};"),
        };
    }
    let places: String = (0..sizes.len()).map(|k| format!("[brook_{k}]")).collect();
    let loops: String = sizes
        .iter()
        .enumerate()
        .map(|(k, size)| {
            format!(
                "for (int brook_{k} = 0; brook_{k} < {}; ++brook_{k}) ",
                parenthesized(size)
            )
        })
        .collect();
    let target = match by_item {
        true => format!("{name}{item}{places}"),
        false => format!("{name}{places}{item}"),
    };
    format!(
        "{{ {ty} {declarator}brook_first{brackets} = {value}; \
         {loops}{target} = brook_first{places}; }}"
    )
}
