//! Functions of the program that the host calls: they become data, and are evaluated at launch.

use super::expressions::{Problem, Use};
use super::host::{Host, host_names};
use super::sizes;
use super::unit::Unit;
use crate::analyze::Context;
use crate::diagnostics::{Sink, codes};
use crate::expr::{Expr, Scalar};
use crate::module::HostFunction;
use crate::syntax::{Declarator, Field, NodeId, declarators, parameters};

/// The function of the program that a call means, by the last part of its name.
pub(super) fn find(unit: &Unit, name: &str) -> Option<String> {
    let short = name.rsplit("::").next().unwrap_or(name);
    let is_library = name.starts_with("std::");
    (!is_library && unit.host.nodes.contains_key(short)).then(|| short.to_string())
}

/// A call of a function of the program, with default arguments filled in.
pub(super) fn call(
    context: &mut Context<'_>,
    unit: &mut Unit,
    name: &str,
    mut arguments: Vec<Expr>,
    by: Use,
) -> Result<Expr, Problem> {
    let fail = |why: &str| Err(Problem(&codes::HOST_FUNCTION, format!("'{name}': {why}")));
    let nodes = unit.host.nodes.get(name).cloned().unwrap_or_default();
    let overloaded = nodes.len() > 1;
    let fitting: Vec<NodeId> = nodes
        .into_iter()
        .filter(|&node| {
            let list = parameters(context.tree, node).map_or(Vec::new(), |(list, _)| list);
            let needed = list
                .iter()
                .filter(|&&p| context.tree.child(p, Field::DefaultValue).is_none())
                .count();
            (needed..=list.len()).contains(&arguments.len())
        })
        .collect();
    let [node] = fitting.as_slice() else {
        return fail(match fitting.is_empty() {
            true => "it takes another number of arguments",
            false => "it is overloaded",
        });
    };
    let list = parameters(context.tree, *node).map_or(Vec::new(), |(list, _)| list);
    for parameter in list.iter().skip(arguments.len()) {
        let Some(default) = context.tree.child(*parameter, Field::DefaultValue) else {
            continue;
        };
        let span = context.tree.span(default);
        match super::expressions::read(context, unit, span, by) {
            Some(default) => arguments.push(default),
            None => return fail("its default argument cannot be evaluated"),
        }
    }
    // Functions of one name are told apart by the number of their parameters.
    let own = match overloaded {
        true => format!("{name}_of_{}", list.len()),
        false => name.to_string(),
    };
    let name = own.as_str();
    if !unit.host.known.contains_key(name) {
        let Some(head) = signature(context, unit, *node, name) else {
            let why = "its parameters and its value must be scalars".to_string();
            let failed = fail(&why);
            unit.host.known.insert(name.to_string(), Err(why));
            return failed;
        };
        // Known before its body is read, so that it may call itself.
        unit.host.known.insert(name.to_string(), Ok(head.clone()));
        match body(context, unit, *node, head) {
            Ok(function) => {
                unit.host
                    .known
                    .insert(name.to_string(), Ok(function.clone()));
                unit.host.functions.push(function);
            }
            Err(why) => {
                let failed = fail(&why);
                unit.host.known.insert(name.to_string(), Err(why));
                return failed;
            }
        }
    }
    match unit.host.known.get(name) {
        Some(Err(why)) => fail(why),
        _ => Ok(Expr::Call(name.into(), arguments)),
    }
}

/// Name, parameters and type of a function of scalars.
fn signature(context: &Context<'_>, unit: &Unit, node: NodeId, name: &str) -> Option<HostFunction> {
    let tree = context.tree;
    let scalar = |node| unit.scalar_of(context.sema, node);
    let by_value = |d: &Declarator| d.pointers == 0 && d.sizes.is_empty() && !d.reference;
    let returns = declarators(tree, node, context.text);
    if !returns.iter().all(by_value) {
        return None;
    }
    let (list, _) = parameters(tree, node)?;
    let mut found: Vec<(String, Scalar)> = Vec::new();
    for parameter in list {
        let names = declarators(tree, parameter, context.text);
        let nothing = || tree.text(parameter, context.text) == "void";
        match names.first() {
            Some(declared) if by_value(declared) => {
                found.push((declared.name.to_string(), scalar(parameter)?));
            }
            None if nothing() => {}
            _ => return None,
        }
    }
    Some(HostFunction {
        name: name.to_string(),
        parameters: found,
        result: scalar(node)?,
        body: Vec::new(),
    })
}

/// The function with its statements, or why the host cannot run them.
fn body(
    context: &mut Context<'_>,
    unit: &mut Unit,
    node: NodeId,
    head: HostFunction,
) -> Result<HostFunction, String> {
    let Some(block) = context.tree.child(node, Field::Body) else {
        return Err("it is only declared".to_string());
    };
    // Its errors are not the program's: the function may well be fine on the device.
    let mut errors = Sink::default();
    let mut inside = Context {
        extensions: context.extensions,
        contract: false,
        tree: context.tree,
        text: context.text,
        sema: context.sema,
        provenance: context.provenance,
        sink: &mut errors,
    };
    // The names of the kernel mean nothing here.
    let structs = std::mem::take(&mut unit.host.structs);
    let pointers = std::mem::take(&mut unit.host.pointers);
    let shapes = std::mem::take(&mut unit.host.shapes);
    let arrays = std::mem::take(&mut unit.host.own_arrays);
    sizes::declare_all(&inside, unit, node);
    let parameters = head.parameters.iter().map(|(name, _)| name.clone());
    let mut declared: Vec<String> = parameters.collect();
    host_names(&inside, block, &[], &mut declared);
    let hidden = unit.values.hide(declared.iter().cloned().collect());
    let statements = Host::function(&mut inside, unit, &head, declared).statements(block);
    unit.values.hide(hidden);
    unit.host.own_arrays = arrays;
    unit.host.structs = structs;
    unit.host.pointers = pointers;
    unit.host.shapes = shapes;
    match errors.into_sorted().into_iter().next() {
        Some(error) => Err(error.message),
        None => Ok(HostFunction {
            body: statements,
            ..head
        }),
    }
}
