//! Items that run several neighbouring iterations of an outer loop, so that what these read in common is read once: the
//! loop stays one, of a few iterations, around what one iteration was.
//!
//! In the names of the generated code: `brook_iteration` counts the iterations of an item, `brook_group_z` is the
//! program's group.

use super::Pass;
use crate::module::Loop;
use crate::rewrite::text::parenthesized;

impl Pass<'_> {
    /// How many iterations of a loop an item runs, if these are several.
    pub(super) fn coarse_loop(&self, part: &Loop) -> Option<usize> {
        if self.schedule.nests.is_empty() {
            return None;
        }
        let schedule = self.schedule.nests.get(&self.root_of_loop(part))?;
        let (outer, many) = schedule.coarse?;
        std::ptr::eq(self.module.loop_(outer), part).then_some(many)
    }

    /// What stands around an iteration of a loop: how it begins, line by line, and how it ends.
    pub(super) fn coarse_group(
        &self,
        part: &Loop,
        many: usize,
        lines: &mut Vec<String>,
        closing: &mut Vec<String>,
    ) {
        if !self.backend.spelling.unroll.is_empty() {
            lines.push(format!("#pragma {}", self.backend.spelling.unroll));
        }
        lines.push(iterations_of_item(many));
        let (group, exists) = self.shared_group(part, many, COUNTER);
        lines.push(group);
        lines.push(format!("if ({exists}) {{"));
        closing.extend(["}".to_string(), "}".to_string()]);
    }

    /// Where a group of the launch is so many of the program: which of these `counter` says, and the condition that there is such
    /// a group.
    pub(super) fn shared_group(&self, part: &Loop, many: usize, counter: &str) -> (String, String) {
        let name = group_name(part.axis);
        let count = parenthesized(&part.count.to_string());
        let (ty, wide) = group_type(part);
        let group = format!(
            "const {ty} {name} = {wide}{} * {many} + {counter};",
            self.own_group_index(part)
        );
        (group, format!("(long){name} < {count}"))
    }
}

/// What counts the iterations of an item.
pub(super) const COUNTER: &str = "brook_iteration";

/// How the loop over an item's iterations begins.
pub(super) fn iterations_of_item(many: usize) -> String {
    format!("for (int {COUNTER} = 0; {COUNTER} < {many}; ++{COUNTER}) {{")
}

/// What counts the program's groups, of which there may be more than the launch has: a type, and a cast to it.
pub(super) fn group_type(part: &Loop) -> (&'static str, &'static str) {
    match part.header.scalar {
        Some(scalar) if scalar.size() < 8 => ("unsigned int", ""),
        _ => ("long", "(long)"),
    }
}

/// The program's group along an axis.
pub(super) fn group_name(axis: usize) -> &'static str {
    let names = ["brook_group_x", "brook_group_y", "brook_group_z"];
    names.get(axis).copied().unwrap_or("")
}
