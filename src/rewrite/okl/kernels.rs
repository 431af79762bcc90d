//! Device kernels of SIMT targets: one for each outermost nest, with the launches that the host makes.

use super::Pass;
use super::parameters::pointer_into_buffer;
use super::simt::base_name;
use crate::backend::LaunchParameter;
use crate::backend::fill;
use crate::diagnostics::codes;
use crate::expr::{self, Expr, Scalar};
use crate::module::{Construct, ConstructKind, Kernel, KernelForm, Nest, ParameterKind, Statement};
use crate::rewrite::text::{comments, indentation};
use crate::rewrite::{DeviceKernel, Frame, arguments};
use crate::schedule::NestSchedule;
use crate::source::{Moved, Overlap, Span};
use foldhash::{HashMap, HashMapExt};

/// Of a launch: reserved bytes, the axes with bases, the most items, how the nest runs.
type Slots<'a> = (
    u64,
    Vec<(usize, u64)>,
    u64,
    (&'a Nest, Option<NestSchedule>),
);
type Kernels = (Vec<DeviceKernel>, Vec<Frame>, Vec<Vec<Statement>>);

impl Pass<'_> {
    /// Each outermost nest becomes a function of its own; the host's part around it goes.
    pub(super) fn device_kernels(&mut self) -> Result<Kernels, Overlap> {
        let mut functions = Vec::new();
        let mut frames = Vec::new();
        let mut host = Vec::new();
        let mut slots: HashMap<String, Slots<'_>> = HashMap::new();
        let offsets = self.options.buffer_offsets && self.backend.lowering.buffers;
        for (number, kernel) in self.module.kernels.iter().enumerate() {
            let KernelForm::Okl { nests } = &kernel.form else {
                continue;
            };
            let renewed = self.renewed(number);
            let resident = self.schedule.resident.get(number).copied();
            let mut parameters = Vec::with_capacity(kernel.parameters.len());
            let mut pointed = Vec::new();
            for parameter in &kernel.parameters {
                if offsets && matches!(parameter.kind, ParameterKind::Pointer(_)) {
                    parameters.push(self.buffer_and_offset(parameter)?);
                    pointed.push(parameter.name.as_str());
                    continue;
                }
                let text = self.edits.take(parameter.span, self.text)?;
                parameters.push(self.parameter_text(parameter, text));
            }
            let own = indentation(self.text, kernel.span.start).to_string();
            let locals = self.take_locals(kernel, &own)?;
            let mut done = kernel.span.start;
            for (index, nest) in nests.iter().enumerate() {
                let name = format!("_occa_{}_{index}", kernel.name);
                let bounds = self.bounds(nest, resident.flatten());
                let (head, copies) = self.head(kernel, nest, &name, &bounds, &parameters);
                // Comments before the nest stay; host code there does not.
                let body = if index == 0 {
                    kernel.body.start + 1
                } else {
                    done
                };
                let types = self.locals_of(nest.span, &locals);
                let mut kept = comments(self.text, Span::new(body, nest.span.start));
                let hoisted = self.hoisted.remove(&nest.root).unwrap_or_default();
                let lines = |lines: &mut dyn Iterator<Item = &String>| -> String {
                    lines.map(|d| format!("\n{own}    {d}")).collect()
                };
                let captured = |name: &str| nest.captures.iter().any(|c| c.name == name);
                let pointed = pointed.iter().filter(|name| !captured(name));
                let pointed: Vec<String> = pointed.map(|n| pointer_into_buffer(n)).collect();
                let pointed = lines(&mut copies.iter().chain(&pointed));
                let hoisted = lines(&mut hoisted.iter().chain(&renewed));
                match kept.text().contains('\n') {
                    true => kept.truncate(kept.text().trim_end_matches([' ', '\t']).len()),
                    false => kept.push("\n", nest.span.start),
                }
                let indent = indentation(self.text, nest.span.start);
                let close = if index == 0 {
                    String::new()
                } else {
                    format!("\n{own}}}\n\n{own}")
                };
                let newline = match kept.text().ends_with('\n') {
                    true => "",
                    false => "\n",
                };
                let mut opening = Moved::default();
                opening.push(&close, done);
                opening.push(&head, kernel.span.start);
                let declared = format!(" {{{pointed}{types}{hoisted}");
                opening.push(&declared, nest.span.start);
                opening.push_moved(&kept);
                opening.push(&format!("{newline}{indent}"), nest.span.start);
                let piece = Span::new(done, nest.span.start);
                self.edits.discard(piece);
                self.edits.insert_before_moved(nest.span.start, opening);
                self.edits.delete(piece);
                done = nest.span.end;
                let most = &self.backend.lowering.most_groups;
                let bases = self.sliced_axes(nest).into_iter();
                let bases = bases.filter_map(|axis| Some((axis, *most.get(axis)?)));
                let bases: Vec<(usize, u64)> = bases.collect();
                slots.insert(
                    name.clone(),
                    (
                        self.memory.dynamic.get(&nest.root).copied().unwrap_or(0),
                        bases,
                        { self.limited.get(&nest.root).copied() }
                            .into_iter()
                            .chain(most_items(nest))
                            .min()
                            .unwrap_or(0),
                        (nest, self.schedule.nests.get(&nest.root).cloned()),
                    ),
                );
                let extra: Vec<_> = nest
                    .captures
                    .iter()
                    .map(|c| (c.name.clone(), c.scalar))
                    .collect();
                frames.push(Frame {
                    bounds,
                    group_memory: self.memory.taken.remove(&nest.root).unwrap_or_default(),
                });
                functions.push(DeviceKernel {
                    name,
                    arguments: arguments(kernel, &extra, offsets),
                });
            }
            let rest = Span::new(done, kernel.body.end);
            let end = kernel.body.end - 1;
            let mut kept = comments(self.text, Span::new(done, end));
            kept.truncate(kept.text().trim_end().len());
            kept.push(&format!("\n{own}}}"), end);
            // Insertions that end the last nest stand at `done`, before this replacement.
            let tail = Span::new(rest.start + 1, rest.end);
            self.edits.discard(tail);
            self.edits.replace_moved(rest, kept);
            let mut statements = kernel.host.clone();
            for statement in &mut statements {
                statement.for_each_launch(&mut |launch| {
                    if let Some((shared, bases, most, (nest, schedule))) = slots.get(&launch.kernel)
                    {
                        for (axis, groups) in launch.groups.iter_mut().enumerate() {
                            if let Some(schedule) = schedule {
                                *groups = schedule.groups(self.module, nest, axis, groups);
                            }
                        }
                        launch.shared = *shared;
                        launch.offsets = offsets;
                        launch.bases.clone_from(bases);
                        launch.most_items = *most;
                    }
                });
            }
            host.push(statements);
        }
        Ok((functions, frames, host))
    }

    /// Axes along which there may be more groups than one launch takes.
    pub(super) fn sliced_axes(&self, nest: &Nest) -> Vec<usize> {
        let most = &self.backend.lowering.most_groups;
        let may_exceed = |axis: &usize| {
            let most = most.get(*axis).copied().unwrap_or(u64::MAX);
            match nest.outer.get(*axis).map(expr::constant) {
                Some(Some(n)) => u64::try_from(n).is_ok_and(|n| n > most),
                // What is not known fits along x: no device runs that many groups in a lifetime.
                Some(None) => *axis > 0 && most < u64::MAX,
                None => false,
            }
        };
        (0..3).filter(may_exceed).collect()
    }

    /// What a kernel's head says of its groups' size, and for how many of them there are to be registers.
    fn bounds(&self, nest: &Nest, resident: Option<u32>) -> String {
        let constant = |e: &Expr| expr::constant(e).map(|n| n.to_string());
        let extents: Option<Vec<String>> = nest.inner.iter().map(constant).collect();
        let mut bounds = match (extents.as_deref(), nest.threads) {
            (Some([x, y, z]), Some(threads)) if threads > 0 => fill(
                match resident {
                    Some(_) => &self.backend.spelling.resident_bounds,
                    None => &self.backend.spelling.bounds,
                },
                &[
                    ("threads", &threads.to_string()),
                    ("groups", &resident.unwrap_or(1).to_string()),
                    ("x", x),
                    ("y", y),
                    ("z", z),
                ],
            ),
            _ => match most_items(nest) {
                Some(most) => fill(
                    &self.backend.spelling.most_bounds,
                    &[("threads", &most.to_string())],
                ),
                None => String::new(),
            },
        };
        let together = &self.backend.spelling.simd_length;
        if let Some(length) = nest.simd_length.filter(|_| !together.is_empty()) {
            let together = fill(together, &[("length", &length.to_string())]);
            bounds = format!("{bounds} {together}").trim_start().to_string();
        }
        bounds
    }

    /// A kernel's head, and the declarations that its body begins with.
    fn head(
        &mut self,
        kernel: &Kernel,
        nest: &Nest,
        name: &str,
        bounds: &str,
        parameters: &[String],
    ) -> (String, Vec<String>) {
        let captured = |name: &str| nest.captures.iter().any(|c| c.name == name);
        let own = kernel.parameters.iter().zip(parameters);
        let own = own.filter(|(p, _)| !captured(&p.name));
        let own = own.map(|(p, text)| LaunchParameter {
            declaration: text.clone(),
            name: p.name.clone(),
            pointer: matches!(p.kind, ParameterKind::Pointer(_)),
        });
        let value = |words: &str, name: &str| LaunchParameter {
            declaration: format!("const {words} {name}"),
            name: name.to_string(),
            pointer: false,
        };
        let cpp = self.backend.is_cpp();
        let extra = nest.captures.iter().map(|c| match c.scalar {
            // OpenCL C has no kernel parameters of that type.
            Scalar::Bool if !cpp => value("uchar", &c.name),
            scalar => value(scalar.c_name(), &c.name),
        });
        let bases = self.sliced_axes(nest).into_iter();
        let bases = bases.map(|axis| value("unsigned int", base_name(axis)));
        let all: Vec<LaunchParameter> = own.chain(extra).chain(bases).collect();
        let most = self.backend.lowering.most_parameters;
        if most > 0 && all.len() > most {
            let backend = self.backend.name.clone();
            self.error(
                &codes::MOST_PARAMETERS,
                kernel.span,
                &[&all.len(), &backend, &most],
            );
        }
        let calls =
            |c: &Construct| matches!(&c.kind, ConstructKind::Collective(c) if c.nest == nest.root);
        let collective = self.module.constructs.iter().any(calls);
        let (parameters, copies) = { &self.backend.spelling }.kernel_parameters(&all, collective);
        let head = fill(
            &self.backend.spelling.signature,
            &[
                ("bounds", bounds),
                ("name", name),
                ("parameters", &parameters),
            ],
        );
        (head.trim_start().to_string(), copies)
    }
}

/// The most items that a group may have where `@max_inner_dims` says so, and nothing says how many there are.
fn most_items(nest: &Nest) -> Option<u64> {
    let most = nest.max_inner.filter(|_| nest.threads.is_none())?;
    let items = most.iter().try_fold(1u64, |a, b| a.checked_mul(*b));
    // Nothing runs more: it would say nothing.
    items.filter(|n| *n <= 1024)
}
