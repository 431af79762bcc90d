//! The kernel that a group of calls becomes, in Brook+.

use super::group::{Folding, Group};
use crate::lex::{TokenKind, lex};
use crate::module::FUSED;
use crate::render::{ParameterMetadata, Role};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A parameter of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    /// A stream of the group.
    Stream(usize),
    /// A value, or what is gathered: which call's, and which of its arguments.
    Own(usize, usize),
    /// A value of the reduction, by its number among the arguments.
    Fold(usize),
    /// What the reduction writes.
    Target,
}

/// The kernel that makes what a reduction folds.
const MAP: &str = "brook_fused_map";

/// What the names of kernels begin with that are OKL's.
const OKL: &str = "brook_okl_";

/// How a parameter is declared: `out float`, its name, and `<>`.
struct Declared {
    ty: String,
    name: String,
    suffix: String,
}

impl Declared {
    fn list(all: &[Self]) -> String {
        let each = all
            .iter()
            .map(|d| format!("{} {}{}", d.ty, d.name, d.suffix));
        each.collect::<Vec<_>>().join(", ")
    }
}

/// The kernel's text, and its parameters in order.
pub(super) fn kernel(group: &Group<'_>) -> (String, Vec<Parameter>) {
    let mut declared = Vec::new();
    let mut parameters = Vec::new();
    let mut body = String::new();
    for (n, used) in group.streams.iter().enumerate() {
        let ty = used.type_name;
        if used.kept || used.outside {
            let out = if used.kept { "out " } else { "" };
            declared.push(Declared {
                ty: format!("{out}{ty}"),
                name: format!("fused_s{n}"),
                suffix: "<>".to_string(),
            });
            parameters.push(Parameter::Stream(n));
        }
        // What was in an output that is read before it is written comes first.
        let _ = match used.outside {
            true => writeln!(body, "  {ty} fused_c{n} = fused_s{n};"),
            false => writeln!(body, "  {ty} fused_c{n};"),
        };
    }
    let mut maps: Vec<(u32, String)> = Vec::new();
    for (c, (call, wires)) in group.calls.iter().zip(&group.wires).enumerate() {
        let mut passed = Vec::new();
        for (p, (parameter, wire)) in call.parameters().iter().zip(wires).enumerate() {
            passed.push(match wire {
                Some(n) => format!("fused_c{n}"),
                None => {
                    let name = format!("fused_v{c}_{p}");
                    declared.push(Declared {
                        ty: parameter.type_name.clone(),
                        name: name.clone(),
                        suffix: brackets(parameter),
                    });
                    parameters.push(Parameter::Own(c, p));
                    name
                }
            });
        }
        let name = match &call.mapped {
            None => call.kernel.metadata().name.clone(),
            Some(mapped) => {
                let known = maps.iter().position(|(number, _)| *number == mapped.number);
                let which = known.unwrap_or(maps.len());
                let name = format!("{OKL}{which}");
                if known.is_none() {
                    maps.push((mapped.number, mapped.map.text(&name)));
                }
                name
            }
        };
        let _ = writeln!(body, "  {name}({});", passed.join(", "));
    }
    for (n, used) in group.streams.iter().enumerate() {
        if used.kept {
            let _ = writeln!(body, "  fused_s{n} = fused_c{n};");
        }
    }
    let kernel = match &group.fold {
        Some(fold) => folding(group, fold, (declared, body), &mut parameters),
        None => format!(
            "kernel void {FUSED}({}) {{\n{body}}}\n",
            Declared::list(&declared)
        ),
    };
    let maps: String = maps.into_iter().map(|(_, text)| text).collect();
    let kernel = maps + &kernel;
    // The source may end in a comment, or with a backslash.
    let mut text = "\n\n".to_string();
    // Whatever words are macros at its end, those of this kernel are none.
    let tokens = lex(&kernel);
    let words = tokens.iter().filter(|t| t.kind == TokenKind::Identifier);
    let words: BTreeSet<&str> = words.map(|t| t.text(&kernel)).collect();
    for word in words {
        let _ = writeln!(text, "#undef {word}");
    }
    (text + &kernel, parameters)
}

/// What follows the name of a parameter that is a value, or is gathered.
fn brackets(parameter: &ParameterMetadata) -> String {
    match parameter.role {
        Role::Gather(_) if !parameter.extents.is_empty() => {
            let extents = parameter.extents.iter();
            extents.map(|extent| format!("[{extent}]")).collect()
        }
        Role::Gather(rank) => "[]".repeat(rank),
        _ => String::new(),
    }
}

/// The kernel that makes an element, of these parameters and with that body, and the reduction that folds it.
fn folding(
    group: &Group<'_>,
    fold: &Folding<'_>,
    (mut declared, body): (Vec<Declared>, String),
    parameters: &mut Vec<Parameter>,
) -> String {
    let ty = group.streams[fold.input].type_name;
    let shared = Declared::list(&declared);
    let passed: Vec<String> = declared.iter().map(|d| d.name.clone()).collect();
    let mut folded = Vec::new();
    for (index, parameter) in fold.kernel.metadata().parameters.iter().enumerate() {
        folded.push(match parameter.role {
            Role::Input => "fused_e".to_string(),
            Role::Reduce => "fused_r".to_string(),
            _ => {
                let name = format!("fused_f{index}");
                declared.push(Declared {
                    ty: parameter.type_name.clone(),
                    name: name.clone(),
                    suffix: String::new(),
                });
                parameters.push(Parameter::Fold(index));
                name
            }
        });
    }
    parameters.push(Parameter::Target);
    format!(
        "kernel void {MAP}({shared}, out {ty} fused_e<>) {{\n{body}  fused_e = fused_c{};\n}}\n\
         reduce void {FUSED}({}, reduce {ty} fused_r<>) {{\n  {ty} fused_e;\n  {MAP}({}, fused_e);\n  {}({});\n}}\n",
        fold.input,
        Declared::list(&declared),
        passed.join(", "),
        fold.kernel.metadata().name,
        folded.join(", ")
    )
}
