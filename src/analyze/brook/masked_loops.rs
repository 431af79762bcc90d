//! Kernels with a loop that elements leave at different times.

use super::check::Facts;
use super::lower::{self, Passed};
use super::unit::Unit;
use crate::analyze::Context;
use crate::analyze::masked_loops::{Text, may_have};
use crate::body::{Body, Program, VariableId};
use crate::facts::Definitions;
use crate::module::{BY_ITEM, Kernel, KernelForm, Lockstep, Parameter, ParameterKind};
use crate::passes::{MaskedLoops, Outer, Returns, is_lane};
use crate::syntax::NodeId;

/// Finds them among kernels over streams.
pub(super) fn masked_loops(
    context: &Context<'_>,
    unit: &mut Unit,
    facts: &Facts,
    definitions: &[(usize, NodeId)],
) {
    let suits = |&(kernel, body): &(usize, NodeId)| {
        let form = &unit.kernels[kernel].form;
        matches!(form, KernelForm::Map { group_size: None }) && may_have(context.tree, body)
    };
    let wanted: Vec<(usize, NodeId)> = definitions.iter().copied().filter(suits).collect();
    if wanted.is_empty() {
        return;
    }
    let mut found = Vec::new();
    let kernels = unit.kernels.as_slice();
    let mut show = |at: (usize, NodeId), program: &Program, body: &Body, passed: &[Passed]| {
        let lockstep = of_kernel(context, (&kernels[at.0], at.1), (program, body), passed);
        found.push((at.0, lockstep));
    };
    lower::lower_some(context, facts, (kernels, &unit.numbers), &wanted, &mut show);
    for (kernel, lockstep) in found {
        unit.kernels[kernel].lockstep = lockstep;
    }
}

fn of_kernel(
    context: &Context<'_>,
    (kernel, node): (&Kernel, NodeId),
    (program, body): (&Program, &Body),
    passed: &[Passed],
) -> Option<Lockstep> {
    let here = VariableId::Local(0);
    let places = passed.iter().filter_map(|p| p.place);
    let items: Vec<VariableId> = places.chain([here]).collect();
    let outer = kernel.parameters.iter().zip(passed).map(outer);
    let search = MaskedLoops {
        program,
        body,
        definitions: &Definitions::of(body),
        text: context.text,
        is_volatile: &|_| false,
        items: &items,
    };
    let found = search.of_function(outer.collect(), Returns::Nothing)?;
    let text = Text {
        tree: context.tree,
        text: context.text,
    };
    let found = text.of_function(node, found, None)?;
    (found.exits & BY_ITEM != 0).then_some(found)
}

fn outer((parameter, passed): (&Parameter, &Passed)) -> Outer {
    let output = matches!(parameter.kind, ParameterKind::StreamOut { .. });
    let number = output
        || matches!(
            parameter.kind,
            ParameterKind::Value | ParameterKind::StreamIn
        );
    let lane = number && parameter.scalar.is_some_and(is_lane);
    Outer {
        id: passed.variable,
        depends: match parameter.kind {
            ParameterKind::Value => 0,
            _ => BY_ITEM,
        },
        given: !lane,
        output,
        // The language lets nobody write to what is read.
        constant: matches!(
            parameter.kind,
            ParameterKind::StreamIn | ParameterKind::Gather(_)
        ),
    }
}
