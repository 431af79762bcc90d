//! Gathers whose floating-point indices are integers, and loops whose iterations are counted for these.

use super::{Pass, spell};
use crate::backend::Backend;
use crate::module::{
    Base, IndexedAccess, Iterations, Kernel, LoopBody, Type, WholeIndex, WholePart,
};
use crate::source::Span;
use std::collections::BTreeMap;

impl Pass<'_> {
    /// The type of what is computed modulo 2^32.
    fn unsigned(&self) -> String {
        spell(Type::scalar(Base::UInt), self.cpp())
    }

    /// Whether a gather reads where integers say, if all indices are inside.
    pub(super) fn is_whole(&self, span: Span, access: &IndexedAccess) -> bool {
        let counts = || self.schedule_at(span.start).is_some_and(|s| s.counts);
        !access.whole.is_empty() && counts()
    }

    /// Where it reads then, before where it reads else.
    pub(super) fn whole_place(&self, access: &IndexedAccess) -> String {
        let array = self.backend.safe_name(&access.array);
        let function = if self.cpp() {
            "brook_at"
        } else {
            "brook_at_int"
        };
        let indices: Vec<String> = access.whole.iter().map(|w| self.whole_text(w)).collect();
        let indices = indices.join(", ");
        format!("brook_in_bounds ? {function}(true, brook_{array}_shape, {indices}) : ")
    }

    fn whole_text(&self, index: &WholeIndex) -> String {
        let unsigned = self.unsigned();
        let modulo = |number: i64| (number as u32).to_string() + "u";
        let part = |(part, factor): &(WholePart, i64)| {
            let part = match part {
                WholePart::Place(axis) => {
                    let axis = ["x", "y", "z", "w"].get(*axis).unwrap_or(&"x");
                    format!("({unsigned})brook_here.{axis}")
                }
                WholePart::Iteration(number) => format!("brook_iteration_{number}"),
            };
            match factor {
                1 => part,
                factor => format!("{} * {part}", modulo(*factor)),
            }
        };
        let mut parts: Vec<String> = index.parts.iter().map(part).collect();
        if index.constant != 0 || parts.is_empty() {
            parts.push(modulo(index.constant));
        }
        parts.join(" + ")
    }

    /// Counts the iterations of such loops: their bodies begin with that, and what is around them with a number that is one before
    /// zero.
    pub(super) fn count_iterations(&mut self) {
        let unsigned = self.unsigned();
        let unused = self.unused();
        for (kernel, schedule) in self.module.kernels.iter().zip(&self.schedule.maps) {
            if !schedule.counts {
                continue;
            }
            let mut begins: BTreeMap<(u32, u32), (LoopBody, String)> = BTreeMap::new();
            let mut first = String::new();
            for (number, of) in kernel.counted_loops.iter().enumerate() {
                let mut begin = |body: LoopBody, text: &str| {
                    let at = (body.of.start, body.of.end);
                    let (_, all) = begins.entry(at).or_insert((body, String::new()));
                    all.push_str(text);
                };
                begin(of.body, &format!("++brook_iteration_{number}; "));
                let counter = format!("{unused}{unsigned} brook_iteration_{number} = 4294967295u;");
                match of.around {
                    Some(around) => begin(around, &format!("{counter} ")),
                    None => first.push_str(&format!("\n    {counter}")),
                }
                if let Some((condition, iterations)) = of.condition {
                    let iterations = iterations_text(kernel, self.backend, iterations);
                    first.push_str(&format!(
                        "\n    {unused}const {unsigned} brook_iterations_{number} = {iterations};"
                    ));
                    let counted = format!(
                        "brook_in_bounds ? brook_iteration_{number} + 1u != brook_iterations_{number} : ("
                    );
                    self.edits.insert_before(condition.start, counted);
                    self.edits.append(condition.end, ")");
                }
            }
            // The innermost ones first.
            for (body, text) in begins.into_values().rev() {
                self.begin_body(body, text.trim_end());
            }
            if !first.is_empty() {
                self.edits.insert_before(kernel.body.start + 1, first);
            }
        }
    }

    fn begin_body(&mut self, body: LoopBody, text: &str) {
        if body.block {
            self.edits
                .insert_before(body.span.start + 1, format!(" {text}"));
            return;
        }
        self.edits
            .insert_before(body.span.start, format!("{{ {text} "));
        self.edits.append(body.span.end, " }");
    }
}

/// Of how many iterations a condition holds. Beyond 2^24 floating-point numbers stay what they are when one is added or taken away, for ever,
/// but for the one that becomes 2^24 when it is rounded.
fn iterations_text(kernel: &Kernel, backend: &Backend, iterations: Iterations) -> String {
    let value = |(number, component): (usize, usize)| {
        let parameter = kernel.parameters.get(number);
        let name = parameter.map_or("", |p| &p.name);
        let axes = [".x", ".y", ".z", ".w"];
        let vector = parameter.is_some_and(|p| p.ty.is_vector());
        let axis = if vector { axes[component.min(3)] } else { "" };
        format!("(float){}{axis}", backend.safe_name(name))
    };
    match iterations {
        Iterations::Number(number) => format!("{number}u"),
        Iterations::Up { first, end } => format!("brook_iterations({}, {first})", value(end)),
        Iterations::Down { first } => {
            let first = value(first);
            format!("{first} == 16777218.0f ? 16777217u : brook_iterations({first}, 0)")
        }
    }
}
