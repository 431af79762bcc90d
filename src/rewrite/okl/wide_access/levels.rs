//! What the loops of a nest compute, line by line, and under which conditions they go on: written wherever iterations of it
//! run, and not where the loops stand.

use super::super::Pass;
use super::super::coarsening::group_type;
use super::Wide;
use crate::expr::{Scalar, constant};
use crate::lex::lex;
use crate::module::{Elementwise, Loop, LoopId, Module, Nest};
use crate::rewrite::text::parenthesized;
use crate::source::{Overlap, Span};

/// One loop of a nest, or one half of a tile.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Level {
    /// Declarations, one behind the other.
    pub(super) lines: Vec<String>,
    /// What has to be true.
    pub(super) conditions: Vec<String>,
}

/// The loops of a nest.
pub(super) struct Levels {
    /// Those that are the same for all iterations of a chunk, from the outermost on.
    pub(super) around: Vec<Level>,
    /// The innermost one.
    pub(super) leaf: Level,
    /// How its iterations are counted, if no groups of the program are.
    pub(super) counted: Option<Counted>,
}

impl<'a> Pass<'a> {
    /// The nest around a loop, if its items run several iterations at once.
    pub(in super::super) fn wide_nest(
        &self,
        part: &Loop,
    ) -> Option<(&'a Nest, &'a Elementwise, &Wide)> {
        if self.schedules.is_empty() {
            return None;
        }
        let root = self.root_of_loop(part);
        let wide = self.schedules.get(&root)?.wide.as_ref()?;
        let nest = self.nest_of_root(root)?;
        Some((nest, nest.schedule.wide.as_ref()?, wide))
    }

    /// A loop of such a nest: what it computes is kept for where the iterations run, nothing of it is left here.
    pub(in super::super) fn wide_level(&mut self, id: LoopId) -> Result<(), Overlap> {
        let module = self.module;
        let first = module.loop_(id);
        let second = first.tile.as_ref().and(first.children.first().copied());
        let header = self.header_texts(first)?;
        for id in [Some(id), second].into_iter().flatten() {
            let mut part = module.loop_(id);
            let mut level = Level::default();
            let whole;
            if let Some((_, this, wide)) = self.wide_nest(part).filter(|(.., wide)| wide.tiles) {
                if id == this.outer {
                    continue;
                }
                if id == this.leaf {
                    level.conditions.push(wide.counted(module, this).exists);
                    // The loop as it was before it had tiles.
                    whole = Loop {
                        tile: None,
                        ..part.clone()
                    };
                    part = &whole;
                }
            }
            if self.coarse_loop(part).is_some() {
                let (group, exists) = self.coarse_number(part);
                level.lines.push(group);
                level.conditions.push(exists);
            }
            let conditions = self.simt_part(part, &header, &mut level.lines, &mut Vec::new());
            level.conditions.extend(conditions);
            self.levels.insert(id, level);
        }
        let head = Span::new(first.head.start, first.body.start);
        self.edits.discard(head);
        self.edits.replace(head, "");
        Ok(())
    }

    /// All loops of a nest.
    pub(super) fn levels(&self, this: &Elementwise, wide: &Wide) -> Levels {
        let mut all = Vec::new();
        let mut at = Some(this.leaf);
        while let Some(id) = at {
            let mut level = self.levels.get(&id).cloned().unwrap_or_default();
            if id == this.outer && !wide.tiles {
                let [group, exists] = self.wide_group(self.module.loop_(id), wide);
                level.lines.insert(0, group);
                level.conditions.insert(0, exists);
            }
            all.insert(0, level);
            at = self.module.loop_(id).parent;
        }
        let leaf = all.pop().unwrap_or_default();
        Levels {
            around: all,
            leaf,
            counted: wide.tiles.then(|| wide.counted(self.module, this)),
        }
    }

    /// The program's group along x, and the condition that there is such a group.
    fn wide_group(&self, part: &Loop, wide: &Wide) -> [String; 2] {
        let group = self.own_group_index(part);
        let (ty, cast) = group_type(part);
        let count = parenthesized(&part.count.to_string());
        [
            format!(
                "const {ty} brook_group_x = {cast}{group} * {} + brook_of;",
                wide.width
            ),
            format!("(long)brook_group_x < {count}"),
        ]
    }

    /// Where the iterations begin that an item's chunks share with others, if no groups of the program are counted.
    pub(super) fn wide_begin(&self, this: &Elementwise, wide: &Wide) -> Option<String> {
        let outer = self.module.loop_(this.outer);
        let Counted { ty, cast, .. } = wide.tiles.then(|| wide.counted(self.module, this))?;
        let group = self.own_group_index(outer);
        let Wide {
            width,
            items,
            shift,
            ..
        } = wide;
        let shift = match shift {
            0 => String::new(),
            shift => format!(" - {shift}"),
        };
        let all = width * items;
        Some(format!(
            "const {ty} brook_begin_x = {cast}{group} * {all} + brook_of * {items}{shift};"
        ))
    }
}

/// How the iterations of tiles are counted.
pub(super) struct Counted {
    pub(super) ty: &'static str,
    /// A cast to that type, where a product may be too large for an index.
    cast: &'static str,
    /// The condition that there is such an iteration.
    exists: String,
}

impl Wide {
    fn counted(&self, module: &Module, this: &Elementwise) -> Counted {
        let outer = module.loop_(this.outer);
        let iterations = match outer.tile.as_ref().filter(|t| t.check) {
            Some(tile) => parenthesized(&tile.iterations.to_string()),
            None => format!(
                "(long){} * {}",
                parenthesized(&outer.count.to_string()),
                self.items
            ),
        };
        let exists = format!("(long)brook_iteration_x < {iterations}");
        let h = &outer.header;
        // Half of what the type counts are no iterations: those before the first one, and behind the last one.
        let few = h.scalar == Some(Scalar::Int) && constant(&h.start).is_some_and(|n| n >= 0);
        match few {
            true => Counted {
                ty: "unsigned int",
                cast: "",
                exists,
            },
            false => Counted {
                ty: "long",
                cast: "(long)",
                exists: match self.shift {
                    0 => exists,
                    _ => format!("brook_iteration_x >= 0 && {exists}"),
                },
            },
        }
    }
}

/// The name that a declaration of ours declares.
fn declared(line: &str) -> Option<&str> {
    let tokens = lex(line);
    let equals = tokens.iter().position(|t| t.is(line, "="))?;
    let name = tokens.get(equals.checked_sub(1)?)?;
    Some(name.text(line))
}

/// Of declarations that follow each other those that texts need, and those that these need.
pub(super) fn needed(lines: Vec<String>, texts: &[&str]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for line in lines.into_iter().rev() {
        let name = declared(&line).unwrap_or_default();
        let used = |text: &&str| mentions(text, name);
        let later = kept.iter().map(String::as_str);
        if texts.iter().copied().chain(later).any(|t| used(&t)) {
            kept.push(line);
        }
    }
    kept.reverse();
    kept
}

/// Whether a text has that name in it, and not as a member's.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    let mut member = false;
    lex(text).iter().any(|t| {
        let found = t.is_identifier() && t.is(text, name) && !member;
        member = t.is(text, ".") || t.is(text, "->");
        found
    })
}
