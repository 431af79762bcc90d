//! Kernels whose loop runs over the lanes of a block of elements: functions for what stands before it, the loop, and
//! what stands behind it.

use super::Pass;
use crate::module::{Kernel, LaneVariable, MaskedLoopPlan, Parameter, ParameterKind};
use crate::rewrite::Part;
use crate::rewrite::masked_loops::{Writer, before, fields, load, own_fields, store};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// Adds to kernels what blocks of elements call instead of them.
    pub(super) fn masked_kernels(&mut self) -> Result<(), Overlap> {
        let module = self.module;
        for (kernel, schedule) in module.kernels.iter().zip(&self.schedule.maps) {
            if let Some(plan) = kernel.masked_loop.as_ref().filter(|_| schedule.masked) {
                let text = self.masked_kernel(kernel, plan)?;
                self.edits.append(kernel.span.end, text);
                self.uses.insert(Part::MaskedLoops.into());
            }
        }
        Ok(())
    }

    fn masked_kernel(&mut self, kernel: &Kernel, plan: &MaskedLoopPlan) -> Result<String, Overlap> {
        let width = self.schedule.lanes().width;
        let name = &kernel.name;
        let state = format!("brook_lanes_{name}");
        let variables: Vec<&LaneVariable> = plan.variables.iter().collect();
        let mut all = fields(&variables, width);
        all.extend(own_fields(plan, width));
        let mut text = format!("\n\nstruct {state} {{\n");
        text.extend(all.iter().map(|f| format!("  {f}\n")));
        let is_output = |p: &&Parameter| matches!(p.kind, ParameterKind::StreamOut { .. });
        let outputs: Vec<&str> = kernel
            .parameters
            .iter()
            .filter(is_output)
            .map(|p| p.name.as_str())
            .collect();
        let inputs = self.parameters_after(kernel, true);
        text.push_str(&format!(
            "}};\nstatic inline void brook_before_{name}({state} &brook_lanes, const int brook_lane, {inputs})\n{{"
        ));
        let given = variables
            .iter()
            .filter(|v| outputs.contains(&v.name.as_str()));
        let stores: String = given.map(|v| store(v) + " ").collect();
        let before = before(&self.edits, self.text, plan, &stores)?;
        text.push_str(before.trim_end());
        if let Some(initial) = plan.initial {
            let initial = self.edits.copy(initial, self.text)?;
            text.push_str(&format!("\n    {initial}"));
        }
        text.extend(variables.iter().map(|v| format!("\n    {}", store(v))));
        text.push_str("\n    brook_lanes.brook_going[brook_lane] = -1;\n}\n");
        text.push_str(&format!(
            "static inline void brook_loop_{name}({state} &brook_lanes)\n{{\n"
        ));
        let pragma = &self.backend.spelling.masked_loop;
        let lines = Writer::new(plan, width, pragma).write();
        text.extend(lines.iter().map(|l| format!("    {l}\n")));
        let all = self.parameters_after(kernel, false);
        text.push_str(&format!(
            "}}\nstatic inline void brook_after_{name}(const {state} &brook_lanes, const int brook_lane, {all})\n{{\n"
        ));
        let (given, loaded): (Vec<&LaneVariable>, Vec<_>) = variables
            .iter()
            .filter(|v| v.outlives)
            .partition(|v| outputs.contains(&v.name.as_str()));
        for name in given.iter().map(|v| &v.name) {
            text.push_str(&format!("    {name} = brook_lanes.{name}[brook_lane];\n"));
        }
        if plan.returns {
            text.push_str("    if (brook_lanes.brook_returned[brook_lane]) return;\n");
        }
        // In a block, where parameters may be declared anew.
        text.push_str("    {\n");
        text.extend(
            loaded
                .into_iter()
                .map(|v| format!("    {}\n", load(v, false))),
        );
        let after = Span::new(plan.span.end, plan.body.end - 1);
        let after = self.edits.copy(after, self.text)?;
        text.push_str(after.trim_matches('\n').trim_end());
        text.push_str("\n    }\n}");
        Ok(text)
    }

    /// The parameters behind those of every device function; with outputs as values, where the caller does not read
    /// them yet.
    fn parameters_after(&mut self, kernel: &Kernel, values: bool) -> String {
        let mut parts = vec![self.here(kernel)];
        for parameter in &kernel.parameters {
            let output = matches!(parameter.kind, ParameterKind::StreamOut { .. });
            let array = !parameter.element_sizes.is_empty();
            parts.push(match output && values && !array {
                true => {
                    let ty = self.value_type(parameter.ty, parameter.structure);
                    format!("{ty} {}", self.backend.safe_name(&parameter.name))
                }
                false => self.parameter_text(parameter),
            });
        }
        parts.join(", ")
    }
}
