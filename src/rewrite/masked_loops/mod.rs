//! Loops that items leave at different times, where loops stay loops: a block of items goes on together until the
//! last of them has left. Each is a lane; what it has is `brook_lanes.NAME[brook_lane]`, and a mask says whether it
//! is still there. Masks are values instead of branches, so that compilers make vectors of the lanes.
//!
//! - `mod.rs`: what lanes have.
//! - `writer.rs`: the loop over lanes.

mod writer;

pub(super) use writer::Writer;

use super::spell;
use crate::expr::Scalar;
use crate::module::{Base, LaneVariable, MaskedLoopPlan, Type};
use crate::source::{Edits, Overlap, Span};

/// What vectors have components of.
const BASES: [Base; 9] = [
    Base::Bool,
    Base::Char,
    Base::UChar,
    Base::Short,
    Base::UShort,
    Base::Int,
    Base::UInt,
    Base::Float,
    Base::Double,
];

/// The fields that lanes need for variables.
pub(super) fn fields(variables: &[&LaneVariable], width: usize) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    let mut fields = Vec::new();
    for v in variables {
        if !names.contains(&v.name.as_str()) {
            names.push(&v.name);
            let ty = match v.components {
                1 => lane_type(v.ty).to_string(),
                _ => type_name(v),
            };
            fields.push(format!("{ty} {}[{width}];", v.name));
        }
    }
    fields
}

/// The fields that lanes need besides.
pub(super) fn own_fields(plan: &MaskedLoopPlan, width: usize) -> Vec<String> {
    let mut fields = vec![format!("int brook_going[{width}];")];
    if plan.returns {
        fields.push(format!("int brook_returned[{width}];"));
        let result = plan.result.map(lane_type);
        fields.extend(result.map(|ty| format!("{ty} brook_result[{width}];")));
    }
    fields
}

/// A lane's variable as one of the names that the text has.
pub(super) fn load(v: &LaneVariable, constant: bool) -> String {
    let constant = if constant { "const " } else { "" };
    let truth = match v.ty {
        Scalar::Bool if v.components == 1 => " != 0",
        _ => "",
    };
    let (ty, name) = (type_name(v), &v.name);
    format!("{constant}{ty} {name} = brook_lanes.{name}[brook_lane]{truth};")
}

/// A type as lanes have it: truth values beside numbers would be converted at every step.
fn lane_type(ty: Scalar) -> &'static str {
    match ty {
        Scalar::Bool => "int",
        other => other.c_name(),
    }
}

fn type_name(v: &LaneVariable) -> String {
    let vector = |base| spell(Type::vector(base, v.components), true);
    let base = BASES.into_iter().find(|b| b.scalar() == Some(v.ty));
    match base.filter(|_| v.components > 1) {
        Some(base) => vector(base),
        None => v.ty.c_name().to_string(),
    }
}

/// The other way.
pub(super) fn store(v: &LaneVariable) -> String {
    let name = &v.name;
    format!("brook_lanes.{name}[brook_lane] = {name};")
}

/// The text before a loop, where `return` notes that the lane has left; after `stores`.
pub(super) fn before(
    edits: &Edits,
    text: &str,
    plan: &MaskedLoopPlan,
    stores: &str,
) -> Result<String, Overlap> {
    let span = Span::new(plan.body.start + 1, plan.span.start);
    let mut edits = edits.within(span);
    for (statement, value) in &plan.early {
        let result = match value {
            Some(value) => {
                let value = edits.take(*value, text)?;
                // As a lane has it: a truth value is a number there.
                let value = match plan.result {
                    Some(Scalar::Bool) => format!("(bool)({value})"),
                    _ => value,
                };
                format!("brook_lanes.brook_result[brook_lane] = {value}; ")
            }
            None => String::new(),
        };
        edits.discard(*statement);
        let text =
            format!("{{ {stores}{result}brook_lanes.brook_returned[brook_lane] = 1; return; }}");
        edits.replace(*statement, text);
    }
    edits.take(span, text)
}
