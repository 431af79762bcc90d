use super::{Pass, spell, stored_type};
use crate::backend::{Model, fill};
use crate::expr::{BinaryOperator, Expr, Scalar, Value};
use crate::module::{Kernel, KernelForm, Launch, LaunchVariable, ParameterKind, Statement, Type};
use crate::rewrite::{ArgumentMetadata, DeviceKernel, Dtype, Frame};
use crate::schedule::MapSchedule;
use std::borrow::Cow;

/// Items in a group where the program does not say.
pub(crate) const GROUP: i32 = 256;

/// How a reduction's items read where tiles have one row; others are the runtime's affair.
pub(crate) const ONE_ROW: i32 = 4;

/// How they read where rows are short, each some elements of a row of one output.
pub(crate) const ACROSS: i32 = 1;

impl Pass<'_> {
    /// The functions that are launched, and the host's part of each kernel.
    pub(super) fn launches(&mut self) -> (Vec<DeviceKernel>, Vec<Frame>, Vec<Vec<Statement>>) {
        let mut functions = Vec::new();
        let mut frames = Vec::new();
        let mut host = Vec::new();
        for (kernel, schedule) in self.module.kernels.iter().zip(&self.schedule.maps) {
            let items = kernel.group_size().map_or(GROUP, |n| n as i32);
            let mut one = |name: String, extra: &[LaunchVariable], count: Expr, each: usize| {
                functions.push(device(&name, kernel, extra, self.cpp()));
                frames.push(self.frame(kernel, items));
                let mut arguments: Vec<String> =
                    extra.iter().map(|e| e.name().to_string()).collect();
                arguments.extend(names(kernel));
                Statement::Launch(Box::new(Launch {
                    kernel: name,
                    groups: [
                        groups(count, items * each as i32),
                        Expr::int(1),
                        Expr::int(1),
                    ],
                    items: [Expr::int(items), Expr::int(1), Expr::int(1)],
                    arguments,
                    offsets: false,
                    shared: 0,
                    bases: Vec::new(),
                    most_items: 0,
                }))
            };
            let count = || of(LaunchVariable::Count);
            let times = |a: Expr, b| Expr::binary(BinaryOperator::Multiply, a, of(b));
            let named = |what: &str| format!("brook_{what}_{}", kernel.name);
            let statements = match kernel.form {
                KernelForm::Map { group_size } => {
                    let extra = [LaunchVariable::Count, LaunchVariable::Domain];
                    let general = one(named("kernel"), &extra, count(), 1);
                    match group_size {
                        Some(_) => vec![general],
                        None => {
                            let linear = of(LaunchVariable::Linear);
                            let MapSchedule {
                                width,
                                rows,
                                in_bounds,
                                ..
                            } = *schedule;
                            let mut along = |what: &str| match rows {
                                0 => one(named(what), &extra, count(), width),
                                rows => {
                                    let extra = [&extra[..], &[LaunchVariable::Rows]].concat();
                                    in_rows(one(named(what), &extra, count(), 1), rows as i32)
                                }
                            };
                            let mut then = along("linear");
                            if in_bounds {
                                then = Statement::If {
                                    condition: of(LaunchVariable::InBounds),
                                    then: vec![along("in_bounds")],
                                    otherwise: vec![then],
                                };
                            }
                            let condition = match rows {
                                0 => linear,
                                _ => {
                                    let suit = of(LaunchVariable::Rows);
                                    Expr::binary(BinaryOperator::And, linear, suit)
                                }
                            };
                            vec![Statement::If {
                                condition,
                                then: vec![then],
                                otherwise: vec![general],
                            }]
                        }
                    }
                }
                // In any order.
                KernelForm::Reduce { operator: Some(_) } => {
                    let extra = [
                        LaunchVariable::Count,
                        LaunchVariable::Parts,
                        LaunchVariable::Split,
                        LaunchVariable::Lanes,
                        LaunchVariable::LastLanes,
                        LaunchVariable::Mode,
                        LaunchVariable::Tile,
                        LaunchVariable::Partials,
                    ];
                    let cells = times(count(), LaunchVariable::Parts);
                    let items = times(cells, LaunchVariable::Lanes);
                    let rows = one(named("partial"), &extra, items.clone(), 1);
                    // Loops read in one way only.
                    let partial = match self.backend.model {
                        Model::Loops => rows,
                        Model::Simt => {
                            let strips = one(named("strips"), &extra, items.clone(), 1);
                            let across = one(named("across"), &extra, items.clone(), 1);
                            let row = one(named("row"), &extra, items, 1);
                            let otherwise = Statement::If {
                                condition: of(LaunchVariable::Mode),
                                then: vec![strips],
                                otherwise: vec![rows],
                            };
                            let of_mode = |mode, then, otherwise| Statement::If {
                                condition: Expr::binary(
                                    BinaryOperator::Equal,
                                    of(LaunchVariable::Mode),
                                    Expr::int(mode),
                                ),
                                then: vec![then],
                                otherwise: vec![otherwise],
                            };
                            of_mode(ONE_ROW, row, of_mode(ACROSS, across, otherwise))
                        }
                    };
                    let cells = times(count(), LaunchVariable::LastLanes);
                    let last = one(named("kernel"), &extra, cells, 1);
                    let several = Expr::binary(
                        BinaryOperator::Greater,
                        of(LaunchVariable::Parts),
                        Expr::Literal(Value::Int(Scalar::ULong, 1)),
                    );
                    vec![
                        partial,
                        Statement::If {
                            condition: several,
                            then: vec![last],
                            otherwise: Vec::new(),
                        },
                    ]
                }
                // In order.
                KernelForm::Reduce { operator: None } => {
                    let extra = [
                        LaunchVariable::Count,
                        LaunchVariable::Parts,
                        LaunchVariable::Tile,
                        LaunchVariable::Partials,
                    ];
                    let ranges = times(count(), LaunchVariable::Parts);
                    vec![
                        one(named("partial"), &extra, ranges, 1),
                        one(named("kernel"), &extra, count(), 1),
                    ]
                }
                KernelForm::Vout => {
                    let extra = [
                        LaunchVariable::Count,
                        LaunchVariable::Parts,
                        LaunchVariable::Domain,
                        LaunchVariable::Counts,
                        LaunchVariable::Pushed,
                    ];
                    vec![one(named("kernel"), &extra, of(LaunchVariable::Parts), 1)]
                }
                _ => Vec::new(),
            };
            host.push(statements);
        }
        (functions, frames, host)
    }

    fn frame(&self, kernel: &Kernel, items: i32) -> Frame {
        let bytes = |ty: &str, count: u64| format!("sizeof({ty}[{count}])");
        let shared = kernel.shared.iter();
        let mut group_memory: Vec<String> = shared
            .map(|s| bytes(&spell(s.ty, self.cpp()), s.count))
            .collect();
        // What the items of a reduction combine.
        let mut parameters = kernel.parameters.iter();
        if let Some(target) = parameters.find(|p| p.kind == ParameterKind::Reduce) {
            let ty = stored_type(self.module, self.backend, target.ty, target.structure);
            group_memory.push(bytes(&ty, items as u64));
        }
        Frame {
            bounds: group_bounds(&self.backend.spelling.bounds, items as u32),
            group_memory,
        }
    }
}

/// What a kernel's head says of groups of so many items.
pub(crate) fn group_bounds(pattern: &str, items: u32) -> String {
    let items = items.to_string();
    fill(
        pattern,
        &[("threads", &items), ("x", &items), ("y", "1"), ("z", "1")],
    )
}

/// The same launch with groups for every so many rows of each layer.
fn in_rows(mut launch: Statement, each: i32) -> Statement {
    if let Statement::Launch(launch) = &mut launch {
        let (rows, layers) = (of(LaunchVariable::Rows), of(LaunchVariable::Layers));
        let all = Expr::binary(BinaryOperator::Multiply, rows.clone(), layers.clone());
        let row = Expr::binary(BinaryOperator::Divide, of(LaunchVariable::Count), all);
        launch.groups = [groups(row, GROUP), groups(rows, each), layers];
    }
    launch
}

fn of(variable: LaunchVariable) -> Expr {
    Expr::name(variable.name())
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
            names.push(format!("brook_{}_shape", parameter.name));
        }
    }
    names
}

fn device(name: &str, kernel: &Kernel, extra: &[LaunchVariable], cpp: bool) -> DeviceKernel {
    let argument = |name, ty: Cow<'static, str>, ptr, constant| ArgumentMetadata {
        constant,
        dtype: Dtype::builtin(ty),
        name,
        ptr,
    };
    let mut arguments = Vec::with_capacity(extra.len() + 2 * kernel.parameters.len());
    for variable in extra {
        let pointer = variable.is_buffer();
        let (name, ty) = (variable.name(), variable.dtype());
        arguments.push(argument(name.into(), ty.into(), pointer, !pointer));
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
        let name = parameter.name.clone().into();
        arguments.push(argument(name, spelled.into(), memory, constant));
        if pointer {
            let shape = format!("brook_{}_shape", parameter.name);
            arguments.push(argument(shape.into(), "brook_shape".into(), false, true));
        }
    }
    DeviceKernel {
        name: name.to_string(),
        arguments,
    }
}
