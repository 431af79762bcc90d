//! The loop over lanes: its statements, with masks instead of branches and jumps.

use super::{lane_type, store};
use crate::expr::Scalar;
use crate::module::{Masked, MaskedLoopPlan};

/// What spells a loop over lanes.
pub(in crate::rewrite) struct Writer<'w> {
    pub(in crate::rewrite) plan: &'w MaskedLoopPlan,
    pub(in crate::rewrite) width: usize,
    /// The pragma before the loop over lanes.
    pub(in crate::rewrite) pragma: &'w str,
    /// What each lane begins with.
    pub(in crate::rewrite) first: Option<String>,
    /// How many masks there are so far.
    masks: usize,
    lines: Vec<String>,
    depth: usize,
}

impl<'w> Writer<'w> {
    pub(in crate::rewrite) fn new(plan: &'w MaskedLoopPlan, width: usize, pragma: &'w str) -> Self {
        Self {
            plan,
            width,
            pragma,
            first: None,
            masks: 0,
            lines: Vec::new(),
            depth: 0,
        }
    }

    /// The lines of the loop. Its state is `brook_lanes`.
    pub(in crate::rewrite) fn write(mut self) -> Vec<String> {
        let plan = self.plan;
        let width = self.width;
        self.line("for (int brook_any = 1; brook_any;) {");
        self.depth = 1;
        self.line("brook_any = 0;");
        let pragma = self.pragma;
        self.line(&format!("_Pragma(\"{pragma}\")"));
        self.line(&format!(
            "for (int brook_lane = 0; brook_lane < {width}; ++brook_lane) {{"
        ));
        self.depth = 2;
        if let Some(first) = self.first.take() {
            self.line(&first);
        }
        let used = || plan.variables.iter().filter(|v| v.used);
        for variable in used() {
            let constant = if variable.changes { "" } else { "const " };
            let (ty, name) = (lane_type(variable.ty), &variable.name);
            self.line(&format!(
                "{constant}{ty} {name} = brook_lanes.{name}[brook_lane];"
            ));
        }
        self.line("int brook_going = brook_lanes.brook_going[brook_lane];");
        if plan.returns {
            self.line("int brook_returned = brook_lanes.brook_returned[brook_lane];");
            if let Some(ty) = plan.result.map(lane_type) {
                self.line(&format!(
                    "{ty} brook_result = brook_lanes.brook_result[brook_lane];"
                ));
            }
        }
        if !plan.runs_once {
            self.goes_on();
        }
        let mut mask = "brook_going".to_string();
        if plan.continues {
            mask = "brook_run".to_string();
            self.line("int brook_run = brook_going;");
        }
        self.statements(&plan.statements, &mut vec![mask]);
        self.statements(&plan.update, &mut vec!["brook_going".to_string()]);
        if plan.runs_once {
            self.goes_on();
        }
        for variable in used().filter(|v| v.changes) {
            self.line(&store(variable));
        }
        if plan.returns {
            self.line("brook_lanes.brook_returned[brook_lane] = brook_returned;");
            if plan.result.is_some() {
                self.line("brook_lanes.brook_result[brook_lane] = brook_result;");
            }
        }
        self.line("brook_lanes.brook_going[brook_lane] = brook_going;");
        self.line("brook_any |= brook_going;");
        self.depth = 1;
        self.line("}");
        self.depth = 0;
        self.line("}");
        self.lines
    }

    fn line(&mut self, text: &str) {
        self.lines
            .push(format!("{}{text}", "  ".repeat(self.depth)));
    }

    fn goes_on(&mut self) {
        if let Some(condition) = &self.plan.condition {
            let mask = mask_of(condition);
            self.line(&format!("brook_going = brook_going & {mask};"));
        }
    }

    /// `masks` are those of the blocks around here, the innermost last.
    fn statements(&mut self, all: &[Masked], masks: &mut Vec<String>) {
        for one in all {
            self.statement(one, masks);
        }
    }

    fn statement(&mut self, one: &Masked, masks: &mut Vec<String>) {
        let mask = masks.last().cloned().unwrap_or_default();
        let choose = match self.plan.mixes {
            true => "brook_blend",
            false => "brook_choose",
        };
        match one {
            Masked::Declaration { name, ty, value } => {
                // Lanes that are left out copy it.
                let value = converted(*ty, value.as_deref().unwrap_or("0"));
                self.line(&format!("{} {name} = {value};", lane_type(*ty)));
            }
            Masked::Assignment { name, ty, value } => {
                let value = converted(*ty, value);
                self.line(&format!("{name} = {choose}({mask}, {value}, {name});"));
            }
            Masked::Block(inside) => {
                self.line("{");
                self.depth += 1;
                self.statements(inside, masks);
                self.depth -= 1;
                self.line("}");
            }
            Masked::If(condition, then, other) => self.condition(condition, [then, other], masks),
            Masked::Break => self.leave(masks, true),
            Masked::Continue => self.leave(masks, false),
            Masked::Return(value) => {
                if let (Some(value), Some(ty)) = (value, self.plan.result) {
                    let value = converted(ty, value);
                    self.line(&format!(
                        "brook_result = {choose}({mask}, {value}, brook_result);"
                    ));
                }
                self.line(&format!("brook_returned = brook_returned | {mask};"));
                self.leave(masks, true);
            }
        }
    }

    fn condition(
        &mut self,
        condition: &str,
        [then, other]: [&Vec<Masked>; 2],
        masks: &mut Vec<String>,
    ) {
        let around = masks.last().cloned().unwrap_or_default();
        // Most loops are left like that.
        if let ([only], true, [_]) = (then.as_slice(), other.is_empty(), masks.as_slice())
            && is_break(only)
            && !self.plan.continues
        {
            self.line(&format!("{around} = {around} & ~{};", mask_of(condition)));
            return;
        }
        self.masks += 1;
        let holds = format!("brook_holds_{}", self.masks);
        let mask = format!("brook_mask_{}", self.masks);
        self.line(&format!("const int {holds} = {};", mask_of(condition)));
        for (branch, holds) in [(then, holds.clone()), (other, format!("~{holds}"))] {
            if branch.is_empty() {
                continue;
            }
            self.line("{");
            self.depth += 1;
            self.line(&format!("int {mask} = {around} & {holds};"));
            masks.push(mask.clone());
            self.statements(branch, masks);
            masks.pop();
            self.depth -= 1;
            self.line("}");
        }
    }

    /// The lanes of the innermost mask leave the iteration, or the loop.
    fn leave(&mut self, masks: &[String], for_good: bool) {
        let Some((mask, around)) = masks.split_last() else {
            return;
        };
        let mut all: Vec<&str> = around.iter().map(String::as_str).collect();
        if for_good && self.plan.continues {
            all.push("brook_going");
        }
        for other in all {
            self.line(&format!("{other} = {other} & ~{mask};"));
        }
        self.line(&format!("{mask} = 0;"));
    }
}

/// Whether a statement is `break`, whatever braces are around it.
fn is_break(statement: &Masked) -> bool {
    match statement {
        Masked::Break => true,
        Masked::Block(inside) => matches!(inside.as_slice(), [only] if is_break(only)),
        _ => false,
    }
}

/// The mask of the lanes for which a condition holds.
fn mask_of(condition: &str) -> String {
    format!("-(int)(bool){}", bracketed(condition))
}

/// A value as a lane has it.
fn converted(ty: Scalar, value: &str) -> String {
    let value = bracketed(value);
    match ty {
        Scalar::Bool => format!("(int)(bool){value}"),
        other => format!("({}){value}", other.c_name()),
    }
}

/// A value with a bracket around it, which what is made of several has.
fn bracketed(value: &str) -> String {
    match value.starts_with('(') {
        true => value.to_string(),
        false => format!("({value})"),
    }
}
