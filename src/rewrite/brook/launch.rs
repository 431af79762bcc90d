use super::{Pass, spell};
use crate::expr::{BinaryOperator, Expr, Scalar, Value};
use crate::module::{Kernel, KernelForm, Launch, ParameterKind, Statement, Type};
use crate::render::{ArgumentMetadata, DeviceKernel, Dtype};

/// Items in a group where the program does not say.
pub(crate) const GROUP: i32 = 256;

impl Pass<'_> {
    /// The functions that are launched, and the host's part of each kernel.
    pub(super) fn launches(&mut self) -> (Vec<DeviceKernel>, Vec<Vec<Statement>>) {
        let mut functions = Vec::new();
        let mut host = Vec::new();
        for kernel in &self.module.kernels {
            let items = kernel.group_size().map_or(GROUP, |n| n as i32);
            let one = |name: &str, extra: &[&str], count: Expr| {
                let mut arguments: Vec<String> = extra.iter().map(|e| (*e).to_string()).collect();
                arguments.extend(names(kernel));
                Statement::Launch(Box::new(Launch {
                    kernel: name.to_string(),
                    groups: [groups(count, items), Expr::int(1), Expr::int(1)],
                    items: [Expr::int(items), Expr::int(1), Expr::int(1)],
                    arguments,
                    shared: 0,
                    bases: Vec::new(),
                    most_items: 0,
                }))
            };
            let count = || Expr::name("brook_count");
            let statements = match kernel.form {
                KernelForm::Map { .. } => {
                    let extra = ["brook_count", "brook_domain"];
                    let name = format!("brook_kernel_{}", kernel.name);
                    functions.push(device(&name, kernel, &extra, self.cpp()));
                    vec![one(&name, &extra, count())]
                }
                KernelForm::Reduce { .. } => {
                    let extra = ["brook_count", "brook_parts", "brook_tile", "brook_partials"];
                    let ranges =
                        Expr::binary(BinaryOperator::Multiply, count(), Expr::name("brook_parts"));
                    let partial = format!("brook_partial_{}", kernel.name);
                    let combine = format!("brook_kernel_{}", kernel.name);
                    functions.push(device(&partial, kernel, &extra, self.cpp()));
                    functions.push(device(&combine, kernel, &extra, self.cpp()));
                    vec![
                        one(&partial, &extra, ranges),
                        one(&combine, &extra, count()),
                    ]
                }
                KernelForm::Vout => {
                    let extra = [
                        "brook_count",
                        "brook_parts",
                        "brook_domain",
                        "brook_counts",
                        "brook_pushed",
                    ];
                    let name = format!("brook_kernel_{}", kernel.name);
                    functions.push(device(&name, kernel, &extra, self.cpp()));
                    vec![one(&name, &extra, Expr::name("brook_parts"))]
                }
                _ => Vec::new(),
            };
            host.push(statements);
        }
        (functions, host)
    }
}

/// `(count + 255) / 256` in 64 bits.
fn groups(count: Expr, items: i32) -> Expr {
    let long = |n: i32| Expr::Literal(Value::Int(Scalar::ULong, i64::from(n)));
    let up = Expr::binary(BinaryOperator::Add, count, long(items - 1));
    Expr::binary(BinaryOperator::Divide, up, long(items))
}

/// Whether a parameter comes with its shape.
fn has_shape(kind: &ParameterKind) -> bool {
    !matches!(
        kind,
        ParameterKind::Value | ParameterKind::Out | ParameterKind::Vout
    )
}

/// Names of a launched function's own arguments: each parameter, and its shape if it has one.
fn names(kernel: &Kernel) -> Vec<String> {
    let mut names = Vec::new();
    for parameter in &kernel.parameters {
        names.push(parameter.name.clone());
        if has_shape(&parameter.kind) {
            names.push(format!("{}_shape", parameter.name));
        }
    }
    names
}

fn device(name: &str, kernel: &Kernel, extra: &[&str], cpp: bool) -> DeviceKernel {
    let argument = |name: &str, ty: &str, ptr: bool, constant: bool| ArgumentMetadata {
        constant,
        dtype: Dtype::builtin(ty),
        name: name.to_string(),
        ptr,
    };
    let mut arguments = Vec::new();
    for &name in extra {
        arguments.push(match name {
            "brook_partials" => argument(name, "void", true, false),
            "brook_pushed" => argument(name, "unsigned long", true, false),
            "brook_counts" => argument(name, "int", false, true),
            "brook_count" | "brook_parts" => argument(name, "unsigned long", false, true),
            "brook_domain" => argument(name, "brook_range", false, true),
            _ => argument(name, "brook_shape", false, true),
        });
    }
    for parameter in &kernel.parameters {
        let pointer = has_shape(&parameter.kind);
        let constant = matches!(
            parameter.kind,
            ParameterKind::Value | ParameterKind::StreamIn | ParameterKind::Gather(_)
        );
        let ty: Type = parameter.ty;
        let spelled = if parameter.structure.is_some() {
            parameter.type_name.clone()
        } else if pointer {
            ty.to_string()
        } else {
            spell(ty, cpp)
        };
        let memory =
            pointer || parameter.kind == ParameterKind::Vout || parameter.structure.is_some();
        arguments.push(argument(&parameter.name, &spelled, memory, constant));
        if pointer {
            let shape = format!("{}_shape", parameter.name);
            arguments.push(argument(&shape, "brook_shape", false, true));
        }
    }
    DeviceKernel {
        name: name.to_string(),
        arguments,
    }
}
