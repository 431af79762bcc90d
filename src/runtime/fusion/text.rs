//! The kernel that a group of calls becomes, in Brook+.

use super::super::element::ElementType;
use super::super::stream::DynStream;
use super::group::{Folding, Group};
use crate::lex::{TokenKind, lex};
use crate::module::{Base, FUSED, Type};
use crate::render::Role;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The function that hides values (`grammar/functions.toml`).
const APART: &str = "brook_apart";

/// A parameter of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    /// A stream of the group.
    Stream(usize),
    /// A value, or what is gathered: which call's, and which of its arguments.
    Own(usize, usize),
    /// A number that is 0.
    Key(Base),
    /// A value of the reduction, by its number among the arguments.
    Fold(usize),
    /// What the reduction writes.
    Target,
}

/// The kernel that makes what a reduction folds.
const MAP: &str = "brook_fused_map";

/// The kernel's text, and its parameters in order.
pub(super) fn kernel(group: &Group<'_>) -> (String, Vec<Parameter>) {
    let mut declared = Vec::new();
    let mut parameters = Vec::new();
    let mut body = String::new();
    for (n, used) in group.streams.iter().enumerate() {
        let ty = used.type_name;
        if used.kept || used.outside {
            let out = if used.kept { "out " } else { "" };
            declared.push(format!("{out}{ty} fused_s{n}<>"));
            parameters.push(Parameter::Stream(n));
        }
        // What was in an output that is read before it is written comes first.
        let _ = match used.outside {
            true => writeln!(body, "  {ty} fused_c{n} = fused_s{n};"),
            false => writeln!(body, "  {ty} fused_c{n};"),
        };
    }
    for (c, (call, wires)) in group.calls.iter().zip(&group.wires).enumerate() {
        let metadata = call.kernel.metadata();
        let mut passed = Vec::new();
        let mut after = String::new();
        let mut keys: Vec<Base> = Vec::new();
        if metadata.placed {
            // Places are what several kernels would compute the same of, too.
            let (place, key) = (format!("fused_h{c}"), key_name(c, Base::Int));
            let _ = writeln!(
                body,
                "  int4 {place} = instance() ^ int4({key}, {key}, {key}, {key});"
            );
            passed.push(place);
            keys.push(Base::Int);
        }
        for (p, (parameter, wire)) in metadata.parameters.iter().zip(wires).enumerate() {
            let ty = &parameter.type_name;
            match (parameter.role, wire) {
                (Role::Input, Some(n)) => {
                    let value = format!("fused_c{n}");
                    passed.push(match real(group.streams[*n].stream) {
                        Some(real) => {
                            if !keys.contains(&real.base) {
                                keys.push(real.base);
                            }
                            let own = format!("fused_i{c}_{p}");
                            let key = key(c, real);
                            let _ = writeln!(body, "  {ty} {own} = {APART}({value}, {key});");
                            own
                        }
                        None => value,
                    });
                }
                (_, Some(n)) => {
                    let own = format!("fused_o{c}_{p}");
                    let _ = writeln!(body, "  {ty} {own};");
                    let _ = writeln!(after, "  fused_c{n} = {own};");
                    passed.push(own);
                }
                (role, None) => {
                    let own = format!("fused_v{c}_{p}");
                    // Each has its own of what is gathered: two are not known to be one.
                    let brackets = match role {
                        Role::Gather(_) if !parameter.extents.is_empty() => {
                            let extents = parameter.extents.iter();
                            extents.map(|extent| format!("[{extent}]")).collect()
                        }
                        Role::Gather(rank) => "[]".repeat(rank),
                        _ => String::new(),
                    };
                    declared.push(format!("{ty} {own}{brackets}"));
                    parameters.push(Parameter::Own(c, p));
                    passed.push(own);
                }
            }
        }
        for base in keys {
            declared.push(format!("{} {}", Type::scalar(base), key_name(c, base)));
            parameters.push(Parameter::Key(base));
        }
        let _ = writeln!(body, "  {}({});", metadata.name, passed.join(", "));
        body += &after;
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
            declared.join(", ")
        ),
    };
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

/// The kernel that makes an element, of these parameters and with that body, and the reduction that folds it.
fn folding(
    group: &Group<'_>,
    fold: &Folding<'_>,
    (mut declared, mut body): (Vec<String>, String),
    parameters: &mut Vec<Parameter>,
) -> String {
    let input = &group.streams[fold.input];
    let ty = input.type_name;
    let mut made = format!("fused_c{}", fold.input);
    if let Some(real) = real(input.stream) {
        let call = group.calls.len();
        declared.push(format!(
            "{} {}",
            Type::scalar(real.base),
            key_name(call, real.base)
        ));
        parameters.push(Parameter::Key(real.base));
        made = format!("{APART}({made}, {})", key(call, real));
    }
    let _ = writeln!(body, "  fused_e = {made};");
    let shared = declared.join(", ");
    let word = |declared: &String| {
        let name = declared.rsplit(' ').next().unwrap_or_default();
        name.split(['<', '[']).next().unwrap_or(name).to_string()
    };
    let passed: Vec<String> = declared.iter().map(word).collect();
    let mut folded = Vec::new();
    for (index, parameter) in fold.kernel.metadata().parameters.iter().enumerate() {
        folded.push(match parameter.role {
            Role::Input => "fused_e".to_string(),
            Role::Reduce => "fused_r".to_string(),
            _ => {
                let own = format!("fused_f{index}");
                declared.push(format!("{} {own}", parameter.type_name));
                parameters.push(Parameter::Fold(index));
                own
            }
        });
    }
    parameters.push(Parameter::Target);
    format!(
        "kernel void {MAP}({shared}, out {ty} fused_e<>) {{\n{body}}}\n\
         reduce void {FUSED}({}, reduce {ty} fused_r<>) {{\n  {ty} fused_e;\n  {MAP}({}, fused_e);\n  {}({});\n}}\n",
        declared.join(", "),
        passed.join(", "),
        fold.kernel.metadata().name,
        folded.join(", ")
    )
}

/// The type of a stream of floating point.
fn real(stream: &DynStream) -> Option<Type> {
    match stream.element {
        ElementType::Number(ty) if matches!(ty.base, Base::Float | Base::Double) => Some(ty),
        _ => None,
    }
}

fn key_name(call: usize, base: Base) -> String {
    match base {
        Base::Double => format!("fused_d{call}"),
        Base::Int => format!("fused_n{call}"),
        _ => format!("fused_k{call}"),
    }
}

/// What is combined with values of that type.
fn key(call: usize, ty: Type) -> String {
    let name = key_name(call, ty.base);
    match ty.is_vector() {
        true => {
            let all = vec![name; usize::from(ty.width)];
            format!("{ty}({})", all.join(", "))
        }
        false => name,
    }
}
