use super::launcher::{Names, extent};
use crate::expr::{Expr, Scalar};
use crate::module::{Launch, Statement};
use std::fmt::Write;

/// Every launch of a kernel, and every variable of its host's part.
pub(super) fn collect<'a>(
    list: &'a [Statement],
    launches: &mut Vec<&'a Launch>,
    names: &mut Vec<&'a str>,
) {
    for statement in list {
        match statement {
            Statement::Launch(launch) => launches.push(launch),
            Statement::Declare { name, .. } | Statement::Array { name, .. } => names.push(name),
            other => other.for_each_part(&mut |part| collect(part, launches, names)),
        }
    }
}

/// Whether there are arrays among the variables.
pub(super) fn has_arrays(list: &[Statement]) -> bool {
    list.iter().any(|statement| {
        let mut found = matches!(statement, Statement::Array { .. });
        statement.for_each_part(&mut |part| found |= has_arrays(part));
        found
    })
}

pub(super) fn statements(list: &[Statement], depth: usize, names: &Names<'_>, out: &mut String) {
    for statement in list {
        one(statement, depth, names, out);
    }
}

/// An expression as C++; the evaluator's text is that already.
pub(super) fn expression(e: &Expr) -> String {
    e.to_string()
}

/// `name = value`, if the statement is that.
fn assignment(statement: &Statement) -> Option<String> {
    match statement {
        Statement::Assign { name, value } => Some(format!("{name} = {}", expression(value))),
        Statement::Store {
            name,
            indices,
            value,
        } => {
            let indices: String = indices.iter().map(|i| format!("[{i}]")).collect();
            Some(format!("{name}{indices} = {}", expression(value)))
        }
        _ => None,
    }
}

/// An array that looks at its indices: `brook_array<brook_array<int, 3>, 2>` for two rows of three.
pub(super) fn array_type(scalar: Scalar, extents: &[u64]) -> String {
    let element = scalar.c_name().to_string();
    let around = |inner, extent: &u64| format!("brook_array<{inner}, {extent}>");
    extents.iter().rev().fold(element, around)
}

/// Statements as an expression: a lambda that is called at once.
fn lambda(list: &[Statement], value: Option<&Expr>, names: &Names<'_>) -> String {
    let mut inner = String::new();
    statements(list, 0, names, &mut inner);
    let inner = inner.replace('\n', " ");
    match value {
        Some(value) => format!("[&]() -> bool {{ {inner}return {}; }}()", expression(value)),
        None => format!("[&] {{ {inner}}}()"),
    }
}

fn one(statement: &Statement, depth: usize, names: &Names<'_>, out: &mut String) {
    let pad = "  ".repeat(depth);
    let block = |list: &[Statement], out: &mut String| {
        out.push_str("{\n");
        statements(list, depth + 1, names, out);
        out.push_str(&pad);
        out.push_str("}\n");
    };
    // Writing to a String cannot fail.
    match statement {
        Statement::Declare {
            name,
            scalar,
            value,
        } => {
            let value = value.as_ref().map_or("0".to_string(), expression);
            let _ = writeln!(out, "{pad}{} {name} = {value};", scalar.c_name());
        }
        Statement::Array {
            name,
            scalar,
            extents,
            values,
        } => {
            let values: Vec<String> = values.iter().map(expression).collect();
            let ty = array_type(*scalar, extents);
            let _ = writeln!(out, "{pad}{ty} {name} = {{{}}};", values.join(", "));
        }
        Statement::Assign { .. } | Statement::Store { .. } => {
            let _ = writeln!(out, "{pad}{};", assignment(statement).unwrap_or_default());
        }
        Statement::Block(inner) => {
            out.push_str(&pad);
            block(inner, out);
        }
        Statement::If {
            condition,
            then,
            otherwise,
        } => {
            let _ = write!(out, "{pad}if ({}) ", expression(condition));
            block(then, out);
            if !otherwise.is_empty() {
                let _ = write!(out, "{pad}else ");
                block(otherwise, out);
            }
        }
        Statement::Loop { .. } => repeat(statement, depth, names, out),
        Statement::Switch { value, cases } => {
            let _ = writeln!(out, "{pad}switch ({}) {{", expression(value));
            for (index, case) in cases.iter().enumerate() {
                let label = case
                    .label
                    .map_or("default".to_string(), |label| format!("case {label}"));
                let _ = writeln!(out, "{pad}{label}:");
                statements(&case.body, depth + 1, names, out);
                let ends = matches!(
                    case.body.last(),
                    Some(
                        Statement::Break
                            | Statement::Return
                            | Statement::Give(_)
                            | Statement::Continue
                    )
                );
                if index + 1 == cases.len() {
                    let _ = writeln!(out, "{pad}  break;");
                } else if !ends && !case.body.is_empty() {
                    let _ = writeln!(out, "{pad}  [[fallthrough]];");
                }
            }
            let _ = writeln!(out, "{pad}}}");
        }
        Statement::Break => {
            let _ = writeln!(out, "{pad}break;");
        }
        Statement::Continue => {
            let _ = writeln!(out, "{pad}continue;");
        }
        Statement::Return => {
            let _ = writeln!(out, "{pad}return {};", names.result());
        }
        Statement::Give(value) => {
            let _ = writeln!(out, "{pad}return {};", expression(value));
        }
        Statement::Launch(launch) => {
            let list = |e: &[Expr; 3]| e.iter().map(extent).collect::<Vec<_>>().join(", ");
            let arguments: Vec<String> =
                launch.arguments.iter().map(|a| names.argument(a)).collect();
            let _ = writeln!(
                out,
                "{pad}if (brook_result == 0) {{\n{pad}  const long long brook_groups[3] = {{{}}};\n{pad}  \
                 const long long brook_items[3] = {{{}}};",
                list(&launch.groups),
                list(&launch.items),
            );
            launches(launch, arguments, names, &pad, out);
            let _ = writeln!(out, "{pad}}}");
        }
    }
}

/// The launch itself; more groups than one takes are launched in slices.
fn launches(
    launch: &Launch,
    mut arguments: Vec<String>,
    names: &Names<'_>,
    pad: &str,
    out: &mut String,
) {
    let axis_name = |axis: usize| ["x", "y", "z"].get(axis).copied().unwrap_or("x");
    let mut pad = format!("{pad}  ");
    let mut sizes = [0, 1, 2].map(|axis| format!("brook_groups[{axis}]"));
    for &(axis, most) in &launch.bases {
        let base = format!("brook_base_{}", axis_name(axis));
        let _ = writeln!(
            out,
            "{pad}for (unsigned int {base} = 0; {base} < brook_groups[{axis}] && brook_result == 0; {base} += {most}u) {{",
        );
        pad.push_str("  ");
        if let Some(size) = sizes.get_mut(axis) {
            *size = format!(
                "brook_groups[{axis}] - {base} < {most} ? brook_groups[{axis}] - {base} : {most}"
            );
        }
        arguments.push(format!("brook_argument({base})"));
    }
    let groups = match launch.bases.is_empty() {
        true => "brook_groups",
        false => {
            let list = sizes.join(", ");
            let _ = writeln!(out, "{pad}const long long brook_slice[3] = {{{list}}};");
            "brook_slice"
        }
    };
    let _ = writeln!(
        out,
        "{pad}const brook_value brook_arguments[] = {{{}}};\n\
         {pad}brook_result = {}brook_launch(brook_target, {:?}, {groups}, brook_items, brook_arguments, {}, {});",
        arguments.join(", "),
        if names.checked {
            "brook_outside ? brook_invalid : "
        } else {
            ""
        },
        launch.kernel,
        arguments.len(),
        launch.shared,
    );
    for _ in &launch.bases {
        pad.truncate(pad.len() - 2);
        let _ = writeln!(out, "{pad}}}");
    }
}

fn repeat(statement: &Statement, depth: usize, names: &Names<'_>, out: &mut String) {
    let Statement::Loop {
        initial,
        prepare,
        condition,
        step,
        body,
        late,
    } = statement
    else {
        return;
    };
    let pad = "  ".repeat(depth);
    let condition = match prepare.is_empty() {
        true => expression(condition),
        false => lambda(prepare, Some(condition), names),
    };
    if *late {
        let _ = writeln!(out, "{pad}do {{");
        statements(body, depth + 1, names, out);
        let _ = writeln!(out, "{pad}}} while ({condition});");
        return;
    }
    // A block of its own keeps the loop's variables to it.
    let _ = writeln!(out, "{pad}{{");
    statements(initial, depth + 1, names, out);
    let assignments: Option<Vec<String>> = step.iter().map(assignment).collect();
    let update = match assignments {
        Some(assignments) => assignments.join(", "),
        None => lambda(step, None, names),
    };
    let _ = writeln!(out, "{pad}  for (; {condition}; {update}) {{");
    statements(body, depth + 2, names, out);
    let _ = writeln!(out, "{pad}  }}\n{pad}}}");
}
