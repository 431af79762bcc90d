//! What the loops of a nest compute, line by line, and under which conditions they go on: written wherever iterations of it
//! run, and not where the loops stand.

use super::super::Pass;
use super::super::coarsening::COUNTER;
use crate::expr::{Scalar, constant};
use crate::lex::lex;
use crate::module::{Elementwise, Loop, LoopId};
use crate::rewrite::text::parenthesized;
use crate::schedule::Wide;
use crate::source::{Overlap, Span};
use std::borrow::Cow;

/// One loop of a nest, or one half of a tile.
#[derive(Default)]
pub(super) struct Level {
    /// Declarations, one behind the other.
    pub(super) lines: Vec<String>,
    /// The condition that there is such an iteration of an item, if it runs several of this loop: where there is none, there is none
    /// behind it.
    pub(super) exists: Option<String>,
    /// What has to be true besides.
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
    /// What items run at once in the nest around a loop, if they run several iterations so.
    pub(in super::super) fn wide_nest(&self, part: &Loop) -> Option<(&'a Elementwise, &Wide)> {
        if self.schedule.nests.is_empty() {
            return None;
        }
        let root = self.root_of_loop(part);
        let wide = self.schedule.nests.get(&root)?.wide.as_ref()?;
        let this = self.nest_of_root(root)?.legal.wide.as_ref()?;
        Some((this, wide))
    }

    /// Takes what all loops of a nest compute: nothing of it is left where they stand.
    pub(super) fn levels(&mut self, this: &Elementwise, wide: &Wide) -> Result<Levels, Overlap> {
        let module = self.module;
        let counted = wide.tiles.then(|| self.counted(this, wide));
        let mut statements: Vec<LoopId> = module.and_around(this.leaf).collect();
        statements.retain(|id| module.loop_(*id).is_statement());
        let mut all = Vec::new();
        for &id in statements.iter().rev() {
            let first = module.loop_(id);
            let header = self.header_texts(first)?;
            for id in [Some(id), first.second_half()].into_iter().flatten() {
                let mut part = Cow::Borrowed(module.loop_(id));
                let mut level = Level::default();
                let groups = (id == this.outer).then_some((wide.width, "brook_of"));
                let coarse = self.coarse_loop(&part).map(|many| (many, COUNTER));
                match (&counted, groups.or(coarse)) {
                    (Some(_), _) if id == this.outer => continue,
                    (Some(counted), _) if id == this.leaf => {
                        level.conditions.push(counted.exists.clone());
                        // As it was before it had tiles.
                        part.to_mut().tile = None;
                    }
                    (_, Some((many, counter))) => {
                        let (group, exists) = self.shared_group(&part, many, counter);
                        level.lines.push(group);
                        match counter {
                            COUNTER => level.exists = Some(exists),
                            _ => level.conditions.push(exists),
                        }
                    }
                    (_, None) => {}
                }
                let conditions = self.simt_part(&part, &header, &mut level.lines, &mut Vec::new());
                level.conditions.extend(conditions);
                all.push(level);
            }
            let head = Span::new(first.head.start, first.body.start);
            self.edits.discard(head);
            self.edits.replace(head, "");
        }
        let leaf = all.pop().unwrap_or_default();
        Ok(Levels {
            around: all,
            leaf,
            counted,
        })
    }

    fn counted(&self, this: &Elementwise, wide: &Wide) -> Counted {
        let outer = self.module.loop_(this.outer);
        let Wide {
            width,
            items,
            shift,
            ..
        } = wide;
        let iterations = match outer.tile.as_ref().filter(|t| t.check) {
            Some(tile) => parenthesized(&tile.iterations.to_string()),
            None => format!(
                "(long){} * {items}",
                parenthesized(&outer.count.to_string())
            ),
        };
        let mut exists = format!("(long)brook_iteration_x < {iterations}");
        let h = &outer.header;
        // Half of what the type counts are no iterations: those before the first one, and behind the last one.
        let few = h.scalar == Some(Scalar::Int) && constant(&h.start).is_some_and(|n| n >= 0);
        let (ty, cast) = match few {
            true => ("unsigned int", ""),
            // A product may be too large for an index.
            false => ("long", "(long)"),
        };
        let mut before = String::new();
        if *shift > 0 {
            before = format!(" - {shift}");
            if !few {
                exists.insert_str(0, "brook_iteration_x >= 0 && ");
            }
        }
        let group = self.own_group_index(outer);
        let all = width * items;
        let begin = format!(
            "const {ty} brook_begin_x = {cast}{group} * {all} + brook_of * {items}{before};"
        );
        Counted { ty, begin, exists }
    }
}

/// How the iterations of tiles are counted.
pub(super) struct Counted {
    pub(super) ty: &'static str,
    /// Where those begin that an item's chunks share with others: a declaration.
    pub(super) begin: String,
    /// The condition that there is such an iteration.
    exists: String,
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
