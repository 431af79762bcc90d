use super::templates::{RenderError, Templates};
use super::{ArgumentMetadata, KernelMetadata, Metadata};
use crate::expr::{self, Expr};
use crate::module::{Launch, Statement};
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct LauncherContext<'a> {
    version: &'static str,
    source: &'a str,
    kernels: Vec<KernelContext<'a>>,
}

#[derive(Serialize)]
struct KernelContext<'a> {
    name: &'a str,
    parameters: String,
    body: String,
}

/// The host's part of each kernel as C++ for ahead-of-time use; `None` if the backend launches
/// nothing.
pub(super) fn render(
    templates: &Templates,
    metadata: &Metadata,
    source: &str,
) -> Result<Option<String>, RenderError> {
    let kernels = metadata.kernels.iter().map(|kernel| {
        let mut launches = Vec::new();
        let mut variables = Vec::new();
        collect(&kernel.host, &mut launches, &mut variables);
        let mut body = String::new();
        let names = Names {
            foreign: metadata.dialect == "brook",
        };
        statements(&kernel.host, 1, names, &mut body);
        KernelContext {
            name: &kernel.name,
            parameters: parameters(kernel, metadata, &launches, &variables, names),
            body,
        }
    });
    let context = LauncherContext {
        version: env!("CARGO_PKG_VERSION"),
        source,
        kernels: kernels.collect(),
    };
    templates.render("launcher.tera", &context)
}

/// How names of the program stand in the launcher, which is C++.
#[derive(Clone, Copy)]
struct Names {
    /// The program is not C++, so its names may be keywords here: all get an underscore.
    foreign: bool,
}

impl Names {
    fn of(self, name: &str) -> String {
        match self.foreign && !name.starts_with("brook_") {
            true => format!("{name}_"),
            false => name.to_string(),
        }
    }
}

/// Every launch of a kernel, and every variable of its host's part.
fn collect<'a>(list: &'a [Statement], launches: &mut Vec<&'a Launch>, names: &mut Vec<&'a str>) {
    for statement in list {
        match statement {
            Statement::Launch(launch) => launches.push(launch),
            Statement::Declare { name, .. } => names.push(name),
            Statement::Block(inner) => collect(inner, launches, names),
            Statement::If {
                then, otherwise, ..
            } => {
                collect(then, launches, names);
                collect(otherwise, launches, names);
            }
            Statement::Loop {
                initial,
                step,
                body,
                ..
            } => {
                collect(initial, launches, names);
                collect(step, launches, names);
                collect(body, launches, names);
            }
            _ => {}
        }
    }
}

/// What has to be passed in: all arguments of the device kernels that the host's part does not
/// define itself.
fn parameters(
    kernel: &KernelMetadata,
    metadata: &Metadata,
    launches: &[&Launch],
    variables: &[&str],
    names: Names,
) -> String {
    let mut seen: Vec<&ArgumentMetadata> = Vec::new();
    for launch in launches {
        let device = metadata.metadata.iter().find(|d| d.name == launch.kernel);
        for argument in device.into_iter().flat_map(|d| &d.arguments) {
            let own = kernel.parameters.iter().any(|p| p.name == argument.name);
            let known = seen.iter().any(|s| s.name == argument.name);
            if !known && (own || !variables.contains(&argument.name.as_str())) {
                seen.push(argument);
            }
        }
    }
    let one = |a: &&ArgumentMetadata| match a.ptr {
        true => format!("brook_buffer {}", names.of(&a.name)),
        false => format!("{} {}", a.dtype.name, names.of(&a.name)),
    };
    seen.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn statements(list: &[Statement], depth: usize, names: Names, out: &mut String) {
    for statement in list {
        one(statement, depth, names, out);
    }
}

fn one(statement: &Statement, depth: usize, names: Names, out: &mut String) {
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
            let value = value.as_ref().map_or("0".to_string(), Expr::to_string);
            let _ = writeln!(out, "{pad}{} {name} = {value};", scalar.c_name());
        }
        Statement::Assign { name, value } => {
            let _ = writeln!(out, "{pad}{name} = {value};");
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
            let _ = write!(out, "{pad}if ({condition}) ");
            block(then, out);
            if !otherwise.is_empty() {
                let _ = write!(out, "{pad}else ");
                block(otherwise, out);
            }
        }
        Statement::Loop {
            initial,
            condition,
            step,
            body,
        } => {
            // A block of its own keeps the loop's variables to it.
            let _ = writeln!(out, "{pad}{{");
            statements(initial, depth + 1, names, out);
            let mut update = String::new();
            for (index, statement) in step.iter().enumerate() {
                if let Statement::Assign { name, value } = statement {
                    let comma = if index > 0 { ", " } else { "" };
                    let _ = write!(update, "{comma}{name} = {value}");
                }
            }
            let _ = write!(out, "{pad}  for (; {condition}; {update}) ");
            out.push_str("{\n");
            statements(body, depth + 2, names, out);
            let _ = writeln!(out, "{pad}  }}\n{pad}}}");
        }
        Statement::Break => {
            let _ = writeln!(out, "{pad}break;");
        }
        Statement::Continue => {
            let _ = writeln!(out, "{pad}continue;");
        }
        Statement::Return => {
            let _ = writeln!(out, "{pad}return brook_result;");
        }
        Statement::Launch(launch) => {
            let extent = |e: &Expr| match expr::constant(e) {
                Some(n) => n.to_string(),
                None => format!("(long long)({e})"),
            };
            let list = |e: &[Expr; 3]| e.iter().map(extent).collect::<Vec<_>>().join(", ");
            let arguments: Vec<String> = launch
                .arguments
                .iter()
                .map(|a| format!("brook_argument({})", names.of(a)))
                .collect();
            let _ = writeln!(
                out,
                "{pad}if (brook_result == 0) {{\n{pad}  const long long brook_groups[3] = {{{}}};\n{pad}  \
                 const long long brook_items[3] = {{{}}};\n{pad}  const brook_value brook_arguments[] = {{{}}};\n\
                 {pad}  brook_result = brook_launch(brook_target, {:?}, brook_groups, brook_items, brook_arguments, {});\n{pad}}}",
                list(&launch.groups),
                list(&launch.items),
                arguments.join(", "),
                launch.kernel,
                launch.arguments.len(),
            );
        }
    }
}
